import { z } from 'zod'
import { call, id } from '#call.ts'
import { longText, numberInUrl, shortText } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { localDate, localDateOf } from '#time.ts'

export const supportNote = z.object({
  _id: id('support-note'),
  title: z.string(),
  application: z.string(),
  description: z.string(),
  released: z.string(),
  enable: z.boolean(),
})
export type SupportNote = z.infer<typeof supportNote>

const released = z.union([localDate, z.iso.datetime({ offset: true, abort: true }).regex(/^20/)], {
  error: ({ input }) => (input === undefined || input === '' ? m.required : m.date),
})
export const releasedDay = (given: string): string => (given.includes('T') ? localDateOf(Date.parse(given)) : given)

const body = z.strictObject({
  supportNote: z.strictObject({ title: shortText, description: longText, released, enable: z.boolean() }),
})

export const findSupportNotes = call({
  method: 'GET',
  path: '/client/supportNotes',
  summary: 'List the notes to the support team, open notes first, then the newest',
  may: 'support-note.read',
  of: ['support-note'],
  query: z.strictObject({
    limit: numberInUrl(z.int().min(1).max(100)).default(limits.pageSize),
    skip: numberInUrl(z.int().min(0).max(limits.supportNotes)).default(0),
  }),
  response: z.object({ supportNotes: z.array(supportNote), totalCount: z.number() }),
})

export const createSupportNote = call({
  method: 'POST',
  path: '/client/supportNotes',
  summary: 'Create a note to the support team, which receives a mail',
  may: 'support-note.edit',
  touches: ['support-note'],
  body,
  response: z.object({ supportNote }),
  ok: m.supportNoteCreated,
})

export const updateSupportNote = call({
  method: 'PATCH',
  path: '/client/supportNotes/{id}',
  summary: 'Change a note, or close it with `enable` false; the support team receives a mail',
  may: 'support-note.edit',
  touches: ['support-note'],
  params: z.object({ id: id('support-note') }),
  body,
  response: z.object({ supportNote }),
  ok: m.supportNoteUpdated,
})
