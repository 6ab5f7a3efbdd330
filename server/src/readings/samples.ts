import type { ClickHouseClient } from '@clickhouse/client'
import { type Read, columns, instant, int, ints, tsMs, rows } from './sql.ts'
import { dayMs, type Span, minuteMs, hourMs } from '@gridmast/contract/time.ts'

/** Times and values of one series, in order. */
export type Samples = { x: number[]; y: number[] }
export type Sample = { tMs: number; value: number }

export type SamplesQuery = Span & { signalNos: readonly number[] }

/** Samples of each series up to `toMs`, which is earlier than requested when the answer is full. */
export type SamplesAnswer = { toMs: number; series: Map<number, Samples> }

export const samplesPerAnswer = 86_400
/** Ten per second for an hour; of a denser series a shorter time is kept. */
export const maxSamples = 36_000
const longestMs = dayMs
const maxSeries = 1000

export const checkSamplesQuery = ({ signalNos, fromMs, toMs }: SamplesQuery) => {
  if (signalNos.length > maxSeries) throw new RangeError(`At most ${maxSeries} series in one answer`)
  if (toMs - fromMs > longestMs) throw new RangeError('At most 24 hours in one answer')
}

export const readSamples = async (read: Read, { signalNos, fromMs, toMs }: SamplesQuery): Promise<SamplesAnswer> => {
  const series = new Map(signalNos.map((signalNo): [number, Samples] => [signalNo, { x: [], y: [] }]))
  if (signalNos.length === 0 || toMs <= fromMs) return { toMs, series }
  const answer = await read((client) =>
    columns<'signal_no' | 'at' | 'value'>(
      client,
      `select signal_no, ${tsMs} as at, value from gridmast.samples final
       where signal_no in (${ints(signalNos)}) and ts >= ${instant(fromMs)} and ts < ${instant(toMs)}
       order by ts limit ${int(samplesPerAnswer + 1)}`,
    ),
  )
  const at = answer.at ?? []
  // A full answer may end within an instant, which then starts the next answer.
  const endMs = at.length > samplesPerAnswer ? (at.at(-1) ?? toMs) : toMs
  at.forEach((tMs, i) => tMs < endMs && push(series, answer.signal_no?.[i], tMs, answer.value?.[i]))
  return { toMs: endMs, series }
}

/** The stored samples of each series from an instant on; of a very dense one only the newest. */
export const readSince = async (
  client: ClickHouseClient,
  signalNos: readonly number[],
  fromMs: number,
): Promise<Map<number, Samples>> => {
  const answer = await columns<'signal_no' | 'at' | 'value'>(
    client,
    `select signal_no, ${tsMs} as at, value from gridmast.samples final
     where signal_no in (${ints(signalNos)}) and ts >= ${instant(fromMs)} order by signal_no, ts desc limit ${int(maxSamples)} by signal_no`,
  )
  const series = new Map(signalNos.map((signalNo): [number, Samples] => [signalNo, { x: [], y: [] }]))
  const at = answer.at ?? []
  for (let i = at.length - 1; i >= 0; i--) push(series, answer.signal_no?.[i], at[i], answer.value?.[i])
  return series
}

const push = (series: Map<number, Samples>, signalNo = 0, tMs = 0, value = 0) => {
  const one = series.get(signalNo)
  one?.x.push(tMs)
  one?.y.push(value)
}

/** Most series reported within minutes; older spans are read for the others only, so history is never scanned. */
const looksBackMs = [15 * minuteMs, 26 * 60 * minuteMs]

export const readLatest = async (
  client: ClickHouseClient,
  signalNos: readonly number[],
  nowMs: number,
): Promise<Map<number, Sample>> => {
  const latest = new Map<number, Sample>()
  const missing = new Set(signalNos)
  const addRows = (rows: [number, number, number][]) => {
    for (const [signalNo, tMs, value] of rows) {
      latest.set(signalNo, { tMs, value })
      missing.delete(signalNo)
    }
  }
  for (const lookBackMs of looksBackMs)
    if (missing.size > 0) addRows(await newest(client, missing, `ts >= ${instant(nowMs - lookBackMs)}`))
  for (const signalNo of missing) {
    // Reads backwards along the primary key: only the last rows of each part.
    const [last] = await rows<[number]>(
      client,
      `select ${tsMs} from gridmast.samples where signal_no = ${int(signalNo)} order by signal_no desc, ts desc limit 1`,
    )
    if (last) addRows(await newest(client, [signalNo], `ts >= ${instant(last[0])}`))
  }
  return latest
}

