import { openReadings } from '#readings/readings.ts'
import { startBroker } from '#protocols/mqtt/broker.ts'
import { joinBroker } from '#protocols/mqtt/outside-broker.ts'
import { openIngest } from './ingest.ts'
import { testDirectory } from './ingest.fixture.ts'

/**
 * Ingest and a readings store alone in a process, to be killed: `node ingest.process.ts <folder> [<url of a broker>]`; prints the port of its
 * own broker, or its connection to the other one.
 */
const [dataDir, url] = process.argv.slice(2)
const readings = await openReadings({ dataDir })
const onMessage = openIngest({ readings, directory: testDirectory() })
const print = (_details: object, text: string) => void process.stdout.write(`${text}\n`)
if (url) joinBroker({ url, clientId: 'gridmast-test', onMessage, retryMs: 200, log: { info: print, warn: print } })
else {
  const authenticate = async () => 'welcome' as const
  const broker = await startBroker({ port: 0, host: '127.0.0.1', authenticate, onMessage })
  process.stdout.write(`${broker.port}\n`)
}
