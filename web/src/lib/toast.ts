import { limits } from '@gridmast/contract/limits.ts'
import type { ReactElement } from 'react'
import { createStore } from './store.ts'

export type Toast = { kind: 'success' | 'error'; message: string; id?: string; action?: ReactElement; closeMs?: number }
type Show = (toast: Toast, autoCloseMs: number) => void

// The shell renders toasts; earlier ones wait.
const waiting: Toast[] = []
const shower = createStore<Show | null>(null)

export const showToast = (toast: Toast) => {
  const show = shower.get()
  if (show) show(toast, toast.closeMs ?? limits.toastMs)
  else waiting.push(toast)
}

export const connectToasts = (show: Show) => {
  shower.set(show)
  for (const toast of waiting.splice(0)) show(toast, toast.closeMs ?? limits.toastMs)
}
