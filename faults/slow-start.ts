import { setTimeout as pause } from 'node:timers/promises'
import { openChanges } from './changes.ts'
import { closing, type Drill, singlePostgres, withInstallation } from './frame.ts'
import { until } from './processes.ts'
import { type Network, startProxy } from './proxy.ts'
import type { Row } from './results.ts'

const starts: { network: Network; text: string; seconds: number }[] = [
  { network: 'slow', text: 'slow (each message 2 s)', seconds: 20 },
  { network: 'held', text: 'silent', seconds: 20 },
]

export const slowStart: Drill = {
  name: 'slow-start',
  short: false,
  run: () =>
    closing(async (onEnd) => {
      const postgres = await singlePostgres()
      onEnd(postgres.stop)
      const proxy = await startProxy(Number(new URL(postgres.url).port))
      onEnd(proxy.stop)
      const through = Object.assign(new URL(postgres.url), { port: String(proxy.port) }).href
      return withInstallation({ DATABASE_URL: postgres.url }, async ({ start, provision }) => {
        const web = await start('web', 'web,jobs')
        await provision('demo/world.yaml')
        const rows: Row[] = []
        for (const { network, text, seconds } of starts) {
          const changes = await openChanges(web, `start ${network}`)
          const startedMs = Date.now()
          proxy.set(network)
          const starting = start(`jobs-${network}`, 'jobs', { DATABASE_URL: through })
          starting.catch(() => {}) // awaited below
          await pause(seconds * 1000)
          proxy.set('whole')
          const wholeMs = Date.now()
          const jobs = await starting
          const readyMs = Date.now()
          await until('all parts are ready', async () => (await fetch(`${jobs.health}/ready`)).ok)
          await changes.finish()
          rows.push({
            fault: `a second \`jobs\` starts while its network to PostgreSQL is ${text} for ${seconds} s`,
            ...(await changes.compare(postgres.ownerUrl)),
            recoveryS: Math.max(0, (Date.now() - wholeMs) / 1000),
            boundS: 30,
            alarm: 'no fault of a part',
            detail: `started after ${((readyMs - startedMs) / 1000).toFixed(1)} s; changes of the others: ${changes.statuses()}`,
          })
        }
        return rows
      })
    }),
}
