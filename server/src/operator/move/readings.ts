import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { int, rows } from '#readings/sql.ts'
import type { Progress } from './records.ts'

/* Copies samples and roll-ups from one readings store to another, in rounds by version: each sample has the time of its arrival as version, and
   both tables keep the newest version of a key, so a repeated piece changes nothing. */

/** Samples of one insert into the target. */
const samplesAtOnce = 500_000

type Copied = { name: 'samples' | 'minutes'; at: 'ts' | 'minute' }

const samples: Copied = { name: 'samples', at: 'ts' }
const minutes: Copied = { name: 'minutes', at: 'minute' }

type Piece = { day: number; firstSignalNo: number; lastSignalNo: number; count: number }

/** Days, and ranges of signals within them, of at most `samplesAtOnce` rows; one signal has at most 86,400 a day at 1 Hz. */
const findPieces = async (from: ClickHouseClient, { name, at }: Copied, newer: string): Promise<Piece[]> => {
  const counts = await rows<[day: number, signalNo: number, count: number]>(
    from,
    `select intDiv(toUnixTimestamp(${at}), 86400) as day, signal_no, count() from gridmast.${name} where ${newer}
     group by day, signal_no order by day, signal_no`,
  )
  const pieces: Piece[] = []
  for (const [day, signalNo, count] of counts) {
    const last = pieces.at(-1)
    if (last?.day === day && last.count + count <= samplesAtOnce) {
      last.lastSignalNo = signalNo
      last.count += count
    } else pieces.push({ day, firstSignalNo: signalNo, lastSignalNo: signalNo, count })
  }
  return pieces
}

const copyRows = async (from: ClickHouseClient, to: ClickHouseClient, table: string, where: string) => {
  const read = await from.query({ query: `select * from gridmast.${table} where ${where}`, format: 'TabSeparated' })
  const values = await read.text()
  if (values === '') return
  await to.insert({
    table: `gridmast.${table}`,
    values: Readable.from([values], { objectMode: false }),
    format: 'TabSeparated',
  })
}

/** A small table. */
const copyWhole = async (from: ClickHouseClient, to: ClickHouseClient, table: string) => {
  const read = await from.query({ query: `select * from gridmast.${table}`, format: 'JSONEachRow' })
  const values = await read.json()
  if (values.length > 0) await to.insert({ table: `gridmast.${table}`, values, format: 'JSONEachRow' })
}

/** Copies the rows with a version in (`since`, `upTo`]; answers how many. */
const copyTable = async (
  from: ClickHouseClient,
  to: ClickHouseClient,
  table: Copied,
  { since, upTo }: { since: number; upTo: number },
): Promise<number> => {
  const newer = `version > ${int(since)} and version <= ${int(upTo)}`
  let copied = 0
  for (const { day, firstSignalNo, lastSignalNo, count } of await findPieces(from, table, newer)) {
    const [start, end] = [day, day + 1].map((one) => `toDateTime(${int(one * 86_400)}, 'UTC')`)
    const where = `signal_no >= ${int(firstSignalNo)} and signal_no <= ${int(lastSignalNo)} and ${table.at} >= ${start} and ${table.at} < ${end}`
    await copyRows(from, to, table.name, `${where} and ${newer}`)
    copied += count
  }
  return copied
}

const newestVersion = async (client: ClickHouseClient, table: string) => {
  const [row] = await rows<[number]>(client, `select max(version) from gridmast.${table}`)
  return row?.[0] ?? 0
}

/**
 * Copies what was stored since the last round. A minute that is rolled up later has a version above the progress of the roll-ups, so progress is
 * read before the minutes.
 */
