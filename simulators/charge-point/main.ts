// node simulators/charge-point/main.ts --world demo/world.yaml --url ws://127.0.0.1:3000/ocpp [--tags VAN1,VAN2] [--every-s 30] [--unknown vestkyst] [--control 9100]
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'node:http'
import { minuteMs } from '@gridmast/contract/time.ts'
import { openCharger, type SimulatedCharger } from './charger.ts'
import { openWire } from './wire.ts'
import { speech16 } from './speech.ts'
import { readChargers } from './world-file.ts'

export const openControl = (port: number, chargers: ReadonlyMap<string, SimulatedCharger>) =>
  createServer((request, answer) => {
    const [, identity = '', fault = '', value = '1'] = (request.url ?? '').split('/').map(decodeURIComponent)
    const charger = chargers.get(identity)
    const isDone = request.method === 'POST' && charger?.fault(fault, Number(value) || 0) === true
    answer.writeHead(isDone ? 204 : 404).end()
  }).listen(port, '127.0.0.1')

const { values } = parseArgs({
  options: {
    world: { type: 'string', default: join(import.meta.dirname, '../../demo/world.yaml') },
    url: { type: 'string', default: 'ws://127.0.0.1:3000/ocpp' },
    tags: { type: 'string', default: 'VAN-01,VAN-02,VAN-03,VAN-04,VAN-05' },
    'every-s': { type: 'string', default: '30' },
    /** Customer at whose address an unregistered charger connects. */
    unknown: { type: 'string' },
    /** Sessions of this many days before the first start are sent, once per charger. */
    'history-days': { type: 'string', default: '0' },
    /** Folder that records which chargers have sent their history. */
    state: { type: 'string', default: 'data/simulators' },
    control: { type: 'string' },
  },
})

/** About 500 messages of 60 days per charger: two weeks are sent within two minutes, the rest within eight. */
const pastPauseMs = 330

const everyS = Number(values['every-s'])
const tags = values.tags.split(',')
const log = (text: string) => console.log(text)
const known = readChargers(values.world)
const chargers = known
  .filter(({ simulatedAs }) => simulatedAs !== 'offline')
  .map((charger) => ({ charger, simulated: openCharger({ charger, url: values.url, log }) }))
log(`${chargers.length} of ${known.length} chargers (simulated) to ${values.url}`)

const tellHistory = async () => {
  const days = Number(values['history-days'])
  if (days === 0) return
  mkdirSync(values.state, { recursive: true })
  const tellOf = async ({ charger, simulated }: (typeof chargers)[number]) => {
    const mark = join(values.state, `charged-${charger.identity.replaceAll(/[^\w-]/g, '_')}`)
    if (existsSync(mark) || charger.simulatedAs === 'faulted') return
    while (!(await simulated.isWelcome(tags[0] ?? ''))) await new Promise((resolve) => setTimeout(resolve, 5000))
    const count = await simulated.tellPast(tags.slice(0, -1), days, pastPauseMs)
    writeFileSync(mark, `${count} sessions of ${days} days\n`)
  }
  await Promise.all(chargers.map(tellOf))
  log('Past sessions are delivered.')
}
void tellHistory()

const control = values.control
  ? openControl(
      Number(values.control),
      new Map(chargers.map(({ charger, simulated }) => [charger.identity, simulated])),
    )
  : null

const knocking = values.unknown
  ? openWire({
      url: `${values.url}/${values.unknown}`,
      identity: 'NEW-CHARGER-1',
      password: 'nobody knows this yet',
      version: 'ocpp1.6',
      greet: () => speech16.boot('New'),
      onAsked: () => ({ status: 'Rejected' }),
      retryMs: minuteMs,
    })
  : null

let beats = 0
const timer = setInterval(() => {
  beats++
  chargers.forEach(({ charger, simulated }, i) => {
    simulated.pass(everyS)
    if ((beats + i * 3) % 10 !== 0 || !simulated.isOpen()) return
    const connector = 1 + ((beats + i) % charger.connectors)
    const tag = tags[(beats + i) % tags.length] ?? ''
    if (simulated.isFree(connector)) void simulated.plugIn(connector, tag)
  })
}, everyS * 1000)

const stop = () => {
  clearInterval(timer)
  knocking?.close()
  control?.close()
  for (const { simulated } of chargers) simulated.close()
  process.exit(0)
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
