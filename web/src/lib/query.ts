import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import {
  QueryClient,
  useMutation,
  type UseMutationResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError, api } from './api.ts'
import { tokenStore } from './session.ts'
import { showToast } from './toast.ts'

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

/** Another session must not see what was read for the last one (T5). */
export const forgetOnSwitch = (client: QueryClient): (() => void) => tokenStore.subscribe(() => client.clear())

type Reading<C extends CallShape> = keyof Sent<C> extends never ? { sent?: Sent<C> } : { sent: Sent<C> }
type Options = {
  enabled?: boolean
  refetchIntervalMs?: number
  /** False: whoever reads it asks again and says so. */
  retry?: false
  /**
   * What is asked, without what moves by itself: the end of a window that follows the clock, the page of a list.
   * While the next part of the same question is read, the last answer stays; after any other change nothing old is shown.
   */
  question?: string | undefined
}

export const callKey = (call: CallShape, sent: unknown = {}) => [call.path, sent]

/** How a call of the contract is read, by whoever asks first. */
export const reading = <C extends CallShape>(call: C, sent?: Sent<C>) => ({
  queryKey: callKey(call, sent),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Data<C>> =>
    (api as (c: C, s: unknown, signal: AbortSignal) => Promise<Data<C>>)(call, sent, signal), // one shape of the two that api() takes
})

/** Reads a call of the contract. The last answer stays while the same question is asked again, and when that fails. */
export const useCall = <C extends CallShape>(call: C, { sent, ...options }: Reading<C> & Options) =>
  useQuery<Data<C>, ApiError>({
    ...reading(call, sent),
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchIntervalMs ?? false,
    ...(options.retry === false ? { retry: false } : {}),
    meta: { question: options.question },
    placeholderData: (last, before) =>
      options.question !== undefined && before?.meta?.['question'] === options.question ? last : undefined,
  })

/** Reads one call several times, such as one for each day. */
export const useCalls = <C extends CallShape>(call: C, sents: readonly Sent<C>[], enabled = true) =>
  useQueries({
    queries: sents.map((sent) => ({ ...reading(call, sent), enabled })),
  })

type Doing = {
  /** Fields that a form owns: an error of one of them is the form's. */
  fields?: readonly string[]
  /** What is read again once it is done. */
  renews?: readonly CallShape[]
}

type Does<C extends CallShape> = UseMutationResult<Data<C>, ApiError, Sent<C>> & { cancel: () => void }

/** Does a call of the contract, and no more of it once it is cancelled. An error whose fields a form owns is the form's; any other is toasted here. */
export const useDo = <C extends CallShape>(call: C, { fields = [], renews = [] }: Doing = {}): Does<C> => {
  const queries = useQueryClient()
  const running = useRef<AbortController>(null)
  const done = useMutation<Data<C>, ApiError, Sent<C>>({
    mutationFn: (sent) => {
      const { signal } = (running.current = new AbortController())
      return (api as (c: C, s: Sent<C>, signal: AbortSignal) => Promise<Data<C>>)(call, sent, signal) // as above
    },
    onSuccess: async () => {
      const renewed = Promise.all(renews.map(({ path }) => queries.invalidateQueries({ queryKey: [path] })))
      // A removed row is gone before its dialog closes, so that the focus does not return to it.
      if (call.method === 'DELETE') await renewed
    },
    onError: (error) => {
      if (running.current?.signal.aborted) return
      const inForm = Object.keys(error.errors).some((path) => fields.includes(path))
      const sessionEnded = error.status === 401 && call.may !== 'public'
      if (!inForm && !sessionEnded) showToast({ kind: 'error', message: error.message })
    },
  })
  const cancel = () => {
    running.current?.abort()
    done.reset()
  }
  return { ...done, cancel }
}
