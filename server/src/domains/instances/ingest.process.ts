import { openReadings } from '#readings/readings.ts'
import { startBroker } from '#protocols/mqtt/broker.ts'
import { openIngest } from './ingest.ts'
import { testDirectory } from './ingest.fixture.ts'

/** A broker and a readings store alone in a process, to be killed: `node ingest.process.ts <folder>`; prints its port. */
const readings = await openReadings({ dataDir: process.argv[2] })
const broker = await startBroker({
  port: 0,
  host: '127.0.0.1',
  authenticate: async (_edge, password) => password === 'key',
  onMessage: openIngest({ readings, directory: testDirectory() }),
})
process.stdout.write(`${broker.port}\n`)
