import { z } from 'zod'
import { call, id } from '#call.ts'
import { requiredText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { dayMs } from '#time.ts'
import { directions } from './events.ts'

const instant = z.iso.datetime({ error: m.dateAndTime, abort: true }).regex(/^20/, m.year)

const during = { from: z.iso.datetime(), to: z.iso.datetime().nullable() }

export const note = z.object({
  kind: z.literal('note'),
  _id: id('note'),
  /** Null: a note of the company, on the charts of all instances, chargers and sites. */
  instanceId: id('instance').nullable(),
  ...during,
  text: z.string(),
  /** Null after the author was erased. */
  author: z.string().nullable(),
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  mayChange: z.boolean(),
})
export type Note = z.infer<typeof note>

/** A thing at a time of an instance; `to` is null for an instant and while it runs. */
export const annotation = z.discriminatedUnion('kind', [
  note,
  z.object({
    kind: z.literal('activation'),
    _id: id('event'),
    ...during,
    market: z.string(),
    direction: z.enum(directions),
    deltaLoad: z.number().nullable(),
    score: z.number().nullable(),
  }),
  z.object({
    kind: z.literal('alert'),
    _id: id('alert-trigger'),
    ...during,
    name: z.string(),
    source: z.string(),
  }),
  z.object({ kind: z.literal('plan'), _id: id('load-plan'), ...during, name: z.string() }),
])
export type Annotation = z.infer<typeof annotation>

const marks = z.object({ annotations: z.array(annotation), isCut: z.boolean() })

export const findAnnotations = call({
  method: 'GET',
  path: '/client/data/annotation',
  summary: `List notes, activations, triggered alerts and accepted load plans of an instance from start to end, oldest first: of each kind that you may read the newest ${limits.annotations}`,
  may: 'power.read',
  of: ['note', 'alert', 'load-plan'],
  query: z.strictObject({ instanceId: id('instance'), start: text(40), end: text(40) }),
  response: marks,
})

export const findChargerAnnotations = call({
  method: 'GET',
  path: '/client/data/annotation/charger',
  summary: `List notes of the company and accepted load plans of a charger and of its site from start to end, oldest first: of each kind that you may read the newest ${limits.annotations}`,
  may: 'ev-charging.read',
  of: ['note', 'load-plan', 'charging-site'],
  query: z.strictObject({ chargerId: id('charger'), start: text(40), end: text(40) }),
  response: marks,
})

export const findSiteAnnotations = call({
  method: 'GET',
  path: '/client/data/annotation/site',
  summary: `List notes of the company and accepted load plans of a charging site and of its chargers from start to end, oldest first: of each kind that you may read the newest ${limits.annotations}`,
  may: 'charger.read',
  of: ['note', 'load-plan', 'charging-site'],
  query: z.strictObject({ siteId: id('charging-site'), start: text(40), end: text(40) }),
  response: marks,
})

const noteFields = { from: instant, to: instant, text: requiredText(limits.noteMax) }
const isForward = ({ from, to }: { from: string; to: string }) => Date.parse(from) <= Date.parse(to)
const isShort = ({ from, to }: { from: string; to: string }) =>
  Date.parse(to) - Date.parse(from) <= limits.exportDays * dayMs
const backwards = { path: ['to'], error: m.endBeforeStart }
const tooLong = { path: ['to'], error: m.tooManyDays(limits.exportDays) }

export const createNote = call({
  method: 'POST',
  path: '/client/data/note',
  summary: 'Write a note at a time or a span, on an instance or for the company',
  may: 'note.edit',
  touches: ['note'],
  body: z
    .strictObject({ instanceId: id('instance').nullable(), ...noteFields })
    .refine(isForward, backwards)
    .refine(isShort, tooLong),
  response: z.object({ note }),
  ok: m.noteSaved,
})

export const updateNote = call({
  method: 'PATCH',
  path: '/client/data/note/{id}',
  summary: 'Change a note; its author and sudoers may',
  may: 'note.edit',
  touches: ['note'],
  params: z.object({ id: id('note') }),
  body: z.strictObject(noteFields).refine(isForward, backwards).refine(isShort, tooLong),
  response: z.object({ note }),
  ok: m.noteSaved,
})

export const removeNote = call({
  method: 'DELETE',
  path: '/client/data/note/{id}',
  summary: 'Delete a note; its author and sudoers may',
  may: 'note.edit',
  touches: ['note'],
  params: z.object({ id: id('note') }),
  ok: m.noteDeleted,
})
