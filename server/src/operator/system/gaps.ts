import { addDays, dayBounds, dayMs, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { datasetOf, datasets, type DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import { expectedUntil } from '#connectors/energi-data-service/publishing.ts'
import { frequencySource } from '#connectors/statnett-frequency/fetch.ts'
import { publishingOf, seriesOf, type SourceKey } from '#grid/published/coverage.ts'
import { sqlRows } from '#platform/records/rows.ts'

export type Gaps = { missing: number; expected: number; examples: { series: string; start_time: string }[] }

const lookBackDays = 30
const longestList = 3

type Series = { market: string; area: string; product: string; auction: string }

export const findGaps = async (
  app: Pick<App, 'records' | 'readings'>,
  key: SourceKey,
  nowMs: number,
): Promise<Gaps | null> => {
  const schedule = publishingOf(key)
  const until = schedule && expectedUntil(schedule, nowMs)
  const dataset = key.source === sourceName ? datasetOf(key.dataset) : null
  if (until === null || key.source === frequencySource) return null
  // Fallback sources of the day-ahead prices use their steps.
  const { content, durationMs } = datasets[dataset ?? 'DayAheadPrices']
  const stepMs = durationMs(until, undefined)
  const span = {
    fromMs: dayBounds(addDays(today(nowMs), -lookBackDays)).fromMs,
    toMs: Math.floor(until / stepMs) * stepMs,
    stepMs,
  }
  if (dataset && content.kind === 'samples') return sampleGaps(app, dataset, content.signal, span)
  const series = seriesOf(key).flatMap(({ markets, ...rest }) => markets.map((market) => ({ market, ...rest })))
  return series.length > 0 ? priceGaps(app, series, span) : null
}

type Steps = { fromMs: number; toMs: number; stepMs: number }

/** Series by series, because the key starts with the series, so that no other history is read. */
const priceGaps = (app: Pick<App, 'records'>, series: Series[], { fromMs, toMs, stepMs }: Steps): Promise<Gaps> =>
  app.records.system(async (tx) => {
    const [from, to] = [new Date(fromMs), new Date(toMs)]
    const column = (key: keyof Series) => series.map((one) => one[key])
    const expectedS = (toMs - fromMs) / 1000
    const rows = await sqlRows<Series & { covered_s: number }>(tx)`
      select s.*, p.covered_s
      from unnest(${column('market')}::text[], ${column('area')}::text[], ${column('product')}::text[], ${column('auction')}::text[])
        as s(market, area, product, auction),
      lateral (
        select coalesce(sum(duration_s), 0)::int as covered_s from market_price m
        where m.market = s.market and m.area = s.area and m.product = s.product and m.auction = s.auction
          and m.starts_at >= ${from} and m.starts_at < ${to}
      ) p`
    const gappy = rows.filter((row) => row.covered_s < expectedS)
    const examples: Gaps['examples'] = []
    for (const { market, area, product, auction } of gappy.slice(0, longestList)) {
      const found = await sql<{ at: Date }>`
        select g.at from generate_series(${from}::timestamptz, ${new Date(toMs - 1)}::timestamptz, ${`${stepMs / 1000} seconds`}::interval) as g(at)
        where not exists (
          select from market_price m
          where m.market = ${market} and m.area = ${area} and m.product = ${product} and m.auction = ${auction}
            and m.starts_at <= g.at and m.starts_at > g.at - interval '1 hour' and m.starts_at + make_interval(secs => m.duration_s) > g.at
        ) order by 1 limit 1`.execute(tx)
      const [first] = found.rows
      if (first)
        examples.push({
          series: [market, area, product, auction].filter(Boolean).join(' '),
          start_time: first.at.toISOString(),
        })
    }
    const missing = gappy.reduce((sum, row) => sum + (expectedS - row.covered_s), 0) / (stepMs / 1000)
    return { missing, expected: (expectedS * series.length) / (stepMs / 1000), examples }
  })

const sampleGaps = async (
  app: Pick<App, 'records' | 'readings'>,
  dataset: DatasetName,
  kind: 'co2' | 'co2Prognosis',
  { fromMs, toMs, stepMs }: Steps,
): Promise<Gaps> => {
  const { areas } = datasets[dataset]
  const signals = await app.records.system((tx) =>
    tx.selectFrom('public_signal').select(['area', 'no']).where('kind', '=', kind).execute(),
  )
  const edgesMs = Array.from({ length: Math.ceil((toMs - fromMs) / dayMs) }, (_, i) => fromMs + i * dayMs).concat(toMs)
  const gaps: Gaps = { missing: 0, expected: (areas.length * (toMs - fromMs)) / stepMs, examples: [] }
  for (const area of areas) {
    const signal = signals.find((one) => one.area === area)
    const days = signal ? await app.readings.buckets({ signalNo: signal.no, edgesMs }) : []
    edgesMs.slice(0, -1).forEach((edgeMs, i) => {
      const missing = ((edgesMs[i + 1] ?? toMs) - edgeMs) / stepMs - (days[i]?.count ?? 0)
      if (missing <= 0) return
      gaps.missing += missing
      if (gaps.examples.length < longestList && !gaps.examples.some((one) => one.series === `${kind} ${area}`))
        gaps.examples.push({ series: `${kind} ${area}`, start_time: new Date(edgeMs).toISOString() })
    })
  }
  return gaps
}
