import { setTimeout as pause } from 'node:timers/promises'
import { valueOf, watchAlarm } from './alarms.ts'
import { closing, type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { openLoad } from './load.ts'
import { type Network, startProxy } from './proxy.ts'
import type { Row } from './results.ts'

/** Longest time until a call is answered: `longestQueryMs` of the pool, and the work before it. */
const longestCallS = 35

const faults: { network: Network; text: string; seconds: number }[] = [
  { network: 'cut', text: 'cut', seconds: 10 },
  { network: 'held', text: 'silent', seconds: 45 },
  { network: 'slow', text: 'slow (each message 2 s)', seconds: 20 },
]

export const networkFaults: Drill = {
  name: 'network',
  short: false,
  run: () =>
    withStoresAnd(mosquitto, ({ start, provision, readings, postgres, broker }) =>
      closing(async (onEnd) => {
        const records = await startProxy(Number(new URL(postgres.url).port))
        const series = await startProxy(Number(new URL(readings.url).port))
        onEnd(records.stop)
        onEnd(series.stop)
        const through = (url: string, port: number) => Object.assign(new URL(url), { port: String(port) }).href
        const settings = {
          DATABASE_URL: through(postgres.url, records.port),
          CLICKHOUSE_URL: through(readings.url, series.port),
        }
        const [web, ingest] = [await start('web', 'web,jobs', settings), await start('ingest', 'ingest', settings)]
        await provision('demo/world.yaml')
        const stores = { records: postgres.ownerUrl, readings: readings.url }
        const rows: Row[] = []
        for (const [part, store, proxy] of [
          ['records', 'PostgreSQL', records],
          ['readings', 'the readings server', series],
        ] as const)
          for (const { network, text, seconds } of faults) {
            const ready = `gridmast_part_ready{part="${part}"}`
            const load = await openLoad({ web, mqtt: broker.urlOf('edge-lab'), prefix: `${part} ${network}` })
            onEnd(load.close)
            const alarm = watchAlarm(`${ready} == 0`, [web, ingest], (metrics) =>
              metrics.some((one) => valueOf(one, ready) === 0),
            )
            alarm.start()
            proxy.set(network)
            await pause(seconds * 1000)
            proxy.set('whole')
            const { slowestS, ...result } = await load.result(Date.now(), stores)
            if (slowestS > longestCallS) throw new Error(`${text}: ${result.detail}`)
            rows.push({
              fault: `network to ${store} ${text} for ${seconds} s`,
              ...result,
              boundS: 30,
              alarm: await alarm.stop(),
            })
          }
        return rows
      }),
    ),
}
