import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { openAhead } from './ahead.ts'
import { backUp } from './backup.ts'
import { DiskNearlyFull, guardDisk } from './disk-guard.ts'
import { defaultFolder, type Engine, openEngine, type Place } from './engine.ts'
import { type ExportQuery, type ExportRow, exportRows } from './export.ts'
import type { Points } from './decimate.ts'
import type { Span } from '@gridmast/contract/time.ts'
import type { Freshness } from './extremes.ts'
import { type Bucket, type IntervalsQuery, readIntervals } from './intervals.ts'
import { openLastHour } from './last-hour.ts'
import { openHeldMinutes } from './minutes.ts'
import { readLatest, type Sample } from './latest.ts'
import { type Quarantined, storeQuarantined } from './quarantine.ts'
import { openRecent } from './recent.ts'
import { type Log, openRetention } from './retention.ts'
import { openRollups, otherWritersUs } from './rollups.ts'
import { checkSamplesQuery, readSamples, readSince, type SamplesAnswer, type SamplesQuery } from './samples.ts'
import { type Alone, applySchema } from './schema.ts'
import { ints, rows } from './sql.ts'
import { storedSince, type StoredRange } from './stored-since.ts'
import { readWindow, windowOf, type WindowQuery } from './window.ts'
import { openWriter, type Run, type StoredRun } from './writer.ts'

/** Every measured series, by the number of its signal. Whoever calls has resolved that number for a customer first (security rule T3). */
export type Readings = {
  /** Resolves when the values are on disk; the newest call wins on (signal, time). With little to do it may take `patienceMs` longer. */
  insert: (runs: readonly Run[], patienceMs?: number) => Promise<void>
  /** The same for a few values that somebody waits for (ahead.md): what they cost is shared with those of a whole second. */
  append: (runs: readonly Run[]) => Promise<void>
  /** At most `maxPoints` points of `[fromMs, toMs)`, nulls inside gaps. */
  window: (query: WindowQuery) => Promise<Points>
  /** The newest sample of each series; a series without any is absent. */
  latest: (signalNos: readonly number[]) => Promise<Map<number, Sample>>
  /** Every sample of at most 24 hours, as it is stored: see `SamplesAnswer` for where the answer ends. */
  samples: (query: SamplesQuery) => Promise<SamplesAnswer>
  /** Tells of every group of runs that this process has stored, at once and in order of versions; answers how to stop that. */
  onStored: (listener: (group: StoredGroup) => void) => () => void
  /** The version up to which every insert of this process has ended. */
  storedVersion: () => number
  /** Where something was stored after a version, by series and in order of time. */
  storedSince: (version: number) => AsyncIterable<StoredRange>
  /** Count, sum, extremes, first and last of each interval between neighbouring edges. */
  buckets: (query: IntervalsQuery) => Promise<Bucket[]>
  /** Every sample of a span, one row an instant, in constant memory. */
  exportRows: (query: ExportQuery) => AsyncIterable<ExportRow>
  /** Drops what is past its retention, which happens four times a day by itself; answers the months that went. */
  dropOld: () => Promise<string[]>
  quarantine: (found: readonly Quarantined[]) => Promise<void>
  /** Rolls up all that has been inserted, now: after a bulk load and for tests. Readers are right without it, only slower. */
  rollUp: () => Promise<void>
  /** Copies the embedded store into a new folder while it works on; `restoreReadings` fills an empty data folder from it. */
  backup: (folder: string) => Promise<void>
  /** Bytes on the disk that the samples of these series take, by their share of all. */
  storageBytes: (signalNos: readonly number[]) => Promise<number>
  /** How much of the last hour is in memory. */
  held: () => { series: number; bytes: number }
  /** Rejects while the store does not answer or takes nothing. */
  ping: () => Promise<void>
  /** Sentences for the operator: no room on the disk, parts that could not be read at start. */
  troubles: () => string[]
  /** Parts of the store that could not be read when it was opened. */
  brokenParts: () => number
  /** Files of the log ahead that were put aside (ahead.md). */
  putAside: () => number
  close: () => Promise<void>
}

