import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/people/support-notes.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { refuseUntil, countWithin } from '#access/attempts.ts'
import { operator } from '#config.ts'
import { type App, ownRoute, route } from '#context.ts'
import { Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { product } from '#platform/process/version.ts'
import { noteChanged, noteCreated } from './mails.ts'
import { addNote, countNotes, findNotes, lockAuthor, lockNote, saveNote } from './queries.ts'

type Form = { title: string; description: string; released: string; enable: boolean }

const formOf = ({ title, description, released, enable }: Form): Form => ({
  title,
  description,
  released: contract.releasedDay(released),
  enable,
})

const toNote = (row: Form & { note_id: string }): contract.SupportNote => ({
  _id: row.note_id,
  application: product,
  ...formOf(row),
})

const limitMails = async (app: App, customerId: string, nowMs: number): Promise<void> => {
  const kind = 'support-note'
  const bucket = { kind, key: app.secret.hmac(kind, customerId), most: limits.supportNotesPerHour }
  const fullUntilMs = await app.records.system((tx) => countWithin(tx, hourMs, bucket, nowMs))
  if (fullUntilMs > 0) throw refuseUntil(fullUntilMs, nowMs, m.tooManyAttempts)
}

const find = ownRoute(contract.findSupportNotes, async (tx, customerId, { query }) => {
  const { rows, totalCount } = await findNotes(tx, customerId, query)
  return { supportNotes: rows.map(toNote), totalCount }
})

const create = route(contract.createSupportNote, async ({ app, viewer, own, audit, nowMs, body }) => {
  await limitMails(app, viewer.customerId, nowMs)
  return own(async (tx, customerId) => {
    const author = await lockAuthor(tx, customerId, viewer.userId)
    if ((await countNotes(tx, customerId)) >= limits.supportNotes)
      throw new Refusal(409, m.tooManySupportNotes(limits.supportNotes))
    const note = await addNote(tx, { customer_id: customerId, note_id: newId(nowMs), ...formOf(body.supportNote) })
    await audit(tx, 'support-note.create', note.title, { after: formOf(note) })
    await queueMail(tx, operator(app.config, customerId), noteCreated(author, note))
    return { supportNote: toNote(note) }
  })
})

const update = route(contract.updateSupportNote, async ({ app, viewer, own, audit, nowMs, params, body }) => {
  await limitMails(app, viewer.customerId, nowMs)
  return own(async (tx, customerId) => {
    const author = await lockAuthor(tx, customerId, viewer.userId)
    const before = await lockNote(tx, customerId, params.id)
    const note = await saveNote(tx, customerId, params.id, formOf(body.supportNote))
    await audit(tx, 'support-note.update', before.title, { before: formOf(before), after: formOf(note) })
    await queueMail(tx, operator(app.config, customerId), noteChanged(author, note))
    return { supportNote: toNote(note) }
  })
})

export const supportNotes = [find, create, update]
