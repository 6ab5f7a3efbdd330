import * as contract from '@gridmast/contract/charging/charge-fleet.ts'
import { relativeSpan } from '@gridmast/contract/relative-range.ts'
import { datesIn } from '@gridmast/contract/slots.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import {
  addDays,
  atLocalTime,
  dayBounds,
  formatDate,
  localDateOf,
  localMonthOf,
  type LocalDate,
  minuteMs,
  monthBounds,
  today,
  zone,
} from '@gridmast/contract/time.ts'
import { needsAttention, isDoubted, busyUntil, sessionWh } from '#charging/ledger/session-energy.ts'
import { findCostSums } from '#charging/costs/costs.ts'
import { readConnectors } from '#charging/chargers/connectors.ts'
import { thousandths } from '#charging/costs/session-cost.ts'
import { route } from '#context.ts'
import { aboutData } from '#readings/file.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import type { Tx } from '#platform/records/records.ts'
import * as column from '#platform/files/columns.ts'
import { sqlRows, selectRows } from '#platform/records/rows.ts'
import { type Column, fileDays, tableFile } from '#platform/files/table-file.ts'

type Days = { fromMs: number; nowMs: number }

const readChargers = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'charger', { enabled: true })
    .select(['charger_id', 'name', 'description', 'connectors', 'online', 'last_seen_at', 'created_at', 'simulated'])
    .orderBy('position')
    .orderBy('charger_id')
    .execute()

type Usage = { charger_id: string; sessions: number; wh: string; busy_s: string; first_at: Date }

const readUsage = async (tx: Tx, customerId: string, { fromMs, nowMs }: Days): Promise<Usage[]> => {
  const [from, now] = [new Date(fromMs), new Date(nowMs)]
  const rows = await sqlRows<Usage>(tx)`
    select s.charger_id,
      count(*) filter (where s.started_at >= ${from})::int as sessions,
      coalesce(sum(${sessionWh}) filter (where s.started_at >= ${from}), 0)::text as wh,
      coalesce(sum(greatest(0, extract(epoch from ${busyUntil(now)} - greatest(s.started_at, ${from})))), 0)::text as busy_s,
      (select min(f.started_at) from charger_transaction f where f.customer_id = ${customerId} and f.charger_id = s.charger_id) as first_at
    from charger_transaction s
    where s.customer_id = ${customerId} and not s.refused and s.started_at < ${now} and (s.ended_at is null or s.ended_at > ${from})
    group by s.charger_id`
  return rows
}

type Day = { day: string; sessions: number; wh: string }

const readDays = (tx: Tx, customerId: string, { fromMs, nowMs }: Days) => sqlRows<Day>(tx)`
    select (s.started_at at time zone ${zone})::date::text as day, count(*)::int as sessions, coalesce(sum(${sessionWh}), 0)::text as wh
    from charger_transaction s
    where s.customer_id = ${customerId} and not s.refused and s.started_at >= ${new Date(fromMs)} and s.started_at <= ${new Date(nowMs)}
    group by 1`

const maxSessions = 20

const findAttention = async (tx: Tx, customerId: string, fromMs: number): Promise<contract.Attention[]> => {
  const rows = await sqlRows<{
    charger_id: string
    name: string
    evse_no: number | null
    transaction_id: string
    started_at: Date
    is_doubted: boolean
    wh: string
  }>(tx)`
    select s.charger_id, c.name, s.evse_no, s.transaction_id, s.started_at, ${isDoubted} as is_doubted,
      coalesce(s.consumption_wh, s.doubted_wh)::text as wh
    from charger_transaction s join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
    where s.customer_id = ${customerId} and ${needsAttention(new Date(fromMs))}
    order by s.started_at desc limit ${maxSessions}`
  return rows.map((row) => ({
    chargerId: row.charger_id,
    name: row.name,
    connectorId: row.evse_no,
    reason: row.is_doubted ? 'energy-doubted' : 'charged-refused',
    detail: String(thousandths(row.wh)),
    transactionId: row.transaction_id,
    since: row.started_at.toISOString(),
  }))
}

const kwh = (wh: string | number) => Math.round(Number(wh)) / 1000

const sumOf = (days: readonly Day[]) => ({
  sessions: days.reduce((sum, day) => sum + day.sessions, 0),
  energyKwh: kwh(days.reduce((sum, day) => sum + Number(day.wh), 0)),
})

type ChargerRow = Awaited<ReturnType<typeof readChargers>>[number]
type Connectors = ReturnType<Awaited<ReturnType<typeof readConnectors>>>

const attentionOf = (row: ChargerRow, connectors: Connectors): contract.Attention[] => {
  const about = { chargerId: row.charger_id, name: row.name }
  const nothing = { connectorId: null, detail: null, transactionId: null }
  if (!row.last_seen_at) return [{ ...about, ...nothing, reason: 'never-connected', since: null }]
  if (!row.online) return [{ ...about, ...nothing, reason: 'offline', since: row.last_seen_at.toISOString() }]
  return connectors
    .filter(({ state }) => state === 'faulted')
    .map(({ connectorId, error, since }) => ({
      ...about,
      connectorId,
      reason: 'faulted' as const,
      detail: error,
      transactionId: null,
      since: since?.toISOString() ?? null,
    }))
}

const monthBefore = (date: LocalDate) => {
  const { fromMs } = monthBounds(localMonthOf(atLocalTime(date, '00:00')))
  const last = addDays(localDateOf(fromMs), -1)
  const startDate = `${last.slice(0, 7)}-01`
  const same = `${last.slice(0, 7)}-${date.slice(8)}`
  return { startDate, endDate: same < last ? same : last }
}

