import { minuteMs, type Span, dayBounds, today } from '@gridmast/contract/time.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, findRow, insertRows, selectRows } from '#platform/records/rows.ts'
import type { Readings } from '#readings/readings.ts'
import { sql } from 'kysely'
import { isFresh, readSite, type SiteRow } from './site-connectors.ts'
import { wattsOf } from './smart-charging.ts'
import * as contract from '@gridmast/contract/charging/charging-sites.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { type App, route } from '#context.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { notFound } from '#platform/http/errors.ts'
import { readingsFile } from '#readings/file.ts'
import { readMeans } from '#readings/intervals.ts'
import { getSite } from './sites.ts'

const siteKinds = ['limit', 'total', 'held'] as const

const siteSignals = async (tx: Tx, customerId: string, siteId: string) => {
  const rows = await selectRows(tx, customerId, 'charging_site_signal', { site_id: siteId })
    .select(['kind', 'no'])
    .execute()
  const no = (kind: string) => rows.find((row) => row.kind === kind)?.no
  return { limit: no('limit'), total: no('total'), held: no('held') }
}

const heldW = ({ heldA, phases }: SiteRow) => wattsOf(heldA, phases.length)

const allowedSignals = async (tx: Tx, customerId: string, rows: readonly SiteRow[]) => {
  if (rows.length === 0) return new Map<string, number>()
  const signals = rows.map(({ charger_id, evse_no }) => ({
    customer_id: customerId,
    charger_id,
    evse_no,
    kind: 'allowed',
  }))
  await sql`${insertRows('charger_signal', signals)} on conflict do nothing`.execute(tx)
  const numbers = await selectRows(tx, customerId, 'charger_signal', { kind: 'allowed' })
    .select(['charger_id', 'evse_no', 'no'])
    .execute()
  return new Map(numbers.map((one) => [`${one.charger_id} ${one.evse_no}`, one.no]))
}

export const saveSitePower = async (
  { records, readings, clock }: Pick<App, 'records' | 'readings' | 'clock'>,
  customerId: string,
  siteId: string,
) => {
  const nowMs = clock.now()
  const powers = await records.system(async (tx) => {
    const site = await findRow(tx, customerId, 'charging_site', { site_id: siteId }, ['limit_a', 'reserve_a'])
    if (!site) return null
    const kinds = siteKinds.map((kind) => ({ customer_id: customerId, site_id: siteId, kind }))
    await sql`${insertRows('charging_site_signal', kinds)} on conflict do nothing`.execute(tx)
    const rows = await readSite(tx, customerId, siteId, nowMs)
    const nos = await siteSignals(tx, customerId, siteId)
    const drawn = rows.filter((row) => isFresh(row, nowMs))
    const allowed = await allowedSignals(tx, customerId, rows)
    return [
      [nos.limit, wattsOf(site.limit_a - site.reserve_a, 3)] as const,
      [nos.total, drawn.reduce((sum, { measured_w }) => sum + (measured_w ?? 0), 0)] as const,
      [nos.held, rows.reduce((sum, row) => sum + heldW(row), 0)] as const,
      ...rows.map((row) => [allowed.get(`${row.charger_id} ${row.evse_no}`), heldW(row)] as const),
    ]
  })
  if (!powers) return
  // On full minutes, so that several processes write the same sample.
  const t0Ms = Math.floor(nowMs / minuteMs) * minuteMs
  await readings.insert(
    powers.flatMap(([signalNo, watt]) =>
      signalNo === undefined ? [] : [{ signalNo, t0Ms, dtMs: minuteMs, values: [watt] }],
    ),
  )
}

export type Curve = { name: string; unit: string; kind: 'line' | 'step'; x: number[]; y: (number | null)[] }

const freshMs = 3 * minuteMs

const meanOf = ({ y }: Curve): number => y.reduce<number>((sum, kw) => sum + (kw ?? 0), 0) / Math.max(1, y.length)

const addCurves = (curves: readonly Curve[], span: Span): Pick<Curve, 'x' | 'y'> => {
  const count = Math.floor((span.toMs - span.fromMs) / minuteMs)
  const x = Array.from({ length: count }, (_, i) => span.fromMs + (i + 1) * minuteMs)
  const y: (number | null)[] = x.map(() => null)
  for (const curve of curves) {
    let next = 0
    for (const [i, ms] of x.entries()) {
      while (next < curve.x.length && (curve.x[next] ?? Infinity) <= ms) next++
      const at = curve.x[next - 1]
      const kw = at !== undefined && ms - at < freshMs ? (curve.y[next - 1] ?? null) : null
      if (kw !== null) y[i] = (y[i] ?? 0) + kw
    }
  }
  const indices = y.flatMap((kw, i) => (kw === null ? [] : [i]))
  return { x: indices.map((i) => x[i] ?? 0), y: indices.map((i) => y[i] ?? null) }
}

