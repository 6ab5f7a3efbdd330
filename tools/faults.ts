// npm run faults: failover drills on programs of Debian, each with an installation of its own; `npm run faults -- ingest-killed` runs one,
// `--short` runs the drills of the second tier with a shorter load, never judges seconds and leaves benchmarks/faults.md unchanged; `--long` kills
// each role 75 times. Exits with 1 when a bound is missed. `--record` runs no drill: it writes deploy/prometheus/recorded.test.yml in 13 minutes.
import { parseArgs } from 'node:util'
import { mosquittoKilled, rabbitmqKilled, rabbitmqMinority } from '../faults/broker-killed.ts'
import { certificatesExpired } from '../faults/certificates.ts'
import { clockJumps } from '../faults/clock.ts'
import { diskFull } from '../faults/disk-full.ts'
import type { Drill } from '../faults/frame.ts'
import { ingestKilled } from '../faults/ingest-killed.ts'
import { namesGone } from '../faults/names-gone.ts'
import { networkFaults } from '../faults/network.ts'
import { primaryKilled, primaryKilledBehindHaproxy } from '../faults/primary-killed.ts'
import { record } from '../faults/recording.ts'
import { rolesKilled } from '../faults/roles-killed.ts'
import { slowStart } from '../faults/slow-start.ts'
import { storesStopped } from '../faults/stores-stopped.ts'
import { wrongEngines } from '../faults/wrong-engines.ts'
import { isMet, isWhole, type Row, writeResults } from '../faults/results.ts'

const drills: Drill[] = [
  ingestKilled,
  primaryKilled,
  primaryKilledBehindHaproxy,
  storesStopped,
  wrongEngines,
  mosquittoKilled,
  rabbitmqKilled,
  rabbitmqMinority,
  networkFaults,
  rolesKilled,
  namesGone,
  clockJumps,
  diskFull,
  certificatesExpired,
  slowStart,
]

const { values, positionals } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const unknown = positionals.find((name) => !drills.some((drill) => drill.name === name))
if (unknown !== undefined) throw new Error(`no such drill: ${unknown}; ${drills.map(({ name }) => name).join(', ')}`)

if (values.record) {
  await record()
  process.exit(0)
}

const isChosen = ({ name, short }: Drill) =>
  positionals.length === 0 ? short || !values.short : positionals.includes(name)
const isPassed = values.short ? isWhole : isMet

const measured: Row[] = []
let failed = 0
for (const { name, run } of drills.filter(isChosen)) {
  const startedMs = Date.now()
  try {
    const rows = await run(values)
    measured.push(...rows)
    for (const row of rows) console.log(`${isPassed(row) ? 'ok  ' : 'FAIL'} ${JSON.stringify(row)}`)
    if (!rows.every(isPassed)) failed++
  } catch (error) {
    failed++
    console.error(`FAIL ${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
  console.log(`${name}: ${((Date.now() - startedMs) / 1000).toFixed(0)} s`)
}
if (!values.short) writeResults(measured)
process.exit(failed === 0 ? 0 : 1)
