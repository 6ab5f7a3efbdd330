// The calls of home behind nginx with four processes (two web, ingest, jobs), PostgreSQL and the readings server, against one process with
// embedded stores at a quarter of the load: in turns within one run, each at rest while the other is measured. Pages begin at fixed times,
// whatever the earlier ones take.
import { Agent as HttpAgent, get as httpGet } from 'node:http'
import { Agent as HttpsAgent, get as httpsGet } from 'node:https'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hourMs } from '@gridmast/contract/time.ts'
import { closing, mosquitto, withStoresAnd } from '../faults/frame.ts'
import { applyProvisioning } from '../server/src/operator/provisioning/apply.ts'
import { readProvisioning } from '../server/src/operator/provisioning/read.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'
import { openReadings, type Readings } from '../server/src/readings/readings.ts'
import { startNginx } from '../tools/nginx.ts'
import { root } from '../tools/run.ts'
import { addUsers } from './growth-rows.ts'
import { homeCalls } from './home-calls.ts'
import { openBench } from './ocpp-server.ts'

const pagesPerS = 16
const users = 20
const [warmS, roundS, rounds] = [4, 8, 5]
const hours = 6

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** The last hours of each signal of the customer, at 1 Hz. */
const addSamples = async (records: Records, readings: Readings) => {
  const signals = await records.system((tx) =>
    tx
      .selectFrom('signal as s')
      .innerJoin('customer as c', 'c.customer_id', 's.customer_id')
      .select('s.no')
      .where('c.key', '=', 'nordhavn')
      .execute(),
  )
  const t0Ms = Math.floor(Date.now() / 1000) * 1000 - hours * hourMs
  const values = Array.from({ length: hours * 3600 }, (_, i) => Math.round(50_000 + 20 * Math.sin(i / 300)) / 1000)
  for (const { no } of signals) await readings.insert([{ signalNo: no, t0Ms, dtMs: 1000, values }])
}

const openSite = async (url: string, tokens: string[]) => {
  const isSecure = url.startsWith('https:')
  const [get, agent] = isSecure
    ? [httpsGet, new HttpsAgent({ keepAlive: true, rejectUnauthorized: false })]
    : [httpGet, new HttpAgent({ keepAlive: true })]
  const call = (path: string, token = '') =>
    new Promise<string>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      get(`${url}/api${path}`, { agent, headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.once('end', () =>
          answer.statusCode === 200
            ? resolve(Buffer.concat(parts).toString())
            : reject(new Error(`${path} was answered ${answer.statusCode}`)),
        )
      }).once('error', reject)
    })
  const calls = homeCalls(await call('/user/verify', tokens[0]))
  const visit = (token: string | undefined) =>
    Promise.all(
      calls.map(async (path) => {
        const startedAt = performance.now()
        await call(path, token)
        return performance.now() - startedAt
      }),
    )
  return {
    p99Ms: async (perS: number, seconds: number) => {
      const visits: Promise<number[]>[] = []
      const startedAt = performance.now()
      for (let i = 0; i < perS * seconds; i++) {
        await pause(Math.max(0, startedAt + (i * 1000) / perS - performance.now()))
        visits.push(visit(tokens[i % tokens.length]))
      }
      return quantile((await Promise.all(visits)).flat(), 0.99)
    },
    close: () => agent.destroy(),
  }
}

const world = join(root, 'demo/world.yaml')

const pages = () =>
  withStoresAnd(mosquitto, ({ start, provision, readings, postgres }) =>
    closing(async (onEnd) => {
      const web = [await start('web-1', 'web'), await start('web-2', 'web')]
      await start('ingest', 'ingest')
      await start('jobs', 'jobs')
      await provision(world)
      const records = await openRecords({ url: postgres.url, connections: 2 })
      const tokens = await addUsers(records, 'nordhavn', users)
      const store = await openReadings({ url: readings.url, dataDir: '', rollupRoundMs: 0 })
      await addSamples(records, store)
      await store.close()
      await records.close()
      const servers = web.map(({ portal }) => `  server ${new URL(portal).host};`).join('\n')
      const nginx = await startNginx(
        `upstream web {\n  least_conn;\n${servers}\n  keepalive 64;\n}\nupstream ocpp {\n${servers}\n}\n`,
      )
      onEnd(nginx.stop)

      const bench = openBench()
      onEnd(async () => bench.close())
      const ownTokens = await bench.rows(async (own) => {
        await migrate(own)
        await applyProvisioning(own, readProvisioning(readFileSync(world, 'utf8')), { dryRun: false })
        const embedded = await openReadings({ dataDir: join(bench.folder, 'readings') })
        await addSamples(own, embedded)
        await embedded.close()
        return addUsers(own, 'nordhavn', users)
      })
      const { port } = await bench.serve()

      const [many, one] = [await openSite(nginx.url, tokens), await openSite(`http://127.0.0.1:${port}`, ownTokens)]
      await many.p99Ms(pagesPerS, warmS)
      await one.p99Ms(pagesPerS / 4, warmS)
      const times = { many: [] as number[], one: [] as number[] }
      for (let round = 0; round < rounds; round++) {
        times.many.push(await many.p99Ms(pagesPerS, roundS))
        times.one.push(await one.p99Ms(pagesPerS / 4, roundS))
      }
      many.close()
      one.close()
      const [manyP99Ms, oneP99Ms] = [quantile(times.many, 0.5), quantile(times.one, 0.5)]
      return { pagesPerS, manyP99Ms, oneP99Ms, ratio: manyP99Ms / oneP99Ms }
    }),
  )

console.log(JSON.stringify({ benchmark: 'pages', ...(await pages()) }))
process.exit(0)
