import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { openWriteAheadLog } from './write-ahead-log.ts'
import { backUp } from './backup.ts'
import { DiskNearlyFull, guardDisk } from './disk-guard.ts'
import { eraseSeries } from './erase.ts'
import { defaultFolder, type Engine, openEngine, type Place } from './engine.ts'
import {
  type ExportQuery,
  type ExportRow,
  exportRows,
  readLatest,
  type Sample,
  checkSamplesQuery,
  readSamples,
  readSince,
  type SamplesAnswer,
  type SamplesQuery,
} from './samples.ts'
import type { Points } from './decimate.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { type Freshness, readWindow, windowOf, type WindowQuery } from './window.ts'
import { type Bucket, type IntervalsQuery, readIntervals } from './intervals.ts'
import { openLastHour } from './last-hour.ts'
import { openHeldMinutes } from './minutes.ts'
import { countQuarantined, type QuarantineCount, type Quarantined, storeQuarantined } from './quarantine.ts'
import { openWriter, type Run, type StoredRun } from './writer.ts'
import { openRecent, openRollups, otherWritersUs } from './rollups.ts'
import { type Log, openRetention } from './retention.ts'
import { type Alone, applySchema } from './schema.ts'
import { openPlaces, type Places } from './cluster.ts'
import { ints, rows } from './sql.ts'
import { storedSince, type StoredRange } from './stored-since.ts'

/** Every measured series by signal number; callers resolve that number for a customer first (security rule T3). */
export type Readings = {
  /**
   * Resolves when the values are on disk; the newest call wins on (signal, time). At low load it may wait up to `patienceMs` to share an
   * insert.
   */
  insert: (runs: readonly Run[], patienceMs?: number) => Promise<void>
  /** As `insert`, for a few values with a waiting caller (write-ahead-log.md): their cost is shared over a second. */
  append: (runs: readonly Run[]) => Promise<void>
  window: (query: WindowQuery) => Promise<Points>
  latest: (signalNos: readonly number[]) => Promise<Map<number, Sample>>
  /** All stored samples of at most 24 hours; `SamplesAnswer` defines the end of an answer. */
  samples: (query: SamplesQuery) => Promise<SamplesAnswer>
  /** Reports each group of runs stored by this process, at once and in order of version; answers the unsubscribe function. */
  onStored: (listener: (group: StoredGroup) => void) => () => void
  /** The version up to which all inserts of this process have ended. */
  storedVersion: () => number
  /**
   * On a shared store: samples stored from now on are newer than all that other processes have stored, unless their clocks are minutes ahead.
   */
  followOthers: () => Promise<void>
  /** Ranges with samples stored after a version, by series and in order of time. */
  storedSince: (version: number) => AsyncIterable<StoredRange>
  buckets: (query: IntervalsQuery) => Promise<Bucket[]>
  exportRows: (query: ExportQuery) => AsyncIterable<ExportRow>
  /** Drops months past retention, which also runs four times a day; answers the dropped months. */
  dropOld: () => Promise<string[]>
  quarantine: (messages: readonly Quarantined[]) => Promise<void>
  /** Messages of an edge in quarantine since a time, counted by reason and topic, newest first. */
  quarantined: (edgeKey: string, sinceMs: number) => Promise<QuarantineCount[]>
  /** Rolls up all inserted samples now, after a bulk load and in tests. Reads are correct without it, only slower. */
  rollUp: () => Promise<void>
  /** Copies the embedded store to a new folder during operation; `restoreReadings` fills an empty data folder from it. */
  backup: (folder: string) => Promise<void>
  /** Deletes the series and the quarantined messages of the edges for ever. */
  erase: (signalNos: readonly number[], edgeKeys: readonly string[]) => Promise<void>
  storageBytes: (signalNos: readonly number[]) => Promise<number>
  held: () => { series: number; bytes: number }
  /** The session of background work: for `npm run move`, which copies whole tables. */
  client: ClickHouseClient
  /** Rejects while the store does not answer or refuses writes. */
  ping: () => Promise<void>
  troubles: () => string[]
  brokenParts: () => number
  putAside: () => number
  /** Seconds between the newest stored version and the newest one in the roll-ups. */
  rollupLagS: () => number
  close: () => Promise<void>
}

/** Runs in order of version; `version` is the newest, and all up to it are complete. */
export type StoredGroup = { runs: readonly StoredRun[]; version: number }

type Options = Place & {
  log?: Log | undefined
  /** Retention of raw samples; roll-ups are kept forever. Default: all is kept. */
  retentionDays?: number | undefined
  lastHourBytes?: number
  now?: () => number
  /** Required where several processes may start on one store. */
  alone?: Alone
  rollupRoundMs?: number
  engine?: Engine
  onInsert?: (seconds: number, isStored: boolean) => void
}