type UsedCharger = { row: ChargerRow; sessions: number; energyKwh: number; utilisation: number | null }

const fileColumns: Column<UsedCharger>[] = [
  column.text('Charger', ({ row }) => row.name, 24),
  column.text('Connection', ({ row }) => (row.online ? 'online' : 'offline')),
  column.text('Charging sessions', ({ sessions }) => sessions),
  column.kwh('Energy', ({ energyKwh }) => energyKwh),
  column.number('Utilisation (%)', 1, ({ utilisation }) => utilisation && Math.round(utilisation * 1000) / 10),
]

const day = column.day<Day>('Date', (one) => one.day)
const sessions = column.decimal<Day>('Charging sessions', (one) => one.sessions, '#,##0')
const energy = column.kwh<Day>('Energy', ({ wh }) => kwh(wh))

/** Files of the days: of one chart, or of both. */
const dayFiles = {
  sessions: { sheet: 'Sessions by day', columns: [day, sessions] },
  energy: { sheet: 'Energy by day', columns: [day, energy] },
  both: { sheet: 'Charging by day', columns: [day, sessions, energy] },
} as const

const utilisationOf = (row: ChargerRow, used: Usage | undefined, { fromMs, nowMs }: Days): number | null => {
  const sinceMs = Math.min(row.created_at.getTime(), used?.first_at.getTime() ?? nowMs)
  const thereMs = nowMs - Math.max(fromMs, sinceMs)
  return thereMs < minuteMs ? null : Math.min(1, (Number(used?.busy_s ?? 0) * 1000) / (thereMs * row.connectors))
}

export const dashboard = route(contract.fleetDashboard, async ({ own, query, nowMs }) => {
  const date = today(nowMs)
  const ofDay = dayBounds(date)
  const lastDays = { fromMs: dayBounds(addDays(date, 1 - query.days)).fromMs, toMs: ofDay.toMs }
  const ownSpan = query.range ? relativeSpan(query.range, nowMs).span : lastDays
  const dates = datesIn(query.range ? ownSpan : readWindow({ start: query.start, end: query.end }, nowMs, ownSpan))
  const [first = date, last = date] = [dates[0], dates.at(-1)]
  // The last millisecond of a window that is over.
  const days = { fromMs: dayBounds(first).fromMs, nowMs: Math.min(nowMs, dayBounds(last).toMs - 1) }
  const monthMs = monthBounds(localMonthOf(nowMs)).fromMs
  const before = monthBefore(date)
  const read = await own(async (tx, customerId) => ({
    chargers: await readChargers(tx, customerId),
    connectorsOf: await readConnectors(tx, customerId),
    usage: new Map((await readUsage(tx, customerId, days)).map((one) => [one.charger_id, one])),
    costs: await findCostSums(tx, customerId, { startDate: localDateOf(monthMs), endDate: date, by: 'charger' }),
    before: await findCostSums(tx, customerId, { ...before, by: 'charger' }),
    attention: await findAttention(tx, customerId, lastDays.fromMs),
    byDay: await readDays(tx, customerId, days),
    today: await readDays(tx, customerId, { fromMs: ofDay.fromMs, nowMs }),
  }))
  const chargers = read.chargers.map((row) => ({ row, connectors: read.connectorsOf(row.charger_id, row.connectors) }))
  const used = (row: ChargerRow) => {
    const usage = read.usage.get(row.charger_id)
    const { sessions = 0, wh = 0 } = usage ?? {}
    return { sessions, energyKwh: kwh(wh), utilisation: utilisationOf(row, usage, days) }
  }
  const simulated = simulatedOf(read.chargers.map((row) => row.simulated))
  const byDay = new Map(read.byDay.map((one) => [one.day, one]))
  if (query.format) {
    const nameOf = (sheet: string) => ({
      fileName: `${sheet} ${fileDays(first, last)}`,
      sheet,
      about: { Period: `${formatDate(first)} to ${formatDate(last)}`, ...aboutData(simulated) },
    })
    if (query.by === 'charger' && !query.chart) {
      const rows = chargers.map(({ row }) => ({ row, ...used(row) }))
      return { file: tableFile(nameOf('Chargers'), fileColumns, rows) }
    }
    const rows = dates.map((day) => byDay.get(day) ?? { day, sessions: 0, wh: '0' })
    const { sheet, columns } = dayFiles[query.chart ?? 'both']
    return { file: tableFile(nameOf(sheet), columns, rows) }
  }
  const x = dates.map((day) => atLocalTime(day, '00:00'))
  const column = (name: string, unit: string, of: (day: Day) => number) => ({
    name,
    unit,
    kind: 'column' as const,
    x,
    y: dates.map((date) => {
      const day = byDay.get(date)
      return day ? of(day) : 0
    }),
  })
  return {
    chargers: chargers.map(({ row, connectors }) => ({
      _id: row.charger_id,
      name: row.name,
      description: row.description,
      meta: { isActive: row.online },
      connectors: connectors.map(({ connectorId, state }) => ({ connectorId, state })),
      ...used(row),
    })),
    attention: [...chargers.flatMap(({ row, connectors }) => attentionOf(row, connectors)), ...read.attention],
    running: chargers.reduce((sum, { connectors }) => sum + connectors.filter(({ session }) => session).length, 0),
    today: sumOf(read.today),
    month: { sessions: read.costs.total.sessions, energyKwh: read.costs.total.kwh },
    costs: read.costs.total,
    before: { until: before.endDate, costs: read.before.total },
    uncounted: read.costs.uncounted,
    sessionsData: [column('Sessions', '', ({ sessions }) => sessions)],
    energyData: [column('Energy', 'kWh', ({ wh }) => kwh(wh))],
    simulated,
  }
})
