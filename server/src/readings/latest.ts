import { minuteMs } from '@gridmast/contract/time.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { instant, int, ints, rows, tsMs } from './sql.ts'

export type Sample = { tMs: number; value: number }

/** Most series reported within minutes; older spans are read for the others only, so history is never scanned. */
const looksBackMs = [15 * minuteMs, 26 * 60 * minuteMs]

export const readLatest = async (
  client: ClickHouseClient,
  signalNos: readonly number[],
  nowMs: number,
): Promise<Map<number, Sample>> => {
  const latest = new Map<number, Sample>()
  const missing = new Set(signalNos)
  const take = (found: [number, number, number][]) => {
    for (const [signalNo, tMs, value] of found) {
      latest.set(signalNo, { tMs, value })
      missing.delete(signalNo)
    }
  }
  for (const lookBackMs of looksBackMs)
    if (missing.size > 0) take(await newest(client, missing, `ts >= ${instant(nowMs - lookBackMs)}`))
  for (const signalNo of missing) {
    // Reads backwards along the primary key: only the last rows of each part.
    const [last] = await rows<[number]>(
      client,
      `select ${tsMs} from gridmast.samples where signal_no = ${int(signalNo)} order by signal_no desc, ts desc limit 1`,
    )
    if (last) take(await newest(client, [signalNo], `ts >= ${instant(last[0])}`))
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
