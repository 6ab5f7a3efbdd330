// node simulators/market-data/main.ts --port 8090
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSource } from './dataset.ts'
import { openMarketData } from './server.ts'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8090' }, host: { type: 'string', default: '127.0.0.1' } },
})
const port = Number(values.port)

const server = openMarketData(readSource(join(import.meta.dirname, '../../demo/recorded')), Date.now)
server.once('error', (error) => {
  console.error(`The market-data simulator cannot listen on port ${port}: ${error.message}`)
  process.exit(1)
})
server.listen(port, values.host, () => console.log(`Market data (simulated) on http://${values.host}:${port}`))

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.closeAllConnections()
    server.close(() => process.exit(0))
  })
