// History of samples, settlements and bids × 1, 10 and 100 on the embedded stores: CPU and bytes of the calls that read them, and their disk.
import type { CallShape } from '@gridmast/contract/call.ts'
import { frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { findSettlements } from '@gridmast/contract/settlement/economics.ts'
import { addDays, dayBounds, dayMs } from '@gridmast/contract/time.ts'
import { soldCapacity } from '@gridmast/contract/trading/bid-basis.ts'
import { sql } from 'kysely'
import { settleDue } from '../server/src/settlement/economics/settle-due.ts'
import { openTestApp } from '../server/src/testing/app.ts'
import { frequencySignalOf } from './frequency-signal.ts'
import { sizesOf } from './growth-rows.ts'
import { copySettlements, fillSettled } from './settlement-rows.ts'

const times = sizesOf([1, 10, 100])
const products = ['FCR-D-INC', 'FCR-D-DEC']
const instances = 10
const days = Array.from({ length: 60 }, (_, i) => addDays('2026-08-02', i))
const [month, date] = [{ startDate: '2026-09-01', endDate: '2026-09-30' }, '2026-09-15']
const signals = 2
const rounds = 10

const app = await openTestApp()
app.setNow('2026-10-20T12:00:00Z')

type Point = { size: number; costs: Record<string, number> }

const asked = async (call: CallShape, options: { params?: Record<string, string>; query: Record<string, string> }) => {
  const token = await app.tokenOf('sudoer@north.example')
  const once = async () => {
    const { status, text } = await app.ask(call, { token, ...options })
    if (status !== 200) throw new Error(`${call.path} was answered ${status}: ${text.slice(0, 200)}`)
    return Buffer.byteLength(text)
  }
  for (let round = 0; round < rounds; round++) await once()
  const before = process.cpuUsage()
  let bytes = 0
  for (let round = 0; round < rounds; round++) bytes = await once()
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1000 / rounds, bytes }
}

const samples = async (): Promise<Point[]> => {
  const signal = await frequencySignalOf(app)
  const points: Point[] = []
  const { fromMs } = dayBounds(date)
  const values = (seed: number) =>
    Array.from(
      { length: 86_400 },
      (_, i) => Math.round(50_000 + 20 * Math.sin(i / 300) + ((i * 7919 + seed) % 20)) / 1000,
    )
  const nos = Array.from({ length: signals }, (_, i) => signal.no + i)
  let stored = 0
  for (const count of times) {
    for (; stored < count; stored++)
      for (let i = 0; i < signals; i++)
        await app.readings.insert([
          { signalNo: signal.no + i, t0Ms: fromMs - stored * dayMs, dtMs: 1000, values: values(stored + i) },
        ])
    await app.readings.rollUp()
    const chart = await asked(frequencySeries, { params: { id: signal.frequency_id }, query: { date } })
    points.push({
      size: count * signals * 86_400,
      costs: {
        sampleChartMs: chart.ms,
        sampleAnswerBytes: chart.bytes,
        sampleBytes: await app.readings.storageBytes(nos),
      },
    })
  }
  return points
}

const counted = async (table: 'settlement' | 'bid') => {
  await app.records.script(`vacuum analyze ${table}`)
  const { rows } = await app.records.owner((db) =>
    sql<{ rows: number; bytes: number; wal: number }>`
      select (select count(*)::int from ${sql.table(table)}) as rows, pg_total_relation_size(${table}::regclass)::float as bytes,
        (pg_current_wal_insert_lsn() - '0/0')::float as wal`.execute(db),
  )
  if (!rows[0]) throw new Error('unreachable: a select without a table has a row')
  return rows[0]
}

const money = async (): Promise<Point[]> => {
  await fillSettled(app, days, products, instances)
  await settleDue(app, 0)
  const points: Point[] = []
  let [copies, wal] = [0, 0]
  for (const count of times) {
    const before = await counted('settlement')
    await copySettlements(app, days, count, { firstCopy: copies, daysAtOnce: days.length })
    const written = await app.records.owner((db) =>
      sql<{ wal: number }>`select (pg_current_wal_insert_lsn() - '0/0')::float as wal`.execute(db),
    )
    wal += (written.rows[0]?.wal ?? 0) - before.wal
    for (; copies < count; copies++)
      if (copies > 0)
        await app.records.system((tx) =>
          sql`
            insert into bid select (jsonb_populate_record(b, jsonb_build_object('day', b.day - ${copies * days.length}::int,
              'starts_at', b.starts_at - ${copies * days.length} * interval '1 day', 'ends_at', b.ends_at - ${copies * days.length} * interval '1 day'))).*
            from bid b where b.day between ${days[0]} and ${days.at(-1)}`.execute(tx),
        )
    const [settlements, bids] = [await counted('settlement'), await counted('bid')]
    const page = await asked(findSettlements, { query: month })
    const sold = await asked(soldCapacity, { query: { market: 'FCR-D-INC', date } })
    points.push({
      size: settlements.rows,
      costs: {
        settlementBytes: settlements.bytes,
        settlementWalBytes: wal,
        settlementPageMs: page.ms,
        settlementAnswerBytes: page.bytes,
      },
    })
    points.push({ size: bids.rows, costs: { bidBytes: bids.bytes, bidPageMs: sold.ms, bidAnswerBytes: sold.bytes } })
  }
  return points
}

try {
  console.log(JSON.stringify({ points: [...(await money()), ...(await samples())] }))
} finally {
  await app.close()
}
process.exit(0)
