import type { LiveActivation } from '@gridmast/contract/delivery/events.ts'
import type { App } from '#context.ts'
import { followPorts } from '#delivery/follow.ts'
import { allEdges } from '#delivery/instances/partition.ts'
import { findReportedSince, findSpanRows, findUnfinished, findWatched, type Instance, save } from './detection-rows.ts'
import { judgeRunning } from './delivery-log.ts'
import { type Engine, type Examined, openEventEngine } from './engine.ts'
import type { EventRow, SpanRows } from './examine.ts'
import { toRunning } from './to-event.ts'

const maxLive = 100

type Events = Pick<App, 'records' | 'readings' | 'config' | 'secret' | 'clock' | 'live' | 'bus' | 'log'>
type Running = { instance: Instance; row: EventRow; spanRows: SpanRows }

const openBroadcast = ({ readings, live, clock }: Events) => {
  const lastBroadcast = new Map<string, { instance: Instance; activation: LiveActivation }>()
  const running = new Map<string, Running>()

  const broadcast = async ({ instance, row, spanRows }: Running) => {
    const subject = { ...instance, capacityKw: row.capacity_kw, tests: spanRows.tests }
    const outcome = await judgeRunning(readings, subject, row, row.outcome, clock.now())
    const { instanceId: instance_id, instanceName: instance_name, market, simulated } = instance
    const named = { ...row, instance_id, instance_name, market, simulated }
    const activation = { ...toRunning(named, row, outcome), ended: row.endMs !== null }
    if (activation.ended) lastBroadcast.delete(row.event_id)
    else lastBroadcast.set(row.event_id, { instance, activation })
    live.publish(instance.customerId, 'activation', activation)
  }

  return {
    saved: async (all: readonly Examined<Instance>[]) => {
      for (const { watched, save: rows, remove, spanRows } of all) {
        for (const { event_id } of remove) {
          running.delete(event_id)
          const last = lastBroadcast.get(event_id)
          lastBroadcast.delete(event_id)
          if (last) live.publish(last.instance.customerId, 'activation', { ...last.activation, ended: true })
        }
        for (const row of rows) {
          const one = { instance: watched, row, spanRows }
          if (row.source === 'telemetry' && row.endMs === null) running.set(row.event_id, one)
          else if (running.delete(row.event_id) && live.hasListeners(watched.customerId)) await broadcast(one)
        }
      }
    },
    tick: async (engine: Engine<Instance>) => {
      if (running.size === 0) return
      const watched = engine.running()
      for (const one of [...running.values()].slice(0, maxLive)) {
        const { instance, row } = one
        if (!live.hasListeners(instance.customerId)) continue
        const current = watched.find(
          ({ watched: { instanceId, market }, activation: { direction } }) =>
            instanceId === instance.instanceId && market === instance.market && direction === row.direction,
        )
        const delta_load = Math.max(row.delta_load ?? 0, current?.activation.deltaLoadPct ?? 0)
        if (running.has(row.event_id)) await broadcast({ ...one, row: { ...row, delta_load } })
      }
    },
  }
}

const tickMs = 1000

export const startEvents = async (app: Events, partition = allEdges): Promise<Engine<Instance>> => {
  const { records, bus, log } = app
  const broadcast = openBroadcast(app)
  const engine = await openEventEngine<Instance>({
    ...followPorts(app, 'event_progress', 'events: check failed, will be retried', partition),
    watched: () => records.system((tx) => findWatched(tx, partition)),
    unfinished: () => records.system(findUnfinished),
    reportedSince: (sinceMs) => records.system((tx) => findReportedSince(tx, sinceMs)),
    spanRows: (spans) => records.system((tx) => findSpanRows(tx, spans)),
    save: async (examined) => {
      await save(app, examined)
      await broadcast.saved(examined)
    },
  })
  let broadcasting: Promise<void> | undefined
  const timer = setInterval(() => {
    engine.tick()
    broadcasting ??= broadcast
      .tick(engine)
      .catch((error: unknown) => log.error({ err: error }, 'events: running activations not broadcast'))
      .finally(() => (broadcasting = undefined))
  }, tickMs).unref()
  const stops = [bus.listen('edges', engine.changed), bus.listen('resync', engine.changed)]
  return {
    ...engine,
    close: async () => {
      clearInterval(timer)
      for (const stop of stops) stop()
      await broadcasting
      await engine.close()
    },
  }
}
