import type { CallShape } from '@gridmast/contract/call.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyReply } from 'fastify'
import { openFairQueue } from '#platform/jobs/fair-queue.ts'
import { Refusal } from './errors.ts'
import { abortSignalOf } from './multipart.ts'

/** A token bucket: `take` is true when one more message may pass. */
export const rateLimiter = (perSecond: number, burst: number, now: () => number) => {
  let tokens = burst
  let filledAt = now()
  return {
    take: (): boolean => {
      const at = now()
      tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * perSecond)
      filledAt = at
      if (tokens < 1) return false
      tokens--
      return true
    },
    isFull: (): boolean => tokens + ((now() - filledAt) / 1000) * perSecond >= burst,
  }
}
type Bucket = ReturnType<typeof rateLimiter>

/** One bucket per name. Full buckets are deleted, because they equal new ones and clients have any number of addresses. */
export const ratesOf = (perSecond: number, burst: number, now: () => number, rates = new Map<string, Bucket>()) => {
  const fillMs = (burst / perSecond) * 1000
  let sweptAt = now()
  return (name: string): boolean => {
    if (now() - sweptAt >= fillMs) {
      for (const [other, rate] of rates) if (rate.isFull()) rates.delete(other)
      sweptAt = now()
    }
    const rate = rates.get(name) ?? rateLimiter(perSecond, burst, now)
    rates.set(name, rate)
    return rate.take()
  }
}

/** At most `perMinute` log lines per name; the next line has the count of those omitted. */
export const lineLimiter = (perMinute: number, now: () => number) => {
  const mayPass = ratesOf(perMinute / 60, perMinute, now)
  const counts = new Map<string, number>()
  return (name: string, write: (count: { omitted?: number }) => void) => {
    const omitted = counts.get(name) ?? 0
    if (!mayPass(name)) return void counts.set(name, omitted + 1)
    write(omitted > 0 ? { omitted } : {})
    counts.delete(name)
  }
}

/** At most `most` concurrent holders per key; answers the release function, or null at the limit. */
export const concurrencyLimit = (most: number) => {
  const counts = new Map<string, number>()
  return (key: string): (() => void) | null => {
    const count = counts.get(key) ?? 0
    if (count >= most) return null
    counts.set(key, count + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const rest = (counts.get(key) ?? 1) - 1
      if (rest === 0) counts.delete(key)
      else counts.set(key, rest)
    }
  }
}

/** One file per user at a time: a file may take minutes and most of a store connection. The next ones wait for their turn. */
const inTurn = openFairQueue({ lanes: Infinity, waiting: 3 })
const longestWaitMs = 30_000
const streamLimit = concurrencyLimit(limits.streamsPerUser)

const fileTurn = (userId: string, signal: AbortSignal): Promise<() => void> =>
  new Promise((resolve, reject) => {
    inTurn(userId, () => new Promise<void>(resolve), { signal }).catch(reject)
  })

export const answersFile = (call: CallShape): boolean => call.query !== undefined && 'format' in call.query.shape

export const requestsFile = (call: CallShape, query: object): boolean =>
  answersFile(call) && (call.response === undefined || ('format' in query && query.format !== undefined))

const admit = async (isFile: boolean, userId: string, reply: FastifyReply): Promise<() => void> => {
  if (!isFile) {
    const release = streamLimit(userId)
    if (!release) throw new Refusal(429, m.tooManyStreams, { retryAfterS: 30 })
    return release
  }
  const signal = AbortSignal.any([abortSignalOf(reply), AbortSignal.timeout(longestWaitMs)])
  return fileTurn(userId, signal).catch(() => {
    throw new Refusal(429, m.exportUnderWay, { retryAfterS: 5 })
  })
}

/**
 * One file and a few live streams per user (security rule L1). The limit is released when both the answer and its work have ended, so a
 * disconnect does not free a worker early.
 */
export const limitPerUser = async <T>(
  { call, query, userId, reply }: { call: CallShape; query: object; userId: string; reply: FastifyReply },
  work: () => Promise<T>,
): Promise<T> => {
  const isFile = requestsFile(call, query)
  if (!isFile && call.answer !== 'events') return work()
  // The close may be emitted while the call waits or the work runs.
  const closed = new Promise((resolve) => reply.raw.once('close', resolve))
  const release = await admit(isFile, userId, reply)
  try {
    return await work()
  } finally {
    if (reply.raw.closed) release()
    else void closed.then(release)
  }
}
