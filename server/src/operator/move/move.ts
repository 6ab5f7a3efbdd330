import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import { z } from 'zod'
import { needRoom } from '#operator/backup/room.ts'
import { differenceOf, takeStock } from '#operator/backup/stock.ts'
import type { OutputLine } from '#operator/output-line.ts'
import { isFull, namingSetting } from '#platform/http/errors.ts'
import { openRecords, type Records } from '#platform/records/records.ts'
import { clusterName } from '#readings/cluster.ts'
import { openEngine } from '#readings/engine.ts'
import { openReadings } from '#readings/readings.ts'
import { applySchema } from '#readings/schema.ts'
import { rows } from '#readings/sql.ts'
import { checkTargetReadings, compareReadings, copyReadings, finishReadings } from './readings.ts'
import {
  completeTable,
  copyTable,
  findTables,
  finishTarget,
  isPrepared,
  openProgress,
  prepareTarget,
} from './records.ts'

/** Addresses of a PostgreSQL and a ClickHouse server, and the cluster of the second. */
export const servers = z.strictObject({
  records: z.string(),
  readings: z.url({ protocol: /^https?$/ }),
  cluster: clusterName.optional(),
})
export type Servers = z.infer<typeof servers>

export type MoveStores = { records: Records; readings: ClickHouseClient }

type OpenStores = MoveStores & { close: () => Promise<void> }

const movedName = 'moved.json'

/** Lock number; any constant will do. */
const schemaLock = 7_305_004

const applicationName = 'gridmast-move'

const openServers = async (at: Servers, names: { records: string; readings: string }): Promise<OpenStores> => {
  const url = `${at.records}${at.records.includes('?') ? '&' : '?'}application_name=${applicationName}`
  const records = await openRecords({ url, connections: 2 })
  try {
    await namingSetting(names.records, records.ping())
    const engine = await openEngine({ url: at.readings, cluster: at.cluster })
    const applying = applySchema(engine.write, (work) => records.alone(schemaLock, work), at.cluster)
    await namingSetting(names.readings, applying).catch(async (error: unknown) => {
      await engine.close()
      throw error
    })
    return {
      records,
      readings: engine.background,
      close: async () => {
        await engine.close()
        await records.close()
      },
    }
  } catch (error) {
    await records.close()
    throw error
  }
}

/** The embedded stores of a folder without a server. Samples that waited in the write-ahead log are stored and rolled up first. */
const openFolder = async (dataDir: string): Promise<OpenStores> => {
  const records = await openRecords({ dataDir: join(dataDir, 'records') })
  const readings = await openReadings({ dataDir: join(dataDir, 'readings'), rollupRoundMs: 0 })
  await readings.rollUp()
  return {
    records,
    readings: readings.client,
    close: async () => {
      await readings.close()
      await records.close()
    },
  }
}