const newest = (client: ClickHouseClient, signalNos: Iterable<number>, where: string) =>
  rows<[number, number, number]>(
    client,
    `select signal_no, ${tsMs}, value from gridmast.samples final
     where signal_no in (${ints(signalNos)}) and ${where} order by signal_no, ts desc limit 1 by signal_no`,
  )

export const lastReportedOf = async (
  readings: { latest: (signalNos: readonly number[]) => Promise<Map<number, Sample>> },
  signalNo: number,
): Promise<string | null> => {
  const sample = (await readings.latest([signalNo])).get(signalNo)
  return sample ? new Date(sample.tMs).toISOString() : null
}

/** All samples of a span, over several answers of the store; for spans that fit into memory. A series without a number is empty. */
export const readAllSamples = async (
  source: { samples: (query: SamplesQuery) => Promise<SamplesAnswer> },
  signalNos: readonly (number | undefined)[],
  { fromMs, toMs }: Span,
): Promise<Samples[]> => {
  const nos = signalNos.flatMap((no) => no ?? [])
  const byNo = new Map(nos.map((no): [number, Samples] => [no, { x: [], y: [] }]))
  for (let atMs = fromMs; atMs < toMs && nos.length > 0;) {
    const answer = await source.samples({ signalNos: nos, fromMs: atMs, toMs: Math.min(toMs, atMs + dayMs) })
    for (const [no, { x, y }] of answer.series) {
      const all = byNo.get(no)
      for (let i = 0; all && i < x.length; i++) {
        all.x.push(x[i] ?? 0)
        all.y.push(y[i] ?? 0)
      }
    }
    atMs = answer.toMs
  }
  return signalNos.map((no) => (no === undefined ? undefined : byNo.get(no)) ?? { x: [], y: [] })
}

export type ExportQuery = { signalNos: readonly number[]; fromMs: number; toMs: number }

export type ExportRow = { tMs: number; values: (number | null)[] }

/** Also the memory limit of the store, because the query sorts with a limit. */
const pageSamples = 50_000

/** All samples of a span in order of time, page by page in constant memory. */
export async function* exportRows(client: ClickHouseClient, query: ExportQuery): AsyncGenerator<ExportRow> {
  const { signalNos, fromMs, toMs } = query
  const column = new Map(signalNos.map((signalNo, i) => [signalNo, i]))
  if (column.size === 0) return
  let cursorMs = fromMs
  let stepMs = 6 * hourMs
  while (cursorMs < toMs) {
    const endMs = Math.min(cursorMs + stepMs, toMs)
    const page = await rows<[number, number, number]>(
      client,
      `select ${tsMs} as at, signal_no, value from gridmast.samples final
       where signal_no in (${ints(column.keys())}) and ts >= ${instant(cursorMs)} and ts < ${instant(endMs)}
       order by ts limit ${int(pageSamples + column.size)}`,
    )
    // A full page may end within an instant, which then starts the next page.
    const isFull = page.length === pageSamples + column.size
    const nextMs = isFull ? (page.at(-1)?.[0] ?? endMs) : endMs
    let row: ExportRow | undefined
    for (const [tMs, signalNo, value] of page) {
      if (tMs >= nextMs) break
      if (row?.tMs !== tMs) {
        if (row) yield row
        row = { tMs, values: signalNos.map(() => null) }
      }
      row.values[column.get(signalNo) ?? 0] = value
    }
    if (row) yield row
    cursorMs = nextMs
    if (isFull) stepMs = Math.max(hourMs / 60, stepMs / 2)
    else if (page.length < pageSamples / 4) stepMs = Math.min(400 * dayMs, stepMs * 2)
  }
}
