import type { CallShape, Sent } from '@gridmast/contract/call.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, send } from './api.ts'
import { translateText } from './i18n.ts'
import { refetchTouched } from './query.ts'
import { beforeSessionEnd, tokenStore } from './session.ts'
import { createStore, useStore } from './store.ts'
import { showToast } from './toast.ts'

type Removal = { key: string; finish: () => Promise<void> }

const removals = createStore<readonly Removal[]>([])
const drop = (key: string) => removals.set(removals.get().filter((one) => one.key !== key))

const finishAll = () => Promise.all(removals.get().map(({ finish }) => finish()))
window.addEventListener('pagehide', () => void finishAll())
beforeSessionEnd.add(finishAll)

type Options<C extends CallShape, Row> = {
  sent: (row: Row) => Sent<C>
  /** Moves the focus when the row is gone. */
  onRemoved?: () => void
}

/**
 * A deletion that the toast undoes: the row disappears at once, and the call is sent after `limits.undoMs`, at the end of the session or when the
 * page is left. A page that crashes before deletes nothing.
 */
export const useRemoval = <C extends CallShape, Row>(call: C, { sent, onRemoved }: Options<C, Row>) => {
  const queries = useQueryClient()
  const waiting = useStore(removals)
  const keyOf = (row: Row) => JSON.stringify([call.path, sent(row)])
  const isRemoved = (row: Row) => waiting.some(({ key }) => key === keyOf(row))
  const remove = (row: Row) => {
    if (isRemoved(row)) return
    const key = keyOf(row)
    const token = tokenStore.get()
    let sending: Promise<void> | undefined
    const request = async () => {
      try {
        await send(call, { ...sent(row), keepalive: true }, undefined, token)
      } catch (error) {
        if (error instanceof ApiError) showToast({ kind: 'error', message: translateText(error.message) })
      }
      await refetchTouched(queries, call)
      drop(key)
    }
    const finish = () => {
      clearTimeout(timer)
      return (sending ??= request())
    }
    const undo = () => {
      if (sending) return
      clearTimeout(timer)
      drop(key)
    }
    const timer = setTimeout(() => void finish(), limits.undoMs)
    removals.set([...removals.get(), { key, finish }])
    showToast({ kind: 'success', message: translateText(call.ok ?? ''), undo })
    onRemoved?.()
  }
  return { remove, isRemoved }
}