export const copyReadings = async (
  from: ClickHouseClient,
  to: ClickHouseClient,
  progress: Progress,
): Promise<{ samples: number; minutes: number }> => {
  const sinceOf = async (table: string) => Number((await progress.read(`readings ${table}`)) ?? 0)
  const upTo = await newestVersion(from, 'samples')
  const copiedSamples = await copyTable(from, to, samples, { since: await sinceOf('samples'), upTo })
  await progress.save('readings samples', String(upTo))
  const rolled = await newestVersion(from, 'rollup_progress')
  const newestMinute = await newestVersion(from, 'minutes')
  const copiedMinutes = await copyTable(from, to, minutes, { since: await sinceOf('minutes'), upTo: newestMinute })
  await progress.save('readings minutes', String(rolled))
  return { samples: copiedSamples, minutes: copiedMinutes }
}

type Month = { month: number; count: number; hash: string }

/** Count and sum of hashes of the samples of each month, as they are read: the newest version of each. */
const sumMonth = async (client: ClickHouseClient, table: Copied, month: number, columns: string): Promise<Month> => {
  const [row] = await rows<[count: number, hash: string]>(
    client,
    `select count(), toString(sum(cityHash64(${columns}))) from gridmast.${table.name} final where toYYYYMM(${table.at}) = ${int(month)}`,
  )
  return { month, count: row?.[0] ?? 0, hash: row?.[1] ?? '' }
}

const monthsOf = async (client: ClickHouseClient, { name, at }: Copied, newer: string): Promise<number[]> => {
  const found = await rows<[number]>(
    client,
    `select distinct toYYYYMM(${at}) as month from gridmast.${name} where ${newer} order by month`,
  )
  return found.map(([month]) => month)
}

const columnsOf = (table: Copied) =>
  table.name === 'samples'
    ? 'signal_no, toUnixTimestamp64Milli(ts), value'
    : 'signal_no, toUnixTimestamp(minute), count, sum, min, max, first, last'

/**
 * Compares each month that has rows newer than its last comparison, so that the last round reads the current month only. Answers the number of
 * samples; a month that differs throws, or is left for the next comparison while a server still writes.
 */
export const compareReadings = async (
  from: ClickHouseClient,
  to: ClickHouseClient,
  progress: Progress,
  { isLast }: { isLast: boolean },
): Promise<number> => {
  let count = 0
  for (const table of [samples, minutes]) {
    const upTo = await newestVersion(from, table.name)
    const part = `compared ${table.name}`
    const since = Number((await progress.read(part)) ?? 0)
    const changed = new Set(await monthsOf(from, table, `version > ${int(since)}`))
    for (const month of await monthsOf(from, table, '1')) {
      const kept = `${part} ${month}`
      const before = changed.has(month) ? null : await progress.read(kept)
      if (before !== null) {
        if (table === samples) count += Number(before)
        continue
      }
      const [source, target] = [
        await sumMonth(from, table, month, columnsOf(table)),
        await sumMonth(to, table, month, columnsOf(table)),
      ]
      const isEqual = source.count === target.count && source.hash === target.hash
      if (!isEqual && isLast)
        throw new Error(
          `${table.name} of ${month} are not equal after the move: ${source.count} rows, and ${target.count} in the target`,
        )
      if (isEqual) await progress.save(kept, String(source.count))
      else await progress.forget(kept)
      if (table === samples) count += source.count
    }
    await progress.save(part, String(upTo))
  }
  return count
}

/** After the last round: the roll-ups continue where they were, and the quarantined messages of the last 30 days follow. */
export const finishReadings = async (from: ClickHouseClient, to: ClickHouseClient): Promise<void> => {
  const [quarantined] = await rows<[number]>(to, 'select count() from gridmast.quarantine')
  if (quarantined?.[0] === 0) await copyWhole(from, to, 'quarantine')
  await copyWhole(from, to, 'rollup_progress')
}

/** Throws when the target has samples of its own. */
export const checkTargetReadings = async (to: ClickHouseClient): Promise<void> => {
  const [row] = await rows<[number]>(to, 'select count() from gridmast.samples')
  if (row?.[0] !== 0) throw new Error('The target has samples: move into an empty readings store')
}
