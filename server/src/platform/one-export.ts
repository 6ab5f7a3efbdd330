import type { CallShape } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyReply } from 'fastify'
import { Refusal } from './errors.ts'

/** Who has a file under way. A file may take minutes and most of a connection of the store. */
const underWay = new Set<string>()

/** Whether a request asks for a file: by `format`, or because the call gives nothing else. */
const asksForFile = (call: CallShape, query: object): boolean =>
  call.query !== undefined &&
  'format' in call.query.shape &&
  (call.response === undefined || ('format' in query && query.format !== undefined))

/** One file at a time for each person (security rule L1); the place is free again when the answer has ended, however it did. */
export const holdExport = (call: CallShape, query: object, who: string, reply: FastifyReply): void => {
  if (!asksForFile(call, query)) return
  if (underWay.has(who)) throw new Refusal(429, m.exportUnderWay, { retryAfterS: 5 })
  underWay.add(who)
  reply.raw.once('close', () => underWay.delete(who))
}
