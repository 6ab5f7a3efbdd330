// node simulators/edge-gateway/main.ts --world demo/world.yaml --mqtt mqtt://127.0.0.1:1883 [--history-days 14] [--state folder] [--skip edge-lab] [--acks] [--faults file]
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openGateway } from './gateway.ts'
import { openState } from './state.ts'
import { readWorld } from './world-file.ts'

const { values } = parseArgs({
  options: {
    world: { type: 'string', default: join(import.meta.dirname, '../../demo/world.yaml') },
    mqtt: { type: 'string', default: 'mqtt://127.0.0.1:1883' },
    'history-days': { type: 'string', default: '14' },
    /** Folder of the progress file; without it a restart sends the history again. */
    state: { type: 'string' },
    'replay-per-s': { type: 'string', default: '95' },
    /** The broker is not the server's own: telemetry is kept until the server names it on `ack`. */
    acks: { type: 'boolean', default: false },
    faults: { type: 'string' },
    /** edge-lab is operated manually. */
    skip: { type: 'string', multiple: true, default: ['edge-lab'] },
  },
})

const edges = readWorld(values.world, values.skip)
const fullS = 86_400
const historyS = Number(values['history-days']) * 86_400
const state = openState(
  values.state && join(values.state, 'edge-gateway.json'),
  Math.floor((Date.now() / 1000 - historyS) / 60) * 60,
)
const log = (text: string) => console.log(text)
const gateways = edges.map((edge) =>
  openGateway({
    edge,
    url: values.mqtt,
    state,
    log,
    replayPerS: Number(values['replay-per-s']),
    thinBeforeS: state.sinceS + historyS - fullS,
    ackPatienceMs: values.acks ? 30_000 : undefined,
    faultsFile: values.faults ?? (values.state && join(values.state, 'faults.json')),
  }),
)
log(`${edges.length} edges with ${edges.flatMap(({ groups }) => groups).length} groups (simulated) to ${values.mqtt}`)

// Just after the full second, so that the newest sample is as fresh as possible.
let timer: NodeJS.Timeout
const beat = () => {
  for (const gateway of gateways) gateway.tick(Date.now())
  timer = setTimeout(beat, 1000 - (Date.now() % 1000) + 5)
}
beat()

let isDelivered = false
const saving = setInterval(() => {
  state.save()
  if (isDelivered) return
  isDelivered = gateways.every((gateway) => gateway.isConnected() && gateway.owedS(Date.now()) === 0)
  if (isDelivered) log('All history is delivered.')
}, 10_000)

const stop = async () => {
  clearTimeout(timer)
  clearInterval(saving)
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  state.save()
  process.exit(0)
}
process.once('SIGINT', () => void stop())
process.once('SIGTERM', () => void stop())
