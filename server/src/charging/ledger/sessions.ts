import * as contract from '@gridmast/contract/charging/sessions.ts'
import { connectorStates } from '@gridmast/contract/charging/ev-charging.ts'
import { dayBounds, dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { needsAttention, sessionWh } from './session-energy.ts'
import { costColumns, thousandths, toCost } from '#charging/costs/session-cost.ts'
import { ownRoute, route } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { byName, containing, orderBy, type Sort } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, getRow, selectRows } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import { rowPages, checkFileRows, type Column, tableFile } from '#platform/files/table-file.ts'
import * as column from '#platform/files/columns.ts'
import { getCharger } from '#charging/chargers/fleet.ts'
import { lockGroup } from '#charging/tags/tag-groups.ts'
import { m } from '@gridmast/contract/messages.ts'
import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { openStates } from '#charging/chargers/connectors.ts'
import { abandon, updateSession } from './transactions.ts'

type Filter = {
  chargerId?: string | undefined
  connectorId?: number | undefined
  groupId?: string | undefined
  tagId?: string | undefined
  search?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  attention?: 'true' | undefined
  nowMs: number
}

const refusedDays = 30

/** A start in the portal without a tag uses the portal's own tag, which is not shown. */
const shownTag = sql<string | null>`case when s.mode <> 'remote' or s.tag_id is not null then s.tag end`

const sortColumns = {
  tag: byName(sql`t.name`),
  idTag: shownTag,
  charger: byName(sql`c.name`),
  connector: sql`s.evse_no`,
  mode: sql`s.mode`,
  consumption: sessionWh,
  cost: sql`case when k.unknown is null then k.spot_dkk + k.tariff_dkk + k.tax_dkk end`,
  status: sql`case when s.refused then 'refused' else s.state end`,
  type: sql`c.charger_type`,
  start: sql`s.started_at`,
  end: sql`s.ended_at`,
}

const matching = (tx: Tx, customerId: string, filter: Filter) =>
  tx
    .selectFrom('charger_transaction as s')
    .innerJoin('charger as c', onKey('c', 's', 'charger_id'))
    .leftJoin('charger_tag as t', onKey('t', 's', 'tag_id'))
    .where('s.customer_id', '=', customerId)
    .$if(filter.chargerId !== undefined, (of) => of.where('s.charger_id', '=', filter.chargerId ?? ''))
    .$if(filter.connectorId !== undefined, (of) => of.where('s.evse_no', '=', filter.connectorId ?? 0))
    .$if(filter.groupId !== undefined, (of) => of.where('t.group_id', '=', filter.groupId ?? ''))
    .$if(filter.tagId !== undefined, (of) => of.where('s.tag_id', '=', filter.tagId ?? ''))
    .$if(filter.search !== undefined, (of) =>
      of.where(containing(filter.search ?? '', [sql`t.name`, shownTag, sql`c.name`])),
    )
    .$if(filter.startDate !== undefined, (of) =>
      of.where('s.started_at', '>=', new Date(dayBounds(filter.startDate ?? '').fromMs)),
    )
    .$if(filter.endDate !== undefined, (of) =>
      of.where('s.started_at', '<', new Date(dayBounds(filter.endDate ?? '').toMs)),
    )
    .$if(filter.attention !== undefined, (of) => of.where(needsAttention(new Date(filter.nowMs - refusedDays * dayMs))))

const rowsOf = (tx: Tx, customerId: string, filter: Filter, sort: Sort<keyof typeof sortColumns> = {}) =>
  matching(tx, customerId, filter)
    .leftJoin('charging_cost as k', onKey('k', 's', 'transaction_id'))
    .selectAll('s')
    .select(['c.name as charger_name', 'c.charger_type', 'c.max_kw', 't.name as tag_name', sessionWh.as('session_wh')])
    .select(costColumns)
    .select(shownTag.as('shown_tag'))
    .orderBy(orderBy(sort, sortColumns, sql`s.started_at desc, s.transaction_id desc`))

type SessionRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

const toTransaction = (row: SessionRow): contract.ChargerTransaction => ({
  _id: row.transaction_id,
  idTag: row.shown_tag,
  tagName: row.tag_name,
  chargerId: row.charger_id,
  chargerName: row.charger_name,
  connectorId: row.evse_no,
  mode: (['tag', 'remote', 'adhoc'] as const).find((one) => one === row.mode) ?? 'tag',
  type: row.charger_type === 'DC' ? 'DC' : 'AC',
  status: contract.transactionStates.find((one) => one === row.state) ?? 'active',
  chargingState: connectorStates.find((one) => one === row.charging_state) ?? null,
  consumption: thousandths(row.session_wh),
  doubtedKwh: thousandths(row.doubted_wh),
  energyReview:
    row.energy_reviewed_at === null
      ? null
      : {
          by: row.energy_reviewed_by ?? '',
          at: row.energy_reviewed_at.toISOString(),
          reason: row.energy_reason ?? '',
        },
  maxKw: Number(row.max_kw),
  estimated: row.estimated,
  cost: toCost(row),
  refused: row.refused,
  startTime: row.started_at.toISOString(),
  endTime: row.ended_at?.toISOString() ?? null,
  reason: row.reason,
})

const checkFilter = async (tx: Tx, customerId: string, { chargerId, groupId, tagId }: Filter) => {
  if (chargerId) await getCharger(tx, customerId, chargerId)
  if (groupId) await lockGroup(tx, customerId, groupId)
  if (!tagId) return
  await getRow(tx, customerId, 'charger_tag', { tag_id: tagId }, ['tag_id'])
}

