// A month of 15-minute prices for six areas, parsed and saved as by the feed, against a bare insert of the same rows into the same table.
import { addDays } from '@gridmast/contract/time.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { datasets } from '../server/src/connectors/energi-data-service/datasets.ts'
import { parseBody, type PriceRow } from '../server/src/connectors/energi-data-service/parse.ts'
import { savePrices } from '../server/src/grid/market-data/save-prices.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'

const rounds = 9
const areas = ['DE', 'DK1', 'DK2', 'NO2', 'SE3', 'SE4']
const days = Array.from({ length: 31 }, (_, day) => addDays('2026-10-01', day))
const starts = days.flatMap((date) => slots('quarter', date).map((slot) => slot.fromMs))

const body = () => {
  const records = starts.flatMap((ms, i) =>
    areas.map((area) => ({
      TimeUTC: new Date(ms).toISOString().slice(0, 19),
      PriceArea: area,
      DayAheadPriceEUR: Math.round(8000 * Math.sin(i / 7) + 9000) / 100,
      DayAheadPriceDKK: Math.round(5.9e7 * Math.sin(i / 7) + 6.7e7) / 1e6,
    })),
  )
  return JSON.stringify({ total: records.length, filters: '', limit: 0, dataset: 'DayAheadPrices', records })
}

const text = body()
const asked = { fromMs: starts[0] ?? 0, toMs: (starts.at(-1) ?? 0) + 1, areas }

const read = (): PriceRow[] => {
  const parsed = parseBody(text, datasets.DayAheadPrices, asked)
  if (!parsed.ok) throw new Error(parsed.detail)
  return parsed.prices
}

const bareInsert = (records: Records, rows: PriceRow[]) =>
  records.system(async (tx) => {
    for (let i = 0; i < rows.length; i += 1000) {
      const part = rows.slice(i, i + 1000)
      const column = <K extends keyof PriceRow>(key: K) => part.map((row) => row[key])
      await sql`
        insert into market_price (market, area, product, auction, starts_at, duration_s, price_eur, price_dkk, volume_mw, unit, source, fetched_at)
        select *, 'bench', now() from unnest(
          ${column('market')}::text[], ${column('area')}::text[], ${column('product')}::text[], ${column('auction')}::text[],
          ${part.map((row) => new Date(row.startsAtMs).toISOString())}::timestamptz[], ${column('durationS')}::int[],
          ${column('priceEur')}::numeric[], ${column('priceDkk')}::numeric[], ${column('volumeMw')}::numeric[], ${column('unit')}::text[])`.execute(
        tx,
      )
    }
  })

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const folder = await mkdtemp(join(tmpdir(), 'gridmast-bench-'))
const records = await openRecords({ dataDir: join(folder, 'records') })
await migrate(records)
const empty = () => records.script('truncate market_price, market_price_revision')
const rows = read()
const origin = { source: 'bench', simulated: false }
const ms = { bare: [] as number[], feed: [] as number[], again: [] as number[], parse: [] as number[] }
for (let round = 0; round <= rounds; round++) {
  await empty()
  const bare = await timed(() => bareInsert(records, rows))
  await empty()
  const parse = await timed(async () => read())
  const feed = await timed(() => records.system((tx) => savePrices(tx, read(), origin, Date.now())))
  const again = await timed(() => records.system((tx) => savePrices(tx, read(), origin, Date.now())))
  if (round === 0) continue // warm-up
  for (const [key, value] of Object.entries({ bare, feed, again, parse })) ms[key as keyof typeof ms].push(value) // the same four keys
}
await records.close()
await rm(folder, { recursive: true, force: true })

const [bareMs, feedMs, againMs, parseMs] = [ms.bare, ms.feed, ms.again, ms.parse].map(median)
console.log(
  JSON.stringify({ rows: rows.length, bareMs, feedMs, againMs, parseMs, ratio: (feedMs ?? 0) / (bareMs ?? 1) }),
)
