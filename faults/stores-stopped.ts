import { setTimeout as pause } from 'node:timers/promises'
import { valueOf, watchAlarm } from './alarms.ts'
import { closing, type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { openLoad } from './load.ts'
import { signalFamily } from './processes.ts'

/** Longest time until a call is answered while a store does not answer: `connectionTimeoutMillis` of the pool. */
const longestCallS = 30

export const storesStopped: Drill = {
  name: 'stores-stopped',
  short: true,
  run: ({ short }) =>
    withStoresAnd(mosquitto, ({ start, provision, readings, postgres, broker }) =>
      closing(async (onEnd) => {
        const stores = { records: postgres.ownerUrl, readings: readings.url }
        const [web, ingest] = [await start('web', 'web,jobs'), await start('ingest', 'ingest')]
        await provision('demo/world.yaml')
        const stopped = async (store: string, part: string, pid: number | undefined) => {
          const ready = `gridmast_part_ready{part="${part}"}`
          const load = await openLoad({ web, mqtt: broker.urlOf('edge-lab'), prefix: part })
          onEnd(load.close)
          const alarm = watchAlarm(`${ready} == 0`, [web, ingest], (metrics) =>
            metrics.some((text) => valueOf(text, ready) === 0),
          )
          alarm.start()
          signalFamily(pid, 'SIGSTOP')
          try {
            await pause(short ? 8000 : 20_000)
          } finally {
            signalFamily(pid, 'SIGCONT')
          }
          const { slowestS, ...result } = await load.result(Date.now(), stores)
          if (!short && slowestS > longestCallS) throw new Error(result.detail)
          return {
            fault: `${store} stopped for 20 s and continued (SIGSTOP, SIGCONT)`,
            ...result,
            boundS: 10,
            alarm: await alarm.stop(),
          }
        }
        return [
          await stopped('PostgreSQL', 'records', postgres.process.pid),
          await stopped('the readings server', 'readings', readings.process.pid),
        ]
      }),
    ),
}
