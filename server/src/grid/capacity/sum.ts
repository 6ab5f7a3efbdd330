import { type MarketId, capacityKind, isMarket } from '@gridmast/contract/markets.ts'
import { can } from '@gridmast/contract/roles.ts'
import { type Span, capacityWindow, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { powerCapacitySum, readyTogether } from '@gridmast/contract/grid/capacity.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import type { Viewer } from '#access/viewer.ts'
import type { Own } from '#platform/http/route.ts'
import type { Tx } from '#platform/records/records.ts'
import { route } from '#context.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import { readingsFile } from '#readings/file.ts'
import { findAllSignals } from '#readings/signals.ts'
import { sqlRows } from '#platform/records/rows.ts'

type Of = { market: MarketId; instanceId?: string | undefined; minuteMs: number }

const sumSoldNow = async (tx: Tx, customerId: string, { market, instanceId, minuteMs }: Of): Promise<number> => {
  const now = new Date(minuteMs)
  // No period is longer than a day of 25 hours: earlier ones are over.
  const since = new Date(minuteMs - 25 * hourMs)
  const rows = await sqlRows<{ kw: number }>(tx)`
    select coalesce(sum(b.won_mw) * 1000, 0)::float8 as kw
    from instance i join bid b on b.customer_id = i.customer_id and b.instance_id = i.instance_id
    where i.customer_id = ${customerId} and i.enabled and b.market = ${market} and b.won
      and b.starts_at > ${since} and b.starts_at <= ${now} and b.ends_at > ${now}
      ${capacityKind(market) === 'capacityUp' ? sql`and b.product not like '%-DEC'` : sql``}
      ${instanceId === undefined ? sql`` : sql`and b.instance_id = ${instanceId}`}`
  return rows[0]?.kw ?? 0
}

export const soldNowOf = async (
  { viewer, readCached, nowMs }: { viewer: Viewer; readCached: Own['readCached']; nowMs: number },
  of: { market: MarketId; instanceId?: string | undefined },
) => (can(viewer, 'bid-request.read') ? readCached(sumSoldNow, { ...of, minuteMs: nowMs - (nowMs % minuteMs) }) : null)

const stepMs = 10_000

type Points = { x: readonly number[]; y: readonly (number | null)[] }

const walk = ({ x, y }: Points) => {
  let next = 0
  let newest: { ms: number; kw: number } | null = null
  return (atMs: number) => {
    for (; next < x.length && (x[next] ?? 0) <= atMs; next++) {
      const [ms, kw] = [x[next], y[next]]
      if (ms !== undefined && kw !== null && kw !== undefined) newest = { ms, kw }
    }
    return newest
  }
}

/**
 * Sum of several series every ten seconds, the last point on the last report; each instance counts with its newest value, and without any the sum is
 * null. The series must begin earlier than the sum, so that its first points have values.
 */
const sumOfPoints = (series: readonly Points[], { fromMs, toMs }: Span): { x: number[]; y: (number | null)[] } => {
  const walks = series.map(walk)
  const x = Array.from({ length: Math.floor((toMs - fromMs) / stepMs) + 1 }, (_, i) => toMs - i * stepMs).toReversed()
  const y = x.map((ms) =>
    readyTogether(
      walks.flatMap((newestAt) => newestAt(ms) ?? []),
      ms,
    ),
  )
  return { x, y }
}

export const capacitySum = route(powerCapacitySum, async ({ app, viewer, readCached, nowMs, query }) => {
  const { market } = query
  if (!isMarket(market)) throw invalid({ market: 'No such market' })
  const kind = capacityKind(market)
  const all = await readCached(findAllSignals)
  const signals = all.filter((one) => one.kind === kind && one.enabled && one.markets.includes(market))
  if (signals.length === 0) throw notFound()
  const latest = await app.readings.latest(signals.map(({ no }) => no))
  const times = [...latest.values()].map(({ tMs }) => tMs)
  const lastMs = times.length > 0 ? Math.max(...times) : null
  const span = capacityWindow(lastMs ?? nowMs)
  const { fromMs, toMs } = span
  if (query.format) return readingsFile(app.readings, { fileName: `Power capacity ${market}`, signals, ...span })
  const read = { fromMs: fromMs - limits.edgeAliveMs, toMs, maxPoints: limits.seriesPoints }
  const series: Points[] = []
  for (const { no } of signals) series.push(await app.readings.window({ signalNo: no, ...read }))
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return {
    graph: [
      { name: market, unit: 'kW', kind: 'line' as const, ...sumOfPoints(series, { fromMs, toMs: lastMs ?? fromMs }) },
    ],
    instances: signals.map(({ instance_id, name, simulated, no }) => {
      const sample = latest.get(no)
      const kw = sample ? readyTogether([{ ms: sample.tMs, kw: sample.value }], nowMs) : null
      return { _id: instance_id, name, simulated, kw, lastReported: iso(sample?.tMs ?? null) }
    }),
    soldKw: await soldNowOf({ viewer, readCached, nowMs }, { market }),
    simulated: simulatedOf(signals.map(({ simulated }) => simulated)),
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    lastReported: iso(lastMs),
  }
})
