import { minDeltaLoadPercent } from '@gridmast/contract/delivery/events.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, selectRows } from '#platform/records/rows.ts'

type Window = Span & { instanceId: string }

/** One more than is answered, so that a cut is known. */
const limit = limits.annotations + 1

const overlaps = (from: string, to: string, { fromMs, toMs }: Span) =>
  sql<boolean>`${sql.ref(from)} < ${new Date(toMs)} and ${sql.ref(to)} >= ${new Date(fromMs)}`

const notesOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('note as n')
    .leftJoin('app_user as u', (join) =>
      join.onRef('u.customer_id', '=', 'n.customer_id').onRef('u.user_id', '=', 'n.author_id'),
    )
    .selectAll('n')
    .select('u.name as author')
    .where('n.customer_id', '=', customerId)
export type NoteRow = Awaited<ReturnType<ReturnType<typeof notesOf>['execute']>>[number]

/** Notes of the company, and those of an instance. */
export const findNotes = (tx: Tx, customerId: string, { instanceId, ...span }: Span & { instanceId?: string }) =>
  notesOf(tx, customerId)
    .where(sql<boolean>`(n.instance_id is null or n.instance_id = ${instanceId ?? null})`)
    .where(overlaps('n.from_at', 'n.to_at', span))
    .orderBy('n.from_at', 'desc')
    .orderBy('n.note_id')
    .limit(limit)
    .execute()

export const getNote = (tx: Tx, customerId: string, noteId: string) =>
  notesOf(tx, customerId).where('n.note_id', '=', noteId).forUpdate('n').executeTakeFirstOrThrow(notFound)

export const findActivations = (tx: Tx, customerId: string, { instanceId, fromMs, toMs }: Window) =>
  selectRows(tx, customerId, 'event', { instance_id: instanceId })
    .select(['event_id', 'market', 'direction', 'started_at', 'ended_at', 'delta_load', 'score'])
    .where('started_at', '<', new Date(toMs))
    .where(sql<boolean>`coalesce(ended_at, 'infinity') >= ${new Date(fromMs)}`)
    .where(sql<boolean>`coalesce(delta_load, 100) >= ${minDeltaLoadPercent}`)
    .orderBy('started_at', 'desc')
    .orderBy('event_id')
    .limit(limit)
    .execute()

export const findTriggeredAlerts = (tx: Tx, customerId: string, { instanceId, fromMs, toMs }: Window) =>
  tx
    .selectFrom('alert_trigger as t')
    .innerJoin('instance as i', onKey('i', 't', 'instance_id'))
    .innerJoin('licence as l', onKey('l', 'i', 'licence_id'))
    .select(['t.trigger_id', 't.name', 't.triggered_at', 'l.type as source'])
    .where('t.customer_id', '=', customerId)
    .where('t.instance_id', '=', instanceId)
    .where('t.triggered_at', '>=', new Date(fromMs))
    .where('t.triggered_at', '<', new Date(toMs))
    .orderBy('t.triggered_at', 'desc')
    .orderBy('t.trigger_id')
    .limit(limit)
    .execute()

export const ofInstance = (instanceId: string) => sql<boolean>`instance_id = ${instanceId}`
export const ofCharger = (customerId: string, chargerId: string) => sql<boolean>`(charger_id = ${chargerId}
  or site_id = (select site_id from charger where customer_id = ${customerId} and charger_id = ${chargerId}))`
export const ofSite = (customerId: string, siteId: string) => sql<boolean>`(site_id = ${siteId}
  or charger_id in (select charger_id from charger where customer_id = ${customerId} and site_id = ${siteId}))`

export const findPlans = (tx: Tx, customerId: string, target: RawBuilder<boolean>, span: Span) =>
  selectRows(tx, customerId, 'load_plan')
    .select(['plan_id', 'name', 'from_at', sql<Date | null>`least(to_at, ended_at)`.as('until_at')])
    .where(target)
    .where('accepted_at', 'is not', null)
    .where(sql<boolean>`from_at < ${new Date(span.toMs)} and least(to_at, ended_at) > ${new Date(span.fromMs)}`)
    .orderBy('from_at', 'desc')
    .orderBy('plan_id')
    .limit(limit)
    .execute()
