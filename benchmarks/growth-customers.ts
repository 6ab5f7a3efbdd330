// Customers × 1, 10 and 100, each with 2 users, 3 edges, 6 instances and 10 chargers from a provisioning file: the file's import, the records'
// size, the start of the whole server, its rest around a full minute (when jobs are due), and the calls of home of the first customer.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { applyProvisioning } from '../server/src/operator/provisioning/apply.ts'
import { readProvisioning } from '../server/src/operator/provisioning/read.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { homeCalls } from './home-calls.ts'
import { addUsers, sizesOf, watch } from './growth-rows.ts'
import { openBench, usageOf } from './ocpp-server.ts'

const sizes = sizesOf([1, 10, 100])
const watchS = 24
const visits = 60

const list = (count: number, row: (no: number) => string) =>
  Array.from({ length: count }, (_, i) => `      - ${row(i + 1)}`).join('\n')
const customer = (no: number) => `
  - key: c${no}
    name: Customer ${no}
    trueGreen: true
    areas: [DK1, DK2]
    biddingMarkets: [FCR-D-INC]
    licences:
      - { type: FCR-D-INC, name: FCR-D-INC }
      - { type: evCharging, name: EV }
    edges:
${list(3, (i) => `{ key: c${no}-edge-${i}, name: Edge ${i}, password: key-of-the-edge, area: DK2 }`)}
    instances:
${list(6, (i) => `{ key: i${i}, name: Instance ${i}, licence: FCR-D-INC, edge: c${no}-edge-${Math.ceil(i / 2)}, markets: [FCR-D-INC], area: DK2, kind: cold-store, flexibleKw: 400 }`)}
    chargers:
${list(10, (i) => `{ identity: c${no}-${i}, name: Charger ${i}, type: AC, connectors: 2, maxKw: 22, priceSignal: dk2, password: key-of-the-charger }`)}
    frequency:
      - { key: dk2, name: DK2, area: DK2, instance: i1 }
    priceSignals:
      - { key: dk2, name: DK2, area: DK2, taxDkkPerMwh: '119' }
    users:
      - { email: sudoer@c${no}.example, name: Sudo, role: sudoer, password: gridmast-demo }
      - { email: auditor@c${no}.example, name: Audit, role: auditor, password: gridmast-demo }`

const ownCpuMs = (before: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const measure = async (count: number) => {
  const bench = openBench()
  try {
    const file = readProvisioning(`customers:${Array.from({ length: count }, (_, i) => customer(i + 1)).join('')}\n`)
    const filled = await bench.rows(async (records) => {
      await migrate(records)
      const before = process.cpuUsage()
      await applyProvisioning(records, file, { dryRun: false })
      const provisionMs = ownCpuMs(before)
      const [token] = await addUsers(records, 'c1', 1)
      const { rows } = await records.owner((db) =>
        sql<{ bytes: number }>`select pg_database_size(current_database())::float as bytes`.execute(db),
      )
      return { provisionMs, token, recordsBytes: rows[0]?.bytes ?? 0 }
    })
    const { port, pid } = await bench.serve()
    const startMs = usageOf(pid).cpuMs
    const call = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
        headers: { authorization: `Bearer ${filled.token}` },
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text.slice(0, 200)}`)
      return text
    }
    const home = homeCalls(await call('/user/verify'))
    await pause(Math.max(0, 60_000 - (Date.now() % 60_000) - (watchS * 1000) / 2))
    const rest = await watch(pid, watchS)
    const visit = () => Promise.all(home.map(call))
    for (let i = 0; i < visits; i++) await visit()
    const before = usageOf(pid).cpuMs
    for (let i = 0; i < visits; i++) await visit()
    const { provisionMs, recordsBytes } = filled
    return { provisionMs, recordsBytes, ...rest, startMs, pageMs: (usageOf(pid).cpuMs - before) / visits }
  } finally {
    bench.close()
  }
}

const points: { size: number; costs: Record<string, number> }[] = []
for (const size of sizes) points.push({ size, costs: await measure(size) })
console.log(JSON.stringify({ points }))
process.exit(0)
