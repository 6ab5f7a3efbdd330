import * as contract from '@gridmast/contract/delivery/annotations.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { can } from '@gridmast/contract/roles.ts'
import { dayBounds, type Span, today } from '@gridmast/contract/time.ts'
import type { RawBuilder } from 'kysely'
import type { Viewer } from '#access/viewer.ts'
import { route } from '#context.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  countRows,
  deleteRows,
  getRow,
  insertRow,
  lockCustomer,
  selectRows,
  updateRows,
} from '#platform/records/rows.ts'
import { directionOf } from '#delivery/events/judge.ts'
import {
  findActivations,
  findNotes,
  findPlans,
  findTriggeredAlerts,
  getNote,
  type NoteRow,
  ofCharger,
  ofInstance,
  ofSite,
} from './queries.ts'

const mayChange = (viewer: Viewer, authorId: string) =>
  can(viewer, 'note.edit') && (viewer.userRole === 'sudoer' || viewer.userId === authorId)

const toNote = (row: NoteRow, viewer: Viewer): contract.Note => ({
  kind: 'note',
  _id: row.note_id,
  instanceId: row.instance_id,
  from: row.from_at.toISOString(),
  to: row.to_at.getTime() === row.from_at.getTime() ? null : row.to_at.toISOString(),
  text: row.text,
  author: row.author,
  createdAt: row.created_at.toISOString(),
  changedAt: row.changed_at.toISOString(),
  mayChange: mayChange(viewer, row.author_id),
})

type PlanRow = Awaited<ReturnType<typeof findPlans>>[number]

const toPlan = ({ plan_id, name, from_at, until_at }: PlanRow): contract.Annotation[] =>
  from_at
    ? [{ kind: 'plan', _id: plan_id, from: from_at.toISOString(), to: until_at?.toISOString() ?? null, name }]
    : []

const answerOf = (kinds: readonly contract.Annotation[][]) => ({
  annotations: kinds
    .flatMap((rows) => rows.slice(0, limits.annotations))
    .toSorted((a, b) => a.from.localeCompare(b.from)),
  isCut: kinds.some((rows) => rows.length > limits.annotations),
})

const find = route(contract.findAnnotations, async ({ own, viewer, nowMs, query }) => {
  const window = { instanceId: query.instanceId, ...readWindow(query, nowMs, dayBounds(today(nowMs))) }
  const kinds = await own(async (tx, customerId): Promise<contract.Annotation[][]> => {
    await getRow(tx, customerId, 'instance', { instance_id: query.instanceId }, ['instance_id'])
    const notes = await findNotes(tx, customerId, window)
    const activations = can(viewer, 'event.read') ? await findActivations(tx, customerId, window) : []
    const alerts = can(viewer, 'alert.read') ? await findTriggeredAlerts(tx, customerId, window) : []
    const plans = can(viewer, 'load-shifting.read')
      ? await findPlans(tx, customerId, ofInstance(query.instanceId), window)
      : []
    return [
      notes.map((row) => toNote(row, viewer)),
      activations.map((row) => ({
        kind: 'activation',
        _id: row.event_id,
        from: row.started_at.toISOString(),
        to: row.ended_at?.toISOString() ?? null,
        market: row.market,
        direction: directionOf(row.direction),
        deltaLoad: row.delta_load,
        score: row.score,
      })),
      alerts.map((row) => ({
        kind: 'alert',
        _id: row.trigger_id,
        from: row.triggered_at.toISOString(),
        to: null,
        name: row.name,
        source: row.source,
      })),
      plans.flatMap(toPlan),
    ]
  })
  return answerOf(kinds)
})

/** Notes of the company and the plans of a charger or a site. */
const findOfChargers = async (tx: Tx, customerId: string, viewer: Viewer, target: RawBuilder<boolean>, span: Span) => {
  const notes = can(viewer, 'power.read') ? await findNotes(tx, customerId, span) : []
  const plans = can(viewer, 'load-shifting.read') ? await findPlans(tx, customerId, target, span) : []
  return answerOf([notes.map((row) => toNote(row, viewer)), plans.flatMap(toPlan)])
}