const count = (n: number, what: string) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`

/** One round: what was written since the last one. Answers how many rows and samples. */
const copyRound = async function* (from: MoveStores, to: MoveStores): AsyncGenerator<OutputLine, number> {
  const tables = await findTables(from.records)
  const progress = openProgress(to.records)
  let rows = 0
  for (const table of tables) {
    const copied = await copyTable(from.records, to.records, table, progress)
    rows += copied
    if (copied >= 10_000) yield { text: `${table.name}: ${count(copied, 'row')}` }
  }
  const { samples } = await copyReadings(from.readings, to.readings, progress)
  yield { text: `Copied ${count(rows, 'row')} and ${count(samples, 'sample')}` }
  await compareReadings(from.readings, to.readings, progress, { isLast: false })
  return rows + samples
}

const prepare = async (from: MoveStores, to: MoveStores): Promise<OutputLine> => {
  const isContinued = await prepareTarget(from.records, to.records, await findTables(from.records))
  if (!isContinued) await checkTargetReadings(to.readings)
  return { text: isContinued ? 'The move continues' : 'The target is empty and prepared' }
}

const explainFullDisk = (error: unknown): never => {
  if (!isFull(error)) throw error
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(
    `The move stopped, the disk of a store is full (${reason}). The source is unchanged: make room, and run the command again`,
    { cause: error },
  )
}

const openTarget = (at: Servers): Promise<OpenStores> =>
  openServers(at, { records: '--to-records', readings: '--to-readings' }).catch(explainFullDisk)

/** A round that copies less than this is followed by no other: the last one, without the server, takes seconds. */
const fewRows = 20_000
const maxRounds = 5

/** Copies the stores of a running server, which stays in use, in rounds; the last round follows when it is stopped. */
export const moveWhileServing = async function* (from: MoveStores, at: Servers): AsyncGenerator<OutputLine> {
  const to = await openTarget(at)
  try {
    yield await prepare(from, to)
    for (let round = 0; round < maxRounds; round++) if ((yield* copyRound(from, to)) < fewRows) break
    yield { text: 'Now stop the server and run the same command again: what has been written since follows.' }
  } catch (error) {
    explainFullDisk(error)
  } finally {
    await to.close()
  }
}

/** `onEqual` is called before the target becomes usable. */
const complete = async function* (
  from: MoveStores,
  to: MoveStores,
  onEqual: () => Promise<void>,
): AsyncGenerator<OutputLine> {
  yield* copyRound(from, to)
  const progress = openProgress(to.records)
  const tables = await findTables(from.records)
  let rows = 0
  for (const table of tables) rows += await completeTable(from.records, to.records, table, progress)
  const samples = await compareReadings(from.readings, to.readings, progress, { isLast: true })
  const stock = await takeStock(from.records)
  const difference = differenceOf(stock, await takeStock(to.records))
  if (difference) throw new Error(`Not moved: ${difference}`)
  await onEqual()
  await finishReadings(from.readings, to.readings)
  await finishTarget(from.records, to.records)
  yield {
    text: `Moved and compared: ${count(rows, 'row')} of ${tables.length} tables, ${count(samples, 'sample')}, the audit trails of ${count(Object.keys(stock.trails).length, 'customer')}.`,
  }
}

/** The last round, in a folder that this process has locked. Afterwards a server with embedded stores refuses the folder. */
export const moveToServers = async function* (dataDir: string, at: Servers, nowMs: number): AsyncGenerator<OutputLine> {
  if (!existsSync(join(dataDir, 'records'))) throw new Error(`${dataDir} has no data to move`)
  const moved = join(dataDir, movedName)
  const to = await openTarget(at)
  try {
    // With the file and an unfinished target the last move was interrupted at its end.
    if (existsSync(moved) && !(await isPrepared(to.records))) throw new Error(movedText(dataDir))
    const from = await openFolder(dataDir)
    try {
      yield await prepare(from, to)
      yield* complete(from, to, () =>
        writeFile(moved, `${JSON.stringify({ movedAt: new Date(nowMs).toISOString() })}\n`),
      )
    } finally {
      await from.close()
    }
  } catch (error) {
    explainFullDisk(error)
  } finally {
    await to.close()
  }
  yield {
    text: 'Set DATABASE_URL and CLICKHOUSE_URL to these servers, keep DATA_DIR with its secret.key, and start the server.',
  }
}

/** As stored there; the embedded stores need no more. */
const bytesOf = async ({ records, readings }: MoveStores): Promise<number> => {
  const size = await records.owner((db) =>
    sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db),
  )
  const [parts] = await rows<[number]>(
    readings,
    "select sum(bytes_on_disk) from system.parts where active and database = 'gridmast'",
  )
  return (size.rows[0]?.bytes ?? 0) + (parts?.[0] ?? 0)
}

/** Fills the embedded stores of DATA_DIR from servers that no process uses. */
export const moveToFolder = async function* (
  dataDir: string,
  at: Servers,
  minFreeBytes?: number,
): AsyncGenerator<OutputLine> {
  const names = { records: '--from-records', readings: '--from-readings' }
  const from = await openServers(at, names).catch(explainFullDisk)
  try {
    const others = await from.records.owner((db) =>
      sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and application_name <> ${applicationName}`.execute(
        db,
      ),
    )
    const open = others.rows[0]?.count ?? 0
    if (open > 0) throw new Error(`The database has ${count(open, 'other connection')}: end all servers first`)
    await mkdir(join(dataDir, 'readings'), { recursive: true, mode: 0o700 })
    await needRoom('The move', { folder: dataDir, bytes: await bytesOf(from), minFreeBytes })
    const to = await openFolder(dataDir)
    try {
      yield await prepare(from, to)
      yield* complete(from, to, () => rm(join(dataDir, movedName), { force: true }))
    } finally {
      await to.close()
    }
  } catch (error) {
    explainFullDisk(error)
  } finally {
    await from.close()
  }
  yield { text: 'Start the server without DATABASE_URL and CLICKHOUSE_URL.' }
}

const movedText = (dataDir: string) =>
  `The data of ${dataDir} was moved to servers: set DATABASE_URL and CLICKHOUSE_URL. To go on with the older data of this folder, delete ${join(dataDir, movedName)}.`

/** Two servers must not go on from one state of the data. */
export const refuseMoved = (dataDir: string): void => {
  if (existsSync(join(dataDir, movedName))) throw new Error(movedText(dataDir))
}
