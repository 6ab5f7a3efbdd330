import { z } from 'zod'
import { call, id } from './call.ts'
import { longText, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { m } from './messages.ts'
import { localDate } from './time.ts'

export const supportNote = z.object({
  _id: id('support-note'),
  title: z.string(),
  application: z.string(),
  description: z.string(),
  /** The local day that the form calls created. */
  released: z.string(),
  /** False: closed, nothing more is expected of the support team. */
  enable: z.boolean(),
})
export type SupportNote = z.infer<typeof supportNote>

const body = z.strictObject({
  supportNote: z.strictObject({ title: shortText, description: longText, released: localDate, enable: z.boolean() }),
})

export const findSupportNotes = call({
  method: 'GET',
  path: '/client/supportNotes',
  summary: 'Notes to the support team, open ones first, then the newest',
  may: 'support-note.read',
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(limits.pageSize),
    skip: z.coerce.number().int().min(0).max(limits.supportNotes).default(0),
  }),
  response: z.object({ supportNotes: z.array(supportNote), totalCount: z.number() }),
})

export const createSupportNote = call({
  method: 'POST',
  path: '/client/supportNotes',
  summary: 'Write a note to the support team, which is mailed about it',
  may: 'support-note.edit',
  body,
  response: z.object({ supportNote }),
  ok: m.supportNoteCreated,
})

export const updateSupportNote = call({
  method: 'PATCH',
  path: '/client/supportNotes/{id}',
  summary: 'Change a note, or close it with `enable` false; the support team is mailed about it',
  may: 'support-note.edit',
  params: z.object({ id: id('support-note') }),
  body,
  response: z.object({ supportNote }),
  ok: m.supportNoteUpdated,
})
