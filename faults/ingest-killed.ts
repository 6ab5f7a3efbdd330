import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { metricsOf, valueOf, watchAlarm } from './alarms.ts'
import { openEdge } from './edges.ts'
import { type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { until } from './processes.ts'

const active = 'gridmast_ingest_partitions_held'

export const ingestKilled: Drill = {
  name: 'ingest-killed',
  short: true,
  run: ({ short }) =>
    withStoresAnd(mosquitto, async ({ start, provision, readings, postgres, broker }) => {
      const first = await start('ingest-1', 'ingest')
      await until('an ingest is active', async () => valueOf(await metricsOf(first), active) === 1)
      const standby = await start('ingest-2', 'ingest')
      await provision('demo/world.yaml')
      const edge = await openEdge(broker.urlOf('edge-lab'), 'edge-lab', 'lab')
      try {
        const rule = `sum(${active}) < max(gridmast_ingest_partitions)`
        const alarm = watchAlarm(rule, [first, standby], (metrics) =>
          metrics.every((text) => valueOf(text, active) !== 1),
        )
        await until('samples are acknowledged', () => edge.acknowledged.length > 30)
        await pause(short ? 1000 : 5000)
        const ended = once(first.process, 'exit')
        first.process.kill('SIGKILL')
        await ended
        const faultMs = alarm.start()
        await until('samples are acknowledged again', () => edge.recoveryS(faultMs) < Infinity)
        await pause(short ? 1000 : 5000)
        await edge.finish()
        const fired = await alarm.stop()
        const samples = edge.acknowledged.length * 5
        return [
          {
            fault: 'kill -9 of the active ingest, with a standby',
            ...(await edge.compare(postgres.ownerUrl, readings.url)),
            recoveryS: edge.recoveryS(faultMs),
            boundS: 10,
            alarm: fired,
            detail: `${samples} samples acknowledged`,
          },
        ]
      } finally {
        await edge.close()
      }
    }),
}
