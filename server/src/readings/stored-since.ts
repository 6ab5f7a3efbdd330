import type { ClickHouseClient } from '@clickhouse/client'
import { dayMs, hourMs, type Span } from '@gridmast/contract/time.ts'
import { int, ints, rows, tsMs } from './sql.ts'

/** A span of at most 24 hours with stored samples of a series, and their newest version. */
export type StoredRange = Span & { signalNo: number; version: number }

type HourRow = [signalNo: number, hour: number, fromMs: number, toMs: number, version: number]

const longestMs = dayMs
/** Pairs of series and hour per answer of the store. */
const pageHours = 50_000

/**
 * Ranges with samples newer than a version, by series and in order of time; never less than the new ones, possibly more. Rolled-up samples are
 * located by their minutes, a sixtieth of the rows (rollups.md: a minute has the newest version of its samples), the rest by the index over
 * versions.
 */
export async function* storedSince(
  client: ClickHouseClient,
  version: number,
  { rolledVersion, keptSinceMs }: { rolledVersion: number; keptSinceMs: number },
): AsyncGenerator<StoredRange> {
  let after: HourRow | undefined
  let open: StoredRange | undefined
  do {
    const page = await rows<HourRow>(client, newerHours(version, rolledVersion, keptSinceMs, after))
    for (const [signalNo, , fromMs, toMs, newest] of page) {
      const joins =
        open?.signalNo === signalNo && fromMs - open.toMs <= hourMs && toMs - open.fromMs <= longestMs
          ? open
          : undefined
      if (joins) {
        joins.toMs = toMs
        joins.version = Math.max(joins.version, newest)
        continue
      }
      if (open) yield open
      open = { signalNo, fromMs, toMs, version: newest }
    }
    after = page.length === pageHours ? page.at(-1) : undefined
  } while (after)
  if (open) yield open
}

const newerHours = (version: number, rolledVersion: number, keptSinceMs: number, after: HourRow | undefined) => {
  const minuteMs = 'toInt64(toUnixTimestamp(minute)) * 1000'
  const later = (at: string) =>
    after ? `and (signal_no, intDiv(${at}, ${hourMs})) > (${ints([after[0], after[1]])})` : ''
  const rolled = `
    select signal_no, ${minuteMs} as from_ms, from_ms + 60000 as to_ms, version from gridmast.minutes
    where version > ${int(version)} and from_ms >= ${int(keptSinceMs)} ${later(minuteMs)}`
  const raw = `
    select signal_no, ${tsMs} as from_ms, from_ms + 1 as to_ms, version from gridmast.samples
    where version > ${int(Math.max(version, rolledVersion))} ${later(tsMs)}`
  return `
    select signal_no, intDiv(from_ms, ${hourMs}) as hour, min(from_ms), max(to_ms), max(version)
    from (${version < rolledVersion ? `${rolled} union all ${raw}` : raw})
    group by signal_no, hour order by signal_no, hour limit ${pageHours}`
}