export const openReadings = async ({
  log,
  now = Date.now,
  rollupRoundMs,
  retentionDays,
  lastHourBytes = 200_000_000,
  alone = (work) => work(),
  engine: openedEngine,
  onInsert,
  ...place
}: Options): Promise<Readings> => {
  const engine = openedEngine ?? (await openEngine(place))
  if (place.url) await refuseOldServer(engine.write)
  await applySchema(engine.write, alone, place.cluster)
  const places = openPlaces(place.cluster)
  const startVersion = await newestVersion(engine.write)
  const isShared = place.url !== undefined
  const broken = await brokenParts(engine.write, places)
  const brokenText = `Parts of the readings could not be read at start: ${broken.slice(0, 5).join(', ')} (${broken.length} in all)`
  if (broken.length > 0) log?.error({ broken }, brokenText)
  // The disks of a server are monitored by its operator.
  const disk = isShared
    ? undefined
    : await guardDisk({
        folder: place.dataDir ?? defaultFolder,
        minFreeBytes: place.minFreeBytes,
        onChange: async (trouble) => {
          await engine.control.command({ query: `system ${trouble ? 'stop' : 'start'} merges` })
          if (trouble) log?.error({}, trouble)
          else log?.info({}, 'Disk space is sufficient again: telemetry is accepted')
        },
      })
  const needRoom = () => {
    const trouble = disk?.trouble()
    if (trouble) throw new DiskNearlyFull(trouble)
  }
  const recent = openRecent(startVersion)
  const lookUpLatest = (signalNos: readonly number[]) => engine.read((client) => readLatest(client, signalNos, now()))
  // Other processes may write to a shared store, so it answers everything.
  const lastHour = isShared
    ? undefined
    : openLastHour({
        maxBytes: lastHourBytes,
        readSince: (signalNos, fromMs) => readSince(engine.background, signalNos, fromMs),
        lookUp: lookUpLatest,
        now,
        onError: (error) => log?.error({ err: error }, 'last hour not loaded; the store answers until it is'),
      })
  const heldSamples = (signalNo: number, { fromMs, toMs }: Span) => lastHour?.samples(signalNo, fromMs, toMs)
  const minutes = openHeldMinutes({ maxBytes: isShared ? 0 : lastHourBytes / 5, samples: heldSamples })
  const listeners = new Set<(group: StoredGroup) => void>()
  /** Errors of listeners do not fail the insert: the samples are on disk. */
  const safely = (notify: () => void, onFailure?: () => void) => {
    try {
      notify()
    } catch (error) {
      log?.error({ err: error }, 'listener for stored samples failed')
      onFailure?.()
    }
  }
  const writer = openWriter(
    engine.write,
    startVersion,
    {
      queued: (run, version) => recent.note(run, version, rollups.lastKnown()),
      stored: (runs) => {
        safely(() => lastHour?.stored(runs), lastHour?.forgetAll)
        for (const listener of listeners) safely(() => listener({ runs, version: writer.settledVersion() }))
      },
      failed: (runs) => lastHour?.uncertain(runs),
      ended: onInsert,
    },
    now,
  )
  const rollups = await openRollups(engine.background, {
    // An idle process must not delay the roll-ups of other writers.
    settledVersion: () => (isShared && writer.isIdle() ? Infinity : writer.settledVersion()),
    isShared,
    ...(rollupRoundMs === undefined ? {} : { roundMs: rollupRoundMs }),
    now,
    mayWrite: () => !disk?.trouble(),
    recomputed: minutes.recomputed,
    onError: (error) => log?.error({ err: error }, 'roll-ups failed; reads use raw samples until they succeed'),
  })
  const retention = openRetention(engine.control, {
    days: retentionDays,
    places,
    now,
    log,
    onDropped: () => lastHour?.forgetAll(),
    whileRolled: (work) => rollups.paused(async () => work(await rollups.rolledVersion())),
  })
  const freshness = async (): Promise<Freshness> => ({
    keptSinceMs: retention.keptSinceMs(),
    rolledVersion: await rollups.rolledVersion(),
    mayHaveChanged: isShared ? () => true : recent.mayHaveChanged,
    held: heldSamples,
    minutes,
  })
  const insert = async (runs: readonly Run[], patienceMs?: number) => {
    needRoom()
    await writer.insert(runs, patienceMs)
  }
  const writeAheadLog = isShared
    ? {
        append: insert,
        waits: () => false,
        drain: () => Promise.resolve(),
        putAside: () => 0,
        close: () => Promise.resolve(),
      }
    : await openWriteAheadLog({
        folder: join(place.dataDir ?? defaultFolder, 'ahead'),
        insert,
        onError: (error) => log?.error({ err: error }, 'write-ahead log of the readings not drained'),
      })
  /** Reads include every acknowledged sample. */
  const stored = async (signalNos: readonly number[]) => {
    if (writeAheadLog.waits(signalNos)) await writeAheadLog.drain()
  }
  return {
    insert,
    append: async (runs) => {
      needRoom()
      await writeAheadLog.append(runs)
    },
    window: async (query) => {
      await stored([query.signalNo])
      const held = lastHour?.samples(query.signalNo, query.fromMs, query.toMs)
      return held ? windowOf(held, query) : readWindow(engine.read, query, await freshness())
    },
    latest: async (signalNos) => {
      await stored(signalNos)
      return (lastHour?.latest ?? lookUpLatest)(signalNos)
    },
    samples: async (query) => {
      checkSamplesQuery(query)
      await stored(query.signalNos)
      return lastHour?.samplesOf(query) ?? readSamples(engine.read, query)
    },
    onStored: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    storedVersion: writer.settledVersion,
    followOthers: async () => {
      if (isShared) writer.raise(Math.min(await engine.read(newestVersion), now() * 1000 + otherWritersUs))
    },
    storedSince: async function* (version) {
      // An insert of another process may end long after it received its version.
      const since = isShared ? version - otherWritersUs : version
      const keptSinceMs = retention.keptSinceMs()
      const rolledVersion = await rollups.rolledVersion()
      yield* storedSince(engine.background, since, { rolledVersion, keptSinceMs })
    },
    buckets: async (query) => {
      await stored([query.signalNo])
      return readIntervals(engine.read, query, await freshness())
    },
    exportRows: async function* (query) {
      await stored(query.signalNos)
      yield* exportRows(engine.background, query)
    },
    dropOld: retention.drop,
    quarantine: async (messages) => {
      needRoom()
      await storeQuarantined(engine.write, messages)
    },
    quarantined: (edgeKey, sinceMs) => engine.read((client) => countQuarantined(client, edgeKey, sinceMs)),
    rollUp: async () => {
      await writeAheadLog.drain()
      await rollups.drain()
    },
    // Tables are copied one after another: a progress row newer than its roll-ups would hide samples forever.
    backup: async (folder) => {
      needRoom()
      if (isShared) throw new Error('The readings are on a ClickHouse server: back them up there')
      await writeAheadLog.drain()
      await rollups.paused(() => backUp(engine.read, folder))
    },
    client: engine.background,
    erase: async (signalNos, edgeKeys) => {
      await writeAheadLog.drain()
      await rollups.paused(() => eraseSeries(engine.background, places, signalNos, edgeKeys))
      lastHour?.forgetAll()
    },
    storageBytes: (signalNos) => engine.read((client) => readStorageBytes(client, places, signalNos)),
    ping: async () => {
      needRoom()
      await engine.read(async (client) => void (await rows(client, 'select 1')))
    },
    troubles: () =>
      [
        disk?.trouble() ?? [],
        broken.length > 0 ? brokenText : [],
        writeAheadLog.putAside() > 0
          ? `${writeAheadLog.putAside()} files of the write-ahead log could not be stored and are put aside`
          : [],
      ].flat(),
    brokenParts: () => broken.length,
    putAside: writeAheadLog.putAside,
    rollupLagS: rollups.lagS,
    held: () => lastHour?.held() ?? { series: 0, bytes: 0 },
    close: async () => {
      await disk?.close()
      retention.close()
      await writeAheadLog.close()
      await writer.close()
      await lastHour?.close()
      await rollups.close()
      if (!openedEngine) await engine.close()
    },
  }
}