/** The `most` - 1 largest curves in their own order and the sum of all others: the bands still add up to the total of the site. */
export const foldCurves = (curves: readonly Curve[], most: number, span: Span): Curve[] => {
  if (curves.length <= most) return [...curves]
  const kept = new Set(curves.toSorted((a, b) => meanOf(b) - meanOf(a)).slice(0, most - 1))
  const rest = curves.filter((one) => !kept.has(one))
  const others: Curve = { name: 'Other connectors', unit: 'kW', kind: 'line', ...addCurves(rest, span) }
  return [...curves.filter((one) => kept.has(one)), others]
}

/** Recorded every minute, also without a session: its mean of a longer step is right. */
type CurveSignal = { no: number | undefined; name: string; kind: 'line' | 'step'; isSteady?: true }
type Connector = { chargerId: string; connectorId: number }

const signalsOf = (tx: Tx, customerId: string, siteId: string) =>
  tx
    .selectFrom('charger_signal as s')
    .innerJoin('charger as c', onKey('c', 's', 'charger_id'))
    .select(['s.no', 's.kind', 's.charger_id', 's.evse_no', 'c.name', 'c.simulated'])
    .where('s.customer_id', '=', customerId)
    .where('c.site_id', '=', siteId)
    .where('s.evse_no', '>', 0)
    .where('s.kind', 'in', ['power', 'allowed'])
    .orderBy('c.position')
    .orderBy('c.charger_id')
    .orderBy('s.evse_no')
    .execute()

type Signals = Awaited<ReturnType<typeof signalsOf>>

const signalsOfConnector = (signals: Signals, { chargerId, connectorId }: Connector): CurveSignal[] => {
  const of = signals.filter((one) => one.charger_id === chargerId && one.evse_no === connectorId)
  if (of.length === 0) throw notFound()
  const no = (kind: string) => of.find((one) => one.kind === kind)?.no
  return [
    { no: no('allowed'), name: 'Allowed', kind: 'step' },
    { no: no('power'), name: 'Power', kind: 'line' },
  ]
}

const readPoints = (readings: Readings, signalNo: number, { isSteady }: CurveSignal, span: Span) => {
  const stepMs = contract.siteStepMs(span)
  if (stepMs === minuteMs || !isSteady) return readings.window({ signalNo, ...span, maxPoints: limits.defaultPoints })
  const firstMs = Math.floor(span.fromMs / stepMs) * stepMs
  const edges = { length: Math.ceil((span.toMs - firstMs) / stepMs) + 1 }
  return readMeans(
    readings,
    signalNo,
    Array.from(edges, (_, i) => firstMs + i * stepMs),
  )
}

const readCurve = async (readings: Readings, signal: CurveSignal, span: Span) => {
  const { no, name, kind } = signal
  const { x, y } = no === undefined ? { x: [], y: [] } : await readPoints(readings, no, signal, span)
  return { name, unit: 'kW', kind, x, y: y.map((watt) => (watt === null ? null : watt / 1000)) }
}

export const siteChart = route(contract.chargingSiteChart, async ({ app, own, nowMs, params, query }) => {
  const { chargerId, connectorId = 1, format } = query
  const span = readWindow(query, nowMs, dayBounds(today(nowMs)), format ? undefined : limits.chargerDays)
  // A connector is measured during its sessions only: its mean of an hour would be that of its sessions.
  const hasBands = format !== undefined || contract.siteStepMs(span) === minuteMs
  const { site, nos, signals } = await own(async (tx, customerId) => ({
    site: await getSite(tx, customerId, params.id),
    nos: await siteSignals(tx, customerId, params.id),
    signals: await signalsOf(tx, customerId, params.id),
  }))
  const simulated = signals.some((one) => one.simulated)
  const powers = signals.filter(({ kind }) => kind === 'power')
  const drawn: CurveSignal[] = chargerId
    ? signalsOfConnector(signals, { chargerId, connectorId })
    : [
        { no: nos.limit, name: 'Limit', kind: 'step', isSteady: true },
        { no: nos.total, name: 'Total', kind: 'line', isSteady: true },
        { no: nos.held, name: 'Reserved', kind: 'step', isSteady: true },
        ...(hasBands ? powers : []).map(({ no, name, evse_no }) => ({
          no,
          name: `${name} · ${evse_no}`,
          kind: 'line' as const,
        })),
      ]
  if (format) {
    const files = drawn.flatMap(({ no, name }) => (no === undefined ? [] : [{ no, name, unit: 'W', simulated }]))
    return readingsFile(app.readings, { fileName: `Site ${site.name}`, signals: files, ...span })
  }
  const curves = await Promise.all(drawn.map((one) => readCurve(app.readings, one, span)))
  if (chargerId) return { chart: curves.filter(({ x }) => x.length > 0), simulated }
  const [limit, total, held, ...each] = curves
  const always = [limit, total, ...(held && held.x.length > 0 ? [held] : [])].flatMap((one) => one ?? [])
  const nonEmpty = each.filter(({ x }) => x.length > 0)
  return {
    chart: [...always, ...foldCurves(nonEmpty, limits.seriesPerGraph - always.length, span)],
    simulated,
  }
})
