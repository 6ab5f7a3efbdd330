import type { ClickHouseClient } from '@clickhouse/client'
import type { Read } from './sql.ts'
import { dayMs, type Span } from '@gridmast/contract/time.ts'
import { mostSamples, type Samples } from './held-series.ts'
import { columns, instant, int, ints, tsMs } from './sql.ts'

export type SamplesQuery = Span & { signalNos: readonly number[] }

/** Samples of each series up to `toMs`, which is earlier than requested when the answer is full. */
export type SamplesAnswer = { toMs: number; series: Map<number, Samples> }

export const samplesPerAnswer = 86_400
const longestMs = dayMs
const mostSeries = 1000

export const checkSamplesQuery = ({ signalNos, fromMs, toMs }: SamplesQuery) => {
  if (signalNos.length > mostSeries) throw new RangeError(`At most ${mostSeries} series in one answer`)
  if (toMs - fromMs > longestMs) throw new RangeError('At most 24 hours in one answer')
}

export const readSamples = async (read: Read, { signalNos, fromMs, toMs }: SamplesQuery): Promise<SamplesAnswer> => {
  const series = new Map(signalNos.map((signalNo): [number, Samples] => [signalNo, { x: [], y: [] }]))
  if (signalNos.length === 0 || toMs <= fromMs) return { toMs, series }
  const found = await read((client) =>
    columns<'signal_no' | 'at' | 'value'>(
      client,
      `select signal_no, ${tsMs} as at, value from gridmast.samples final
       where signal_no in (${ints(signalNos)}) and ts >= ${instant(fromMs)} and ts < ${instant(toMs)}
       order by ts limit ${int(samplesPerAnswer + 1)}`,
    ),
  )
  const at = found.at ?? []
  // A full answer may end within an instant, which then starts the next answer.
  const endMs = at.length > samplesPerAnswer ? (at.at(-1) ?? toMs) : toMs
  at.forEach((tMs, i) => tMs < endMs && push(series, found.signal_no?.[i], tMs, found.value?.[i]))
  return { toMs: endMs, series }
}

/** The stored samples of each series from an instant on; of a very dense one only the newest. */
export const readSince = async (
  client: ClickHouseClient,
  signalNos: readonly number[],
  fromMs: number,
): Promise<Map<number, Samples>> => {
  const found = await columns<'signal_no' | 'at' | 'value'>(
    client,
    `select signal_no, ${tsMs} as at, value from gridmast.samples final
     where signal_no in (${ints(signalNos)}) and ts >= ${instant(fromMs)} order by signal_no, ts desc limit ${int(mostSamples)} by signal_no`,
  )
  const series = new Map(signalNos.map((signalNo): [number, Samples] => [signalNo, { x: [], y: [] }]))
  const at = found.at ?? []
  for (let i = at.length - 1; i >= 0; i--) push(series, found.signal_no?.[i], at[i], found.value?.[i])
  return series
}

const push = (series: Map<number, Samples>, signalNo = 0, tMs = 0, value = 0) => {
  const one = series.get(signalNo)
  one?.x.push(tMs)
  one?.y.push(value)
}
