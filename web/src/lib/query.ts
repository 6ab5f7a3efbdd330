import type { CallShape, Data, Sent, Thing } from '@gridmast/contract/call.ts'
import {
  QueryClient,
  useMutation,
  type UseMutationResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api } from './api.ts'
import { translateText } from './i18n.ts'
import { tokenStore } from './session.ts'
import { showToast } from './toast.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { of?: readonly Thing[] | undefined; keepWhile?: string | undefined }
  }
}

const worthRetrying = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (count, error) => count < 2 && worthRetrying(error),
        retryDelay: (count, error) =>
          error instanceof ApiError && error.retryAfterS !== null ? error.retryAfterS * 1000 : 1000 * 2 ** count,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  })

/** A session must not see data of the previous one (T5). */
export const forgetOnSwitch = (client: QueryClient): (() => void) => tokenStore.subscribe(() => client.clear())

type SentOf<C extends CallShape> = keyof Sent<C> extends never ? { sent?: Sent<C> } : { sent: Sent<C> }
type Options<C extends CallShape> = {
  enabled?: boolean
  refetchIntervalMs?: number | ((data: Data<C> | undefined) => number)
  /** False: the caller retries and reports the error. */
  retry?: false
  /** The last answer stays on the screen while the next one loads, as long as this text is the same. */
  keepWhile?: string | undefined
}

export const callKey = (call: CallShape, sent: unknown = {}) => [call.path, sent]

export const queryOf = <C extends CallShape>(call: C, sent?: Sent<C>) => ({
  queryKey: callKey(call, sent),
  meta: { of: call.of },
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Data<C>> =>
    (api as (c: C, s: unknown, signal: AbortSignal) => Promise<Data<C>>)(call, sent, signal), // one of the two forms of api()
})

/** Reads a call of the contract. The last answer stays while `keepWhile` is the same, also after an error. */
export const useCall = <C extends CallShape>(call: C, { sent, ...options }: SentOf<C> & Options<C>) => {
  const everyMs = options.refetchIntervalMs
  return useQuery<Data<C>, ApiError>({
    ...queryOf(call, sent),
    enabled: options.enabled ?? true,
    refetchInterval: typeof everyMs === 'function' ? ({ state }) => everyMs(state.data) : (everyMs ?? false),
    ...(options.retry === false ? { retry: false } : {}),
    meta: { of: call.of, keepWhile: options.keepWhile },
    placeholderData: (last, before) =>
      options.keepWhile !== undefined && before?.meta?.keepWhile === options.keepWhile ? last : undefined,
  })
}

export const useCalls = <C extends CallShape>(call: C, sents: readonly Sent<C>[], enabled = true) =>
  useQueries({
    queries: sents.map((sent) => ({ ...queryOf(call, sent), enabled })),
  })

type MutationOptions = {
  fields?: { includes: (path: string) => boolean }
  /** Calls of one scope run one at a time, also in different components. */
  scope?: string
}

type Effects<C extends CallShape> = {
  onSuccess?: (data: Data<C>) => void
  onError?: (error: ApiError) => void
  onSettled?: () => void
  onUnmounted?: () => void
}
type CallMutation<C extends CallShape> = Omit<
  UseMutationResult<Data<C>, ApiError, Sent<C>>,
  'mutate' | 'mutateAsync'
> & {
  mutate: (sent: Sent<C>, effects?: Effects<C>) => void
  /** Unanswered requests: several rows may be changed at the same time. */
  pending: readonly Sent<C>[]
  cancel: () => void
}

export const refetchTouched = (queries: QueryClient, call: CallShape) => {
  const touched: readonly Thing[] = [...(call.touches ?? []), 'audit']
  return queries.invalidateQueries({
    predicate: ({ meta }) => meta?.of?.some((thing) => touched.includes(thing)) ?? false,
  })
}

/** Files have no comparable text, so calls with a file always differ. */
const isSame = (a: object, b: object) => !('file' in a) && !('file' in b) && JSON.stringify(a) === JSON.stringify(b)

/**
 * Runs a call of the contract, cancellable. Concurrent runs have their own effects while the component is mounted; an equal request that is
 * pending is not repeated. Errors of a form's fields are shown there, all others as a toast.
 */
export const useDo = <C extends CallShape>(call: C, { fields, scope }: MutationOptions = {}): CallMutation<C> => {
  const queries = useQueryClient()
  const running = useRef(new Map<Sent<C>, AbortController>())
  const [pending, setPending] = useState<readonly Sent<C>[]>([])
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => void (isMounted.current = false)
  }, [])
  const mutation = useMutation<Data<C>, ApiError, Sent<C>>({
    ...(scope ? { scope: { id: scope } } : {}),
    mutationFn: (sent) =>
      (api as (c: C, s: Sent<C>, signal?: AbortSignal) => Promise<Data<C>>)(
        call,
        sent,
        running.current.get(sent)?.signal,
      ), // as above
    onSuccess: async () => {
      const refetched = refetchTouched(queries, call)
      // A deleted row disappears before its dialog closes, so that the focus does not return to it.
      if (call.method === 'DELETE') await refetched
    },
    onError: (error, sent) => {
      if (running.current.get(sent)?.signal.aborted) return
      const inForm = Object.keys(error.errors).some((path) => fields?.includes(path))
      const sessionEnded = error.status === 401 && call.may !== 'public'
      if (!inForm && !sessionEnded) showToast({ kind: 'error', message: translateText(error.message) })
    },
  })
  const run = async (sent: Sent<C>, effects: Effects<C>) => {
    const controller = new AbortController()
    running.current.set(sent, controller)
    setPending([...running.current.keys()])
    const settle = (effect: () => void) => {
      running.current.delete(sent)
      setPending([...running.current.keys()])
      if (controller.signal.aborted) return
      if (!isMounted.current) return effects.onUnmounted?.()
      effect()
      effects.onSettled?.()
    }
    await mutation.mutateAsync(sent).then(
      (data) => settle(() => effects.onSuccess?.(data)),
      (error: ApiError) => settle(() => effects.onError?.(error)),
    )
  }
  const mutate = (sent: Sent<C>, effects: Effects<C> = {}) => {
    if (![...running.current.keys()].some((other) => isSame(other, sent))) void run({ ...sent }, effects)
  }
  const cancel = () => {
    for (const controller of running.current.values()) controller.abort()
    mutation.reset()
  }
  return { ...mutation, mutate, pending, isPending: pending.length > 0, cancel } // `isPending` covers all runs, `status` the last one
}
