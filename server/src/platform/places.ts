import type { CallShape } from '@gridmast/contract/call.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyReply } from 'fastify'
import { Refusal } from './errors.ts'

export type Places = { take: (who: string) => (() => void) | null }

/** So many places for each. `take` answers what gives the place back, or null when all are taken. */
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

/** A file may take minutes and most of a connection of the store. */
const files = openPlaces(1)
const streams = openPlaces(limits.streamsPerUser)

/** Whether a request asks for a file: by `format`, or because the call gives nothing else. */
const asksForFile = (call: CallShape, query: object): boolean =>
  call.query !== undefined &&
  'format' in call.query.shape &&
  (call.response === undefined || ('format' in query && query.format !== undefined))

const hold = (places: Places, who: string, reply: FastifyReply, full: Refusal) => {
  const giveBack = places.take(who)
  if (!giveBack) throw full
  reply.raw.once('close', giveBack)
}

/** One file at a time for each person and some live streams (security rule L1); the place is free again when the answer has ended, however it did. */
export const holdPlace = (call: CallShape, query: object, who: string, reply: FastifyReply): void => {
  if (asksForFile(call, query)) hold(files, who, reply, new Refusal(429, m.exportUnderWay, { retryAfterS: 5 }))
  if (call.answer === 'events') hold(streams, who, reply, new Refusal(429, m.tooManyStreams, { retryAfterS: 30 }))
}
