// node simulators/payments/main.ts --port 8092 [--approve-s 5] [--state folder]
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Ledger } from './ledger.ts'
import { openPayments } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8092' },
    host: { type: 'string', default: '127.0.0.1' },
    /** Seconds until a driver approves; without it only POST /_driver/{reference}/approve does. */
    'approve-s': { type: 'string' },
    state: { type: 'string' },
  },
})
const port = Number(values.port)
const file = values.state && join(values.state, 'payments.json')
if (values.state) mkdirSync(values.state, { recursive: true })

const approveS = values['approve-s']
const server = openPayments({
  now: Date.now,
  approveMs: approveS === undefined ? null : Number(approveS) * 1000,
  ...(file && existsSync(file) ? { ledger: JSON.parse(readFileSync(file, 'utf8')) as Ledger } : {}), // written below
  changed: (ledger) => {
    if (!file) return
    writeFileSync(`${file}.new`, JSON.stringify(ledger))
    renameSync(`${file}.new`, file)
  },
})
server.once('error', (error) => {
  console.error(`The payment simulator cannot listen on port ${port}: ${error.message}`)
  process.exit(1)
})
server.listen(port, values.host, () => console.log(`Payments (simulated) on http://${values.host}:${port}`))

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.closeAllConnections()
    server.close(() => process.exit(0))
  })
