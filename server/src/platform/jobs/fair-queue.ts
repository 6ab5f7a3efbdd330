import { m } from '@gridmast/contract/messages.ts'
import { Refusal, stopped } from '#platform/http/errors.ts'

/** Work that takes seconds: `lanes` in parallel, one per company, so that a company with much work delays no other. */

type QueueLimits = {
  lanes: number
  /** Per company, without the running one; more is refused. */
  waiting: number
  /** Total, waiting and running; more is refused. */
  bytes?: number
  /** Default: no limit. */
  longestMs?: number
}

type Task = { begin: () => void }

const tooMany = () => new Refusal(429, m.tooMany, { retryAfterS: 5 })

export const openFairQueue = ({ lanes, waiting, bytes: maxBytes = Infinity, longestMs }: QueueLimits) => {
  /** Waiting tasks by company; after a run the company moves to the end. */
  const queues = new Map<string, Task[]>()
  const running = new Set<string>()
  let queuedBytes = 0

  const beginNext = () => {
    for (const [company, queue] of queues) {
      if (running.size >= lanes) return
      const [task] = running.has(company) ? [] : queue.splice(0, 1)
      if (!task) continue
      running.add(company)
      task.begin()
    }
  }
  const end = (company: string) => {
    running.delete(company)
    const queue = queues.get(company)
    queues.delete(company)
    if (queue && queue.length > 0) queues.set(company, queue)
    beginNext()
  }

  const waitForTurn = (company: string, signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const task = { begin: resolve }
    const queue = queues.get(company) ?? []
    queues.set(company, queue)
    queue.push(task)
    const leave = () => {
      const at = queue.indexOf(task)
      if (at >= 0) queue.splice(at, 1)
      reject(stopped())
    }
    signal.addEventListener('abort', leave, { once: true })
    beginNext()
    return promise.finally(() => signal.removeEventListener('abort', leave))
  }

  /** `work` must end soon after its signal aborts (caller gone or `longestMs` passed); its lane is in use until then. */
  return async <T>(
    company: string,
    work: (signal: AbortSignal) => Promise<T>,
    { signal = new AbortController().signal, bytes = 0 }: { signal?: AbortSignal | undefined; bytes?: number } = {},
  ): Promise<T> => {
    if (signal.aborted) throw stopped()
    if ((queues.get(company)?.length ?? 0) >= waiting || queuedBytes + bytes > maxBytes) throw tooMany()
    queuedBytes += bytes
    try {
      await waitForTurn(company, signal)
      try {
        return await work(longestMs ? AbortSignal.any([signal, AbortSignal.timeout(longestMs)]) : signal)
      } finally {
        end(company)
      }
    } finally {
      queuedBytes -= bytes
    }
  }
}
