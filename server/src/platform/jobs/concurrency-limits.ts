import type { CallShape } from '@gridmast/contract/call.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyReply } from 'fastify'
import { Refusal } from '#platform/http/errors.ts'

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
 * One file and a few live streams per user (security rule L1). The place is released when both the answer and its
 * work have ended, so a disconnect does not free a worker early.
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
