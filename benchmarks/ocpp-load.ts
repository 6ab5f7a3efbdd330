// Chargers for benchmarks/ocpp.ts in a separate process, so that their work is not the server's. Protocol: one line of JSON per message on
// stdin and stdout.
import { createInterface } from 'node:readline'
import { hourMs } from '@gridmast/contract/time.ts'
import { WebSocket } from 'ws'

type Order =
  | { do: 'connect'; count: number; atOnce: number }
  | { do: 'values'; chargers: number; seconds: number }
  | { do: 'backlog'; others: number; messages: number; aloneS: number }
  | { do: 'end' }

const [url = '', prefix = 'B', password = ''] = process.argv.slice(2)

type Charger = { socket: WebSocket; hear: (id: string) => void; count: number }
const chargers: Charger[] = []
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const open = (no: number) =>
  new Promise<Charger>((resolve, reject) => {
    const identity = `${prefix}${no}`
    const auth = `${identity}:${password}`
    // One address has 28,000 ports, so several are used.
    const localAddress = `127.0.0.${2 + (no % 8)}`
    const socket = new WebSocket(`${url}/${identity}`, 'ocpp1.6', { auth, localAddress, perMessageDeflate: false })
    const charger: Charger = { socket, hear: () => {}, count: 0 }
    socket.once('error', reject)
    socket.once('open', () => {
      const boot = { chargePointVendor: 'Bench', chargePointModel: 'One' }
      charger.hear = () => resolve(charger)
      socket.send(JSON.stringify([2, 'boot', 'BootNotification', boot]))
    })
    socket.on('message', (data: Buffer) => {
      const [type, id] = JSON.parse(data.toString()) as [number, string]
      if (type === 2) socket.send(JSON.stringify([3, id, { status: 'Accepted', configurationKey: [] }]))
      else charger.hear(id)
    })
  })

const connect = async (count: number, atOnce: number) => {
  const startedAt = performance.now()
  const waits: number[] = []
  let next = chargers.length
  const last = next + count
  const worker = async () => {
    while (next < last) {
      const no = next++
      const from = performance.now()
      const charger = await open(no).catch(() => null)
      if (charger) chargers.push(charger)
      waits.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { open: chargers.length, connectMs: performance.now() - startedAt, ...percentiles(waits) }
}

const percentiles = (times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const startMs = Date.now() - hourMs
/** Three samples at one second per message. */
const valuesOf = (count: number) => ({
  connectorId: 1,
  meterValue: [
    {
      timestamp: new Date(startMs + count * 1000).toISOString(),
      sampledValue: [
        { value: String(1000 + count), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
        { value: String(11_000 + (count % 50)), measurand: 'Power.Active.Import', unit: 'W' },
        { value: '54', measurand: 'SoC', unit: 'Percent', location: 'EV' },
      ],
    },
  ],
})

const measureOnce = async (charger: Charger): Promise<number> => {
  const id = `v${charger.count}`
  const from = performance.now()
  await new Promise<void>((resolve) => {
    charger.hear = (heard) => heard === id && resolve()
    charger.socket.send(JSON.stringify([2, id, 'MeterValues', valuesOf(charger.count)]))
  })
  charger.count++
  return performance.now() - from
}

const sendValues = async (count: number, seconds: number) => {
  const until = performance.now() + seconds * 1000
  const startedAt = performance.now()
  const waits: number[] = []
  const work = async (charger: Charger) => {
    while (performance.now() < until && charger.socket.readyState === WebSocket.OPEN)
      waits.push(await measureOnce(charger))
  }
  await Promise.all(chargers.slice(0, count).map(work))
  const spentS = (performance.now() - startedAt) / 1000
  return { messages: waits.length, perS: waits.length / spentS, ...percentiles(waits) }
}

/** The first charger sends its backlog; the others measure every second at different moments. */
const tellBacklog = async (others: number, messages: number, aloneS: number) => {
  const [teller, ...rest] = chargers
  if (!teller) throw new Error('nobody is connected')
  let isOver = false
  let [sent, waits] = [0, [] as number[]]
  const measure = async (charger: Charger, i: number) => {
    await pause((1000 * i) / others)
    while (!isOver) {
      const [from, waited] = [performance.now(), await measureOnce(charger)]
      sent++
      waits.push(waited)
      await pause(Math.max(0, 1000 - (performance.now() - from)))
    }
  }
  const working = Promise.all(rest.slice(0, others).map(measure))
  await pause(2000)
  waits = []
  await pause(aloneS * 1000)
  const alone = percentiles(waits)
  waits = []
  const from = performance.now()
  for (let i = 0; i < messages; i++) await measureOnce(teller)
  const tookS = (performance.now() - from) / 1000
  const beside = percentiles(waits)
  isOver = true
  await working
  return {
    aloneP99Ms: alone.p99Ms,
    besideP50Ms: beside.p50Ms,
    besideP99Ms: beside.p99Ms,
    tookS,
    sent: sent + messages,
  }
}

for await (const line of createInterface(process.stdin)) {
  const order = JSON.parse(line) as Order
  if (order.do === 'connect') say({ done: await connect(order.count, order.atOnce) })
  else if (order.do === 'values') say({ done: await sendValues(order.chargers, order.seconds) })
  else if (order.do === 'backlog') say({ done: await tellBacklog(order.others, order.messages, order.aloneS) })
  else process.exit(0)
}
