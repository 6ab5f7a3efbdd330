import type { CallShape } from '@gridmast/contract/call.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyReply } from 'fastify'
import { Refusal } from './errors.ts'

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

/** At most `perMinute` log lines per name; the next line counts those left out. */
export const lineLimiter = (perMinute: number, now: () => number) => {
  const take = ratesOf(perMinute / 60, perMinute, now)
  const leftOut = new Map<string, number>()
  return (name: string, write: (leftOut: { leftOut?: number }) => void) => {
    const before = leftOut.get(name) ?? 0
    if (!take(name)) return void leftOut.set(name, before + 1)
    write(before > 0 ? { leftOut: before } : {})
    leftOut.delete(name)
  }
}

type Places = { take: (who: string) => (() => void) | null }

/** `most` places per key. `take` answers the release function, or null when all are in use. */
export const openPlaces = (most: number): Places => {
  const taken = new Map<string, number>()
  const giveBack = (who: string) => {
    const left = (taken.get(who) ?? 1) - 1
    if (left === 0) taken.delete(who)
    else taken.set(who, left)
  }
  return {
    take: (who) => {
      const count = taken.get(who) ?? 0
      if (count >= most) return null
      taken.set(who, count + 1)
      let held = true
      return () => {
        if (held) giveBack(who)
        held = false
      }
    },
  }
}

/** One file per user: a file may take minutes and most of a store connection. */
const files = openPlaces(1)
const streams = openPlaces(limits.streamsPerUser)

export const givesFiles = (call: CallShape): boolean => call.query !== undefined && 'format' in call.query.shape

const asksForFile = (call: CallShape, query: object): boolean =>
  givesFiles(call) && (call.response === undefined || ('format' in query && query.format !== undefined))

const placesOf = (call: CallShape, query: object): [Places, Refusal] | null => {
  if (asksForFile(call, query)) return [files, new Refusal(429, m.exportUnderWay, { retryAfterS: 5 })]
  if (call.answer === 'events') return [streams, new Refusal(429, m.tooManyStreams, { retryAfterS: 30 })]
  return null
}

/**
 * One file and a few live streams per user (security rule L1). The place is released when both the answer and its work have ended, so a
 * disconnect does not free a worker early.
 */
export const holdPlace = async <T>(
  { call, query, who, reply }: { call: CallShape; query: object; who: string; reply: FastifyReply },
  work: () => Promise<T>,
): Promise<T> => {
  const [places, full] = placesOf(call, query) ?? []
  if (!places) return work()
  const giveBack = places.take(who)
  if (!giveBack) throw full
  const closed = new Promise((resolve) => reply.raw.once('close', resolve))
  try {
    return await work()
  } finally {
    if (reply.raw.closed) giveBack()
    else void closed.then(giveBack)
  }
}
