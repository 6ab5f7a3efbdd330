import type { LiveActivation } from '@gridmast/contract/delivery/events.ts'
import { ingestClient } from '#config.ts'
import type { App } from '#context.ts'
import {
  findKnown,
  findReportedSince,
  findUnfinished,
  findWatched,
  getProgress,
  type Instance,
  save,
  saveProgress,
} from './detection-rows.ts'
import { type Engine, type Found, openEventEngine, type Ports } from './engine.ts'
import type { Known, Row } from './examine.ts'
import { judgeRunning } from './pieces.ts'
import { toRunning } from './to-event.ts'

const mostLive = 100

type From = Pick<App, 'records' | 'readings' | 'config' | 'secret' | 'clock' | 'live' | 'bus' | 'log'>

const openTelling = ({ readings, live, clock }: From) => {
  const told = new Map<string, { instance: Instance; said: LiveActivation }>()
  const running = new Map<string, { instance: Instance; row: Row; known: Known }>()

  const tell = async ({ instance, row, known }: { instance: Instance; row: Row; known: Known }) => {
    const { customerId, instanceId, instanceName, market, simulated } = instance
    const { capacityKw, deltaLoad } = row
    const subject = { ...instance, capacityKw, tests: known.tests }
    const outcome = await judgeRunning(readings, subject, row, row.outcome, clock.now())
    const named = { _id: row.eventId, market, instanceId, instanceName, simulated, capacityKw, deltaLoad }
    const said = { ...toRunning(named, row, outcome), ended: row.endMs !== null }
    if (said.ended) told.delete(row.eventId)
    else told.set(row.eventId, { instance, said })
    live.publish(customerId, 'activation', said)
  }

  return {
    saved: async (all: readonly Found<Instance>[]) => {
      for (const { watched, save: rows, remove, known } of all) {
        for (const { eventId } of remove) {
          running.delete(eventId)
          const before = told.get(eventId)
          told.delete(eventId)
          if (before) live.publish(before.instance.customerId, 'activation', { ...before.said, ended: true })
        }
        for (const row of rows) {
          const one = { instance: watched, row, known }
          if (row.source === 'telemetry' && row.endMs === null) running.set(row.eventId, one)
          else if (running.delete(row.eventId) && live.hasListeners(watched.customerId)) await tell(one)
        }
      }
    },
    tick: async (engine: Engine<Instance>) => {
      if (running.size === 0) return
      const seen = engine.running()
      for (const one of [...running.values()].slice(0, mostLive)) {
        if (!live.hasListeners(one.instance.customerId)) continue
        const { activation } =
          seen.find(
            ({ watched, activation: { direction } }) =>
              watched.instanceId === one.instance.instanceId &&
              watched.market === one.instance.market &&
              direction === one.row.direction,
          ) ?? {}
        const deltaLoad = Math.max(one.row.deltaLoad ?? 0, activation?.deltaLoadPct ?? 0)
        if (running.has(one.row.eventId)) await tell({ ...one, row: { ...one.row, deltaLoad } })
      }
    },
  }
}

const tickMs = 1000

export const startEvents = async (app: From): Promise<Engine<Instance>> => {
  const { records, readings, bus, clock, log, config } = app
  const telling = openTelling(app)
  const client = ingestClient(config)
  const ports: Ports<Instance> = {
    readings,
    watched: () => records.system(findWatched),
    unfinished: () => records.system(findUnfinished),
    reportedSince: (sinceMs) => records.system((tx) => findReportedSince(tx, sinceMs)),
    known: (asked) => records.system((tx) => findKnown(tx, asked)),
    save: async (found) => {
      await save(app, found)
      await telling.saved(found)
    },
    progress: () => records.system((tx) => getProgress(tx, client)),
    saveProgress: async (version) => void (await records.system((tx) => saveProgress(tx, client, version))),
    now: clock.now,
    onError: (error) => log.error({ err: error }, 'events: check failed, will be retried'),
  }
  const engine = await openEventEngine(ports)
  let telled: Promise<void> | undefined
  const timer = setInterval(() => {
    engine.tick()
    telled ??= telling
      .tick(engine)
      .catch((error: unknown) => log.error({ err: error }, 'events: running activations not published'))
      .finally(() => (telled = undefined))
  }, tickMs).unref()
  const stops = [bus.listen('edges', engine.changed), bus.listen('resync', engine.changed)]
  return {
    ...engine,
    close: async () => {
      clearInterval(timer)
      for (const stop of stops) stop()
      await telled
      await engine.close()
    },
  }
}
