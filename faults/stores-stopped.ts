import { setTimeout as pause } from 'node:timers/promises'
import { valueOf, watchAlarm } from './alarms.ts'
import { openChanges } from './changes.ts'
import { openEdge } from './edges.ts'
import { type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { signalFamily, until } from './processes.ts'

/** Longest time until a call is answered while a store does not answer: `connectionTimeoutMillis` of the pool. */
const longestCallS = 30

export const storesStopped: Drill = {
  name: 'stores-stopped',
  short: true,
  run: ({ short }) =>
    withStoresAnd(mosquitto, async ({ start, provision, readings, postgres, broker }) => {
      const [web, ingest] = [await start('web', 'web,jobs'), await start('ingest', 'ingest')]
      await provision('demo/world.yaml')
      const stopped = async (store: string, part: string, pid: number | undefined) => {
        const ready = `gridmast_part_ready{part="${part}"}`
        const edge = await openEdge(broker.urlOf('edge-lab'), 'edge-lab', 'lab')
        const changes = await openChanges(web, part)
        const alarm = watchAlarm(`${ready} == 0`, [web, ingest], (metrics) =>
          metrics.some((text) => valueOf(text, ready) === 0),
        )
        try {
          await until('samples and changes are acknowledged', () => {
            return edge.acknowledged.length > 20 && changes.acknowledged() > 5
          })
          const stopS = short ? 8 : 20
          alarm.start()
          signalFamily(pid, 'SIGSTOP')
          try {
            await pause(stopS * 1000)
          } finally {
            signalFamily(pid, 'SIGCONT')
          }
          const continuedMs = Date.now()
          const both = () => Math.max(edge.recoveryS(continuedMs), changes.recoveryS(continuedMs))
          await until('samples and changes are acknowledged again', () => both() < Infinity)
          await Promise.all([edge.finish(), changes.finish()])
          const [samples, rows] = [
            await edge.compare(postgres.ownerUrl, readings.url),
            await changes.compare(postgres.ownerUrl),
          ]
          const slowestS = changes.slowestS()
          if ((!short && slowestS > longestCallS) || changes.unexpected() > 0)
            throw new Error(`calls were answered after up to ${slowestS} s: ${changes.statuses()}`)
          return {
            fault: `${store} stopped for 20 s and continued (SIGSTOP, SIGCONT)`,
            lost: samples.lost + rows.lost,
            doubled: samples.doubled + rows.doubled,
            recoveryS: both(),
            boundS: 10,
            alarm: await alarm.stop(),
            detail: `${edge.acknowledged.length * 5} samples; changes: ${changes.statuses()}, slowest ${slowestS.toFixed(1)} s`,
          }
        } finally {
          await edge.close()
        }
      }
      return [
        await stopped('PostgreSQL', 'records', postgres.process.pid),
        await stopped('the readings server', 'readings', readings.process.pid),
      ]
    }),
}