/** Runs in the order of their versions, of which `version` is the newest: whoever has seen the group has seen all up to there. */
export type StoredGroup = { runs: readonly StoredRun[]; version: number }

type Options = Place & {
  log?: Log | undefined
  /** Raw samples are kept for so many days, their roll-ups for ever; without it everything is. */
  retentionDays?: number | undefined
  /** How much memory the last hour may take; 0: the store answers everything. */
  lastHourBytes?: number
  now?: () => number
  /** Given where several processes may start on one store. */
  alone?: Alone
  /** How often the roll-up job runs; 0 leaves it to another process. */
  rollupRoundMs?: number
  /** Already open; it stays open when the readings are closed. */
  engine?: Engine
}

export const openReadings = async ({
  log,
  now = Date.now,
  rollupRoundMs,
  retentionDays,
  lastHourBytes = 200_000_000,
  alone = (work) => work(),
  engine: openedEngine,
  ...place
}: Options): Promise<Readings> => {
  const engine = openedEngine ?? (await openEngine(place))
  await applySchema(engine.write, alone)
  const startVersion = await newestVersion(engine.write)
  const isShared = place.url !== undefined
  const broken = await brokenParts(engine.write)
  const brokenText = `Parts of the readings could not be read at start: ${broken.slice(0, 5).join(', ')} (${broken.length} in all)`
  if (broken.length > 0) log?.error({ broken }, brokenText)
  // The disks of a server are its operator's to watch.
  const disk = isShared
    ? undefined
    : await guardDisk({
        folder: place.dataDir ?? defaultFolder,
        minFreeBytes: place.minFreeBytes,
        onChange: async (trouble) => {
          await engine.control.command({ query: `system ${trouble ? 'stop' : 'start'} merges` })
          if (trouble) log?.error({}, trouble)
          else log?.info({}, 'There is room on the disk again: telemetry is taken')
        },
      })
  const needRoom = () => {
    const trouble = disk?.trouble()
    if (trouble) throw new DiskNearlyFull(trouble)
  }
  const recent = openRecent(startVersion)
  const lookUpLatest = (signalNos: readonly number[]) => engine.read((client) => readLatest(client, signalNos, now()))
  // Other processes may write to a shared store, and only the store knows what: there it answers everything.
  const lastHour = isShared
    ? undefined
    : openLastHour({
        mostBytes: lastHourBytes,
        readSince: (signalNos, fromMs) => readSince(engine.background, signalNos, fromMs),
        lookUp: lookUpLatest,
        now,
        onError: (error) => log?.error({ err: error }, 'the last hour was not read; the store answers meanwhile'),
      })
  const heldSamples = (signalNo: number, { fromMs, toMs }: Span) => lastHour?.samples(signalNo, fromMs, toMs)
  const minutes = openHeldMinutes({ mostBytes: isShared ? 0 : lastHourBytes / 5, samples: heldSamples })
  const listeners = new Set<(group: StoredGroup) => void>()
  /** Samples are on disk, whatever whoever is told of them does. */
  const safely = (tell: () => void, ifNot?: () => void) => {
    try {
      tell()
    } catch (error) {
      log?.error({ err: error }, 'whoever was told of stored samples failed')
      ifNot?.()
    }
  }
  const writer = openWriter(engine.write, startVersion, {
    queued: (run, version) => recent.note(run, version, rollups.lastKnown()),
    stored: (runs) => {
      safely(() => lastHour?.stored(runs), lastHour?.forgetAll)
      for (const listener of listeners) safely(() => listener({ runs, version: writer.settledVersion() }))
    },
    failed: (runs) => lastHour?.uncertain(runs),
  })
  const rollups = await openRollups(engine.background, {
    // A process that writes nothing must not hold up the rows of those that do.
    settledVersion: () => (isShared && writer.isIdle() ? Infinity : writer.settledVersion()),
    isShared,
    ...(rollupRoundMs === undefined ? {} : { roundMs: rollupRoundMs }),
    now,
    mayWrite: () => !disk?.trouble(),
    recomputed: minutes.recomputed,
    onError: (error) => log?.error({ err: error }, 'roll-ups failed; readers use raw samples meanwhile'),
  })
  const retention = openRetention(engine.control, {
    days: retentionDays,
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
  const ahead = isShared
    ? {
        append: insert,
        waits: () => false,
        drain: () => Promise.resolve(),
        putAside: () => 0,
        close: () => Promise.resolve(),
      }
    : await openAhead({
        folder: join(place.dataDir ?? defaultFolder, 'ahead'),
        insert,
        onError: (error) => log?.error({ err: error }, 'readings wait in the log ahead of the store'),
      })
  /** Who reads a series has all of it that was acknowledged. */
  const stored = async (signalNos: readonly number[]) => {
    if (ahead.waits(signalNos)) await ahead.drain()
  }
  return {
    insert,
    append: async (runs) => {
      needRoom()
      await ahead.append(runs)
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
    storedSince: async function* (version) {
      // An insert of another process may have ended long after it got its version.
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
    quarantine: async (found) => {
      needRoom()
      await storeQuarantined(engine.write, found)
    },
    rollUp: async () => {
      await ahead.drain()
      await rollups.drain()
    },
    // Tables are copied one after another: a mark of progress newer than its roll-ups would hide samples for ever.
    backup: async (folder) => {
      needRoom()
      if (isShared) throw new Error('The readings are on a ClickHouse server: back them up there')
      await ahead.drain()
      await rollups.paused(() => backUp(engine.read, folder))
    },
    storageBytes: (signalNos) => engine.read((client) => readStorageBytes(client, signalNos)),
    ping: async () => {
      needRoom()
      await engine.read(async (client) => void (await rows(client, 'select 1')))
    },
    troubles: () =>
      [
        disk?.trouble() ?? [],
        broken.length > 0 ? brokenText : [],
        ahead.putAside() > 0 ? `${ahead.putAside()} files of the log ahead could not be stored and are put aside` : [],
      ].flat(),
    brokenParts: () => broken.length,
    putAside: ahead.putAside,
    held: () => lastHour?.held() ?? { series: 0, bytes: 0 },
    close: async () => {
      await disk?.close()
      retention.close()
      await ahead.close()
      await writer.close()
      await lastHour?.close()
      await rollups.close()
      if (!openedEngine) await engine.close()
    },
  }
}

/** Of what the store takes on the disk, the share that these series have of all samples: what others store is nobody else's business. */
const readStorageBytes = async (client: ClickHouseClient, signalNos: readonly number[]): Promise<number> => {
  const own = `select count() from gridmast.samples where signal_no in (${ints(signalNos)})`
  const [found] = await rows<[bytes: number, all: number, own: number]>(
    client,
    `select sum(bytes_on_disk), sumIf(rows, table = 'samples'), (${own})
     from system.parts where database = 'gridmast' and active`,
  )
  const [bytes, all, count] = found ?? [0, 0, 0]
  return all === 0 ? 0 : (bytes * count) / all
}

/** What a crash or a full disk left unreadable is put aside by the engine without a word. */
const brokenParts = async (client: ClickHouseClient): Promise<string[]> => {
  const found = await rows<[table: string, name: string]>(
    client,
    `select table, name from system.detached_parts where database = 'gridmast' and reason like '%broken%' order by table, name`,
  )
  return found.map(([table, name]) => `${table}/${name}`)
}

/** New inserts must get a higher version than anything stored, whatever the clock says. */
const newestVersion = async (client: ClickHouseClient): Promise<number> => {
  const [rolled] = await rows<[number]>(client, 'select max(version) from gridmast.rollup_progress')
  const [raw] = await rows<[number]>(
    client,
    `select max(version) from gridmast.samples where version > ${rolled?.[0] ?? 0}`,
  )
  return Math.max(rolled?.[0] ?? 0, raw?.[0] ?? 0)
}
