import { consumptionStep } from '@gridmast/contract/grid/capacity.ts'
import { type Span, dayBounds, hourMs, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { plausibleWh } from './session-energy.ts'
import type { Tx } from '#platform/records/records.ts'
import * as contract from '@gridmast/contract/charging/ev-charging.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { datesIn, slotsIn } from '@gridmast/contract/slots.ts'
import { route } from '#context.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { getRow, sqlRows, selectRows } from '#platform/records/rows.ts'
import { readingsFile } from '#readings/file.ts'
import type { Readings } from '#readings/readings.ts'
import { getCharger } from '#charging/chargers/fleet.ts'
import { phaseKinds } from './meter-values.ts'

/** Energy of a connector by interval, from its register: see meter-values.md. */

type Connector = { chargerId: string; connectorId: number }
type Point = { atMs: number; wh: number }

export type Registers = {
  /** In order of time, including the last reading before the span. */
  readings: readonly Point[]
  /** Sessions that overlap the span, in order of time; the register may restart with each. */
  sessions: readonly (Point & { isConfirmed: boolean })[]
  maxKw: number
}

const readRegisters = async (
  tx: Tx,
  customerId: string,
  { chargerId, connectorId }: Connector,
  { fromMs, toMs }: Span,
): Promise<Registers> => {
  const [from, to] = [new Date(fromMs), new Date(toMs)]
  const of = sql`customer_id = ${customerId} and charger_id = ${chargerId} and evse_no = ${connectorId}::int`
  const readings = await sqlRows<{ at: Date; wh: string }>(tx)`
    (select at, wh from charger_register where ${of} and at < ${from} order by at desc limit 1)
    union all
    (select at, wh from charger_register where ${of} and at >= ${from} and at < ${to} order by at)`
  const sessions = await sqlRows<{ at: Date; wh: string | null; is_confirmed: boolean }>(tx)`
    select started_at as at, meter_start_wh as wh, coalesce(energy_reviewed_at is not null and consumption_wh = doubted_wh, false) as is_confirmed
    from charger_transaction where ${of} and started_at < ${to} and coalesce(ended_at, 'infinity') >= ${from}
    order by started_at`
  const charger = await getRow(tx, customerId, 'charger', { charger_id: chargerId }, ['max_kw'])
  return {
    readings: readings.map(({ at, wh }) => ({ atMs: at.getTime(), wh: Number(wh) })),
    sessions: sessions.flatMap(({ at, wh, is_confirmed }) =>
      wh === null ? [] : { atMs: at.getTime(), wh: Number(wh), isConfirmed: is_confirmed },
    ),
    maxKw: Number(charger.max_kw),
  }
}

const rises = ({ readings, sessions, maxKw }: Registers): { atMs: number; wh: number }[] => {
  let before: Point | null = null
  let next = 0
  let isConfirmed = false
  return readings.map(({ atMs, wh }) => {
    for (let session = sessions[next]; session && session.atMs <= atMs; session = sessions[++next])
      if (before === null || session.atMs > before.atMs) {
        before = session
        isConfirmed = session.isConfirmed
      }
    const rise = before === null || wh < before.wh ? 0 : wh - before.wh
    const isPossible = isConfirmed || before === null || rise <= plausibleWh(maxKw, atMs - before.atMs)
    before = { atMs, wh }
    return { atMs, wh: isPossible ? rise : 0 }
  })
}

/** The intervals follow each other. */
export const registerKwh = (registers: Registers, intervals: readonly Span[]): (number | null)[] => {
  const points = rises(registers)
  let next = points.findIndex(({ atMs }) => atMs >= (intervals[0]?.fromMs ?? 0))
  return intervals.map(({ toMs }) => {
    let sum: number | null = null
    for (let point = points[next]; point && point.atMs < toMs; point = points[++next]) sum = (sum ?? 0) + point.wh
    // Registers have whole mWh: the sum of floats is rounded to them.
    return sum === null ? null : Math.round(sum * 1000) / 1e6
  })
}

const signalsOf = async (tx: Tx, customerId: string, { chargerId, connectorId }: Connector) => {
  const charger = await getCharger(tx, customerId, chargerId)
  const rows = await selectRows(tx, customerId, 'charger_signal', { charger_id: chargerId, evse_no: connectorId })
    .select(['kind', 'no'])
    .execute()
  const noOf = (kind: string) => rows.find((row) => row.kind === kind)?.no
  const phases = phaseKinds.flatMap((kind, i) => {
    const no = noOf(kind)
    return no === undefined ? [] : [{ no, name: `L${i + 1}` }]
  })
  return { charger, power: noOf('power'), energy: noOf('energy'), soc: noOf('soc'), phases }
}

const columnsOf = (span: Span): Span[] =>
  consumptionStep(span) === 'hour' ? slotsIn('hour', span) : datesIn(span).map(dayBounds)

/** The first interval and the last one of a span begin before and end after it. */
const widened = (span: Span): Span => {
  const intervals = columnsOf(span)
  return { fromMs: intervals[0]?.fromMs ?? span.fromMs, toMs: intervals.at(-1)?.toMs ?? span.toMs }
}

const kwCurve = async (readings: Readings, signalNo: number, span: Span) => {
  const { x, y } = await readings.window({ signalNo, ...span, maxPoints: limits.defaultPoints })
  return { kind: 'line' as const, x, y: y.map((watt) => (watt === null ? null : watt / 1000)) }
}

const powerOf = async (readings: Readings, no: number | undefined, registers: Registers, span: Span) => {
  const curve = no === undefined ? null : await kwCurve(readings, no, span)
  if (curve && curve.x.length > 0) return curve
  const intervals = slotsIn(consumptionStep(span) === 'hour' ? 'quarter' : 'hour', span)
  const kwh = registerKwh(registers, intervals)
  const points = intervals.flatMap(({ fromMs, toMs }, i) =>
    typeof kwh[i] === 'number' ? [{ x: fromMs, y: (kwh[i] * hourMs) / (toMs - fromMs) }] : [],
  )
  return { kind: 'step' as const, x: points.map(({ x }) => x), y: points.map(({ y }) => y) }
}

const phaseCurves = async (readings: Readings, phases: readonly { no: number; name: string }[], span: Span) => {
  const curves = phases.map(async ({ no, name }) => ({ name, unit: 'kW', ...(await kwCurve(readings, no, span)) }))
  return (await Promise.all(curves)).filter(({ x }) => x.length > 0)
}

const lastOf = async (readings: Readings, nos: readonly (number | undefined)[]): Promise<string | null> => {
  const latest = await readings.latest(nos.filter((no) => no !== undefined))
  const newest = Math.max(0, ...[...latest.values()].map(({ tMs }) => tMs))
  return newest > 0 ? new Date(newest).toISOString() : null
}

const overview = route(contract.chargerOverview, async ({ app, own, nowMs, query }) => {
  const span = readWindow(query, nowMs, dayBounds(today(nowMs)), query.format ? undefined : limits.chargerDays)
  const { registers, charger, power, energy, soc, phases } = await own(async (tx, customerId) => ({
    ...(await signalsOf(tx, customerId, query)),
    registers: query.format ? null : await readRegisters(tx, customerId, query, widened(span)),
  }))
  if (!registers) {
    const [no, name, unit] = {
      power: [power, 'Power', 'W'] as const,
      consumption: [energy, 'Energy register', 'Wh'] as const,
      soc: [soc, 'State of charge', '%'] as const,
    }[query.chart]
    const { simulated } = charger
    const ofPhases = query.chart === 'power' ? phases.map((one) => ({ ...one, unit: 'W', simulated })) : []
    const signals = no === undefined ? [] : [{ no, name, unit, simulated }, ...ofPhases]
    return readingsFile(app.readings, { fileName: `${name} ${charger.name}`, signals, ...span })
  }
  const columns = columnsOf(span)
  const battery =
    soc === undefined ? null : await app.readings.window({ signalNo: soc, ...span, maxPoints: limits.defaultPoints })
  return {
    powerData: [
      { name: 'Power', unit: 'kW', ...(await powerOf(app.readings, power, registers, span)) },
      ...(await phaseCurves(app.readings, phases, span)),
    ],
    consumptionData: [
      {
        name: 'Consumption',
        unit: 'kWh',
        kind: 'column' as const,
        x: columns.map(({ fromMs }) => fromMs),
        y: registerKwh(registers, columns),
      },
    ],
    SocData:
      battery && battery.x.length > 0
        ? [{ name: 'State of charge', unit: '%', kind: 'line' as const, ...battery }]
        : [],
    lastReported: await lastOf(app.readings, [power, energy, soc]),
    simulated: charger.simulated,
  }
})

const lastReported = route(contract.chargerLastReported, async ({ app, own, query }) => {
  const { power, energy, soc } = await own((tx, customerId) => signalsOf(tx, customerId, query))
  return { lastReported: await lastOf(app.readings, [power, energy, soc]) }
})

export const overviews = [overview, lastReported]