const readStorageBytes = async (
  client: ClickHouseClient,
  places: Places,
  signalNos: readonly number[],
): Promise<number> => {
  const ofSignals = `select count() from gridmast.samples where signal_no in (${ints(signalNos)})`
  const [totals] = await rows<[bytes: number, all: number, ofSignals: number]>(
    client,
    `select sum(bytes_on_disk), sumIf(rows, table = '${places.storedIn('samples')}'), (${ofSignals})
     from ${places.parts} where database = 'gridmast' and active`,
  )
  const [bytes, all, count] = totals ?? [0, 0, 0]
  return all === 0 ? 0 : (bytes * count) / all
}

/** The engine silently sets parts aside that a crash or a full disk made unreadable. */
const brokenParts = async (client: ClickHouseClient, places: Places): Promise<string[]> => {
  const parts = await rows<[table: string, name: string]>(
    client,
    `select table, name from ${places.detachedParts} where database = 'gridmast' and reason like '%broken%' order by table, name`,
  )
  return parts.map(([table, name]) => `${table}/${name}`)
}

/** The oldest release that the client supports. */
const oldestServer = [24, 8] as const

const refuseOldServer = async (client: ClickHouseClient): Promise<void> => {
  const [version = 'unknown'] = (await rows<[string]>(client, 'select version()'))[0] ?? []
  const [year = 0, month = 0] = version.split('.').map(Number)
  const [oldestYear, oldestMonth] = oldestServer
  if (year < oldestYear || (year === oldestYear && month < oldestMonth))
    throw new Error(`ClickHouse ${version} is too old, Gridmast needs ${oldestServer.join('.')} or newer`)
}

/** New versions must exceed every stored one, whatever the clock. */
const newestVersion = async (client: ClickHouseClient): Promise<number> => {
  const [rolled] = await rows<[number]>(client, 'select max(version) from gridmast.rollup_progress')
  const [raw] = await rows<[number]>(
    client,
    `select max(version) from gridmast.samples where version > ${rolled?.[0] ?? 0}`,
  )
  return Math.max(rolled?.[0] ?? 0, raw?.[0] ?? 0)
}
