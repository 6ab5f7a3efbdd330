import { dayBounds, minuteMs, today } from '@gridmast/contract/time.ts'
import { datasetOf, datasets, type PriceColumns } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import { publishing, type Publishing } from '#connectors/energi-data-service/publishing.ts'
import { entsoeSource } from '#connectors/entsoe/fetch.ts'
import { ratesSource } from '#connectors/exchange-rates/fetch.ts'
import { frequencySource } from '#connectors/statnett-frequency/fetch.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

export type SourceKey = { source: string; dataset: string }

type PriceSeries = { markets: readonly string[]; area: string; product: string; auction: string }

export const entsoeAreas = ['SE1', 'SE2'] as const
export const entsoeDataset = (area: string) => `A44 ${area}`

const nordicAuctions = ['D-1 early', 'D-1 late', 'Total']

export const seriesOf = ({ source, dataset: name }: SourceKey): PriceSeries[] => {
  if (source === entsoeSource)
    return [{ markets: ['day-ahead'], area: name.replace('A44 ', ''), product: '', auction: '' }]
  const dataset = source === sourceName ? datasetOf(name) : null
  if (!dataset) return []
  const { areas, content } = datasets[dataset]
  if (content.kind !== 'prices') return []
  const rowOf = ({ only, product = '' }: PriceColumns) => `${only?.[1] ?? ''} ${product}`
  const rows = [
    ...Map.groupBy(
      content.prices.filter((price) => !price.noneWithout),
      rowOf,
    ).values(),
  ]
  return rows.flatMap((prices) =>
    areas.flatMap((area) =>
      (content.auctionColumn ? nordicAuctions : ['']).map((auction) => ({
        markets: prices.map(({ market }) => market),
        area,
        product: prices[0]?.product ?? '',
        auction,
      })),
    ),
  )
}

export const publishingOf = ({ source, dataset: name }: SourceKey): Publishing | null => {
  const dataset = source === sourceName ? datasetOf(name) : null
  if (dataset) return publishing[dataset]
  if (source === entsoeSource && entsoeAreas.some((area) => name === entsoeDataset(area)))
    return publishing.DayAheadPrices
  if (source === frequencySource)
    return { kind: 'running', lagMs: 5 * minuteMs, everyMs: minuteMs, history: ['2026-01-01'] }
  return null
}

/** End of the data that all series of a dataset have, null while one has none; `newestMs` is the end of the newest data of any. */
export type Coverage = {
  coveredUntilMs: number | null
  newestMs: number | null
  areas: { area: string; coveredUntilMs: number | null }[]
}

type End = { area: string; ends: Date | null }

const allUntil = (ends: readonly End[]): number | null =>
  ends.length > 0 && ends.every((one) => one.ends) ? Math.min(...ends.map((one) => one.ends?.getTime() ?? 0)) : null

const coverageOf = (ends: readonly End[]): Coverage => {
  const endsMs = ends.flatMap((one) => one.ends?.getTime() ?? [])
  return {
    coveredUntilMs: allUntil(ends),
    newestMs: endsMs.length > 0 ? Math.max(...endsMs) : null,
    areas: [...Map.groupBy(ends, ({ area }) => area)]
      .filter(([area]) => area !== '')
      .map(([area, ofArea]) => ({ area, coveredUntilMs: allUntil(ofArea) })),
  }
}

export const findCoverage = async (tx: Tx, key: SourceKey, onlyArea?: string): Promise<Coverage> => {
  const dataset = key.source === sourceName ? datasetOf(key.dataset) : null
  const { areas, content } = dataset ? datasets[dataset] : { areas: ['DK2'], content: null }
  if (key.source === frequencySource || content?.kind === 'samples') {
    const signals = await tx
      .selectFrom('public_signal')
      .select(['area', 'last_reported_at'])
      .where('source', '=', key.source)
      .where('dataset', '=', key.dataset)
      .execute()
    return coverageOf(
      areas.map((area) => ({ area, ends: signals.find((one) => one.area === area)?.last_reported_at ?? null })),
    )
  }
  if (key.source === ratesSource) {
    const newest = await tx
      .selectFrom('exchange_rate')
      .select('day')
      .where('source', '=', key.source)
      .orderBy('day', 'desc')
      .executeTakeFirst()
    return coverageOf(newest ? [{ area: '', ends: new Date(dayBounds(newest.day).toMs) }] : [])
  }
  const series = seriesOf(key).filter(({ area }) => !onlyArea || area === onlyArea)
  const each = series.flatMap(({ markets, ...rest }, no) => markets.map((market) => ({ no, market, ...rest })))
  const column = (name: 'market' | 'area' | 'product' | 'auction') => each.map((one) => one[name])
  const rows = await sqlRows<{ no: number; ends: Date }>(tx)`
    select s.no, max(p.ends) as ends
    from unnest(${each.map(({ no }) => no)}::int[], ${column('market')}::text[], ${column('area')}::text[],
      ${column('product')}::text[], ${column('auction')}::text[]) as s(no, market, area, product, auction),
    lateral (
      select m.starts_at + make_interval(secs => m.duration_s) as ends from market_price m
      where m.market = s.market and m.area = s.area and m.product = s.product and m.auction = s.auction and m.source = ${key.source}
      order by m.starts_at desc limit 1
    ) p group by s.no`
  return coverageOf(series.map(({ area }, no) => ({ area, ends: rows.find((row) => row.no === no)?.ends ?? null })))
}

export const latenessMs = ({ coveredUntilMs, newestMs }: Omit<Coverage, 'areas'>, expectedMs: number, nowMs: number) =>
  newestMs === null ? null : Math.max(0, expectedMs - (coveredUntilMs ?? dayBounds(today(nowMs)).fromMs))