const findOfCharger = route(contract.findChargerAnnotations, async ({ own, viewer, nowMs, query }) => {
  const { chargerId } = query
  const span = readWindow(query, nowMs, dayBounds(today(nowMs)))
  return own(async (tx, customerId) => {
    await getRow(tx, customerId, 'charger', { charger_id: chargerId }, ['charger_id'])
    return findOfChargers(tx, customerId, viewer, ofCharger(customerId, chargerId), span)
  })
})

const findOfSite = route(contract.findSiteAnnotations, async ({ own, viewer, nowMs, query }) => {
  const { siteId } = query
  const span = readWindow(query, nowMs, dayBounds(today(nowMs)))
  return own(async (tx, customerId) => {
    await getRow(tx, customerId, 'charging_site', { site_id: siteId }, ['site_id'])
    return findOfChargers(tx, customerId, viewer, ofSite(customerId, siteId), span)
  })
})

const columnsOf = ({ from, to, text }: { from: string; to: string; text: string }) => ({
  from_at: new Date(from),
  to_at: new Date(to),
  text,
})
const auditOf = ({ instance_id, from_at, to_at, text }: NoteRow) => ({
  instance: instance_id,
  from: from_at.toISOString(),
  to: to_at.toISOString(),
  text,
})

const create = route(contract.createNote, async ({ app, own, viewer, audit, nowMs, body }) => {
  const row = await own(async (tx, customerId) => {
    const { instanceId } = body
    if (instanceId) await getRow(tx, customerId, 'instance', { instance_id: instanceId }, ['instance_id'])
    await lockCustomer(tx, customerId)
    if ((await countRows(selectRows(tx, customerId, 'note'))) >= limits.notes)
      throw new Refusal(409, m.tooManyNotes(limits.notes))
    const [noteId, now] = [newId(nowMs), new Date(nowMs)]
    const times = { created_at: now, changed_at: now }
    const note = { note_id: noteId, instance_id: instanceId, author_id: viewer.userId, ...columnsOf(body), ...times }
    await insertRow(tx, customerId, 'note', note).execute()
    const created = await getNote(tx, customerId, noteId)
    await audit(tx, 'note.create', created.text, { after: auditOf(created) })
    return created
  })
  app.live.publish(viewer.customerId, 'notes', {})
  return { note: toNote(row, viewer) }
})

/** The note, locked for a change; 403 for a note of another author, except for sudoers. */
const getOwnNote = async (tx: Tx, customerId: string, noteId: string, viewer: Viewer) => {
  const row = await getNote(tx, customerId, noteId)
  if (!mayChange(viewer, row.author_id)) throw new Refusal(403, m.noteOfAnother)
  return row
}

const update = route(contract.updateNote, async ({ app, own, viewer, audit, nowMs, params, body }) => {
  const row = await own(async (tx, customerId) => {
    const before = await getOwnNote(tx, customerId, params.id, viewer)
    const changed = { ...columnsOf(body), changed_at: new Date(nowMs) }
    await updateRows(tx, customerId, 'note', { note_id: params.id }).set(changed).execute()
    const after = await getNote(tx, customerId, params.id)
    await audit(tx, 'note.update', after.text, { before: auditOf(before), after: auditOf(after) })
    return after
  })
  app.live.publish(viewer.customerId, 'notes', {})
  return { note: toNote(row, viewer) }
})

const remove = route(contract.removeNote, async ({ app, own, viewer, audit, params }) => {
  await own(async (tx, customerId) => {
    const before = await getOwnNote(tx, customerId, params.id, viewer)
    await deleteRows(tx, customerId, 'note', { note_id: params.id }).execute()
    await audit(tx, 'note.delete', before.text, { before: auditOf(before) })
  })
  app.live.publish(viewer.customerId, 'notes', {})
})

export const annotations = [find, findOfCharger, findOfSite, create, update, remove]