const fileColumns: Column<contract.ChargerTransaction>[] = [
  column.instant('Start', (one) => one.startTime),
  column.instant('End', (one) => one.endTime),
  column.text('Charger', (one) => one.chargerName),
  column.text('Connector', (one) => one.connectorId),
  column.text('Tag', (one) => one.idTag),
  column.text('Tag name', (one) => one.tagName),
  column.text('Mode', (one) => one.mode),
  column.text('Status', (one) => one.status),
  column.kwh('Energy', (one) => one.consumption),
  column.text('Estimated', (one) => (one.estimated ? 'yes' : 'no')),
  column.dkk('Cost', (one) => one.cost?.total),
  column.dkk('Driver pays', (one) => one.cost?.driver),
  column.number('Emission (kg CO2)', 3, (one) => one.cost?.kgCo2),
  column.text('Refused', (one) => (one.refused ? 'yes' : 'no')),
  column.kwh('Reported, not confirmed', (one) => (one.energyReview === null ? one.doubtedKwh : null)),
]

const sumUp = (tx: Tx, customerId: string, filter: Filter) =>
  matching(tx, customerId, filter)
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      select.fn.sum<string | null>(sessionWh).filterWhere('s.refused', '=', false).as('wh'),
      select.fn.sum<string | null>(sessionWh).filterWhere('s.refused', '=', true).as('refused_wh'),
    ])
    .executeTakeFirstOrThrow()

const fileRows = async function* (own: Own['own'], filter: Filter) {
  const rows = rowPages<SessionRow>(({ after, limit }) =>
    own((tx, customerId) =>
      rowsOf(tx, customerId, filter)
        .$if(after !== undefined, (of) =>
          of.where(
            sql<boolean>`(s.started_at, s.transaction_id) < (${after?.started_at}, ${after?.transaction_id}::uuid)`,
          ),
        )
        .limit(limit)
        .execute(),
    ),
  )
  for await (const row of rows) yield toTransaction(row)
}

const find = route(contract.findChargerTransactions, async ({ own, query, nowMs }) => {
  const { limit, skip, sort, order, format, ...conditions } = query
  const filter = { ...conditions, nowMs }
  if (format) {
    const { count } = await own(async (tx, customerId) => {
      await checkFilter(tx, customerId, filter)
      return sumUp(tx, customerId, filter)
    })
    checkFileRows(count, 'endDate')
    return { file: tableFile({ fileName: 'Charging sessions', sheet: 'Sessions' }, fileColumns, fileRows(own, filter)) }
  }
  return own(async (tx, customerId) => {
    await checkFilter(tx, customerId, filter)
    const totals = await sumUp(tx, customerId, filter)
    const rows = await rowsOf(tx, customerId, filter, { sort, order }).limit(limit).offset(skip).execute()
    return {
      transactions: rows.map(toTransaction),
      overallConsumption: thousandths(totals.wh ?? '0'),
      refusedConsumption: thousandths(totals.refused_wh ?? '0'),
      totalCount: totals.count,
    }
  })
})

const getTransaction = async (tx: Tx, customerId: string, transactionId: string) => {
  const row = await rowsOf(tx, customerId, { nowMs: 0 })
    .where('s.transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow(notFound)
  return toTransaction(row)
}

const get = ownRoute(contract.getChargerTransaction, async (tx, customerId, { params }) => ({
  transaction: await getTransaction(tx, customerId, params.id),
}))

const lockSession = (tx: Tx, customerId: string, transactionId: string) =>
  selectRows(tx, customerId, 'charger_transaction', { transaction_id: transactionId })
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)

const kwhOf = (wh: string | null) => (wh === null ? null : roundDecimal(multiplyDecimals(wh, '0.001'), 3))

const review = route(contract.reviewSessionEnergy, async ({ app, own, audit, viewer, params, body, nowMs }) => {
  const transaction = await own(async (tx, customerId) => {
    const row = await lockSession(tx, customerId, params.id)
    if (row.doubted_wh === null) throw new Refusal(409, m.energyNotDoubted)
    await updateSession(tx, row, {
      consumption_wh: multiplyDecimals(body.kwh, '1000'),
      energy_reviewed_at: new Date(nowMs),
      energy_reviewed_by: viewer.email,
      energy_reason: body.reason,
    })
    const after = await getTransaction(tx, customerId, params.id)
    await audit(tx, 'charger-session.energy', after.chargerName, {
      before: { session: params.id, reportedKwh: kwhOf(row.doubted_wh), kwh: kwhOf(row.consumption_wh) },
      after: { kwh: roundDecimal(body.kwh, 3), reason: body.reason },
    })
    return after
  })
  await app.jobs.kick('charging-costs')
  return { transaction }
})

const end = route(contract.endSession, async ({ app, own, audit, viewer, params, body, nowMs }) => {
  const transaction = await own(async (tx, customerId) => {
    const row = await lockSession(tx, customerId, params.id)
    if (row.refused || !openStates.some((state) => state === row.state)) throw new Refusal(409, m.sessionNotOpen)
    await abandon(tx, row, nowMs)
    await updateSession(tx, row, { reason: body.reason })
    const after = await getTransaction(tx, customerId, params.id)
    await audit(tx, 'charger-session.end', after.chargerName, {
      before: { session: params.id, connectorId: row.evse_no },
      after: { endTime: after.endTime, kwh: after.consumption, reason: body.reason },
    })
    return after
  })
  app.live.publish(viewer.customerId, 'charger', { chargerId: transaction.chargerId })
  await app.jobs.kick('charging-costs')
  return { transaction }
})

export const sessions = [find, get, review, end]
