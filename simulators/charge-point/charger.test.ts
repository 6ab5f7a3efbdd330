import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { openCharger, type SimulatedCharger } from './charger.ts'
import { carOf, charged, powerW } from './curve.ts'
import type { ChargerOfFile } from './world-file.ts'

type ReceivedCall = { id: string; action: string; payload: Record<string, unknown> }

let server: WebSocketServer | undefined
let charger: SimulatedCharger | undefined
afterEach(async () => {
  charger?.close()
  for (const socket of server?.clients ?? []) socket.terminate()
  await new Promise((resolve) => server?.close(resolve))
})

const listen = async (answerOf: (heard: ReceivedCall) => object | null) => {
  const heard: ReceivedCall[] = []
  const answers: Record<string, unknown>[] = []
  const sockets: WebSocket[] = []
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message', (data: Buffer) => {
      const [type, id, action, payload] = JSON.parse(data.toString()) as [
        number,
        string,
        string,
        ReceivedCall['payload'],
      ]
      if (type !== 2) return void answers.push(action as unknown as Record<string, unknown>) // the third element is a charger's answer
      heard.push({ id, action, payload })
      const answer = answerOf({ id, action, payload })
      if (answer) socket.send(JSON.stringify([3, id, answer]))
      else socket.terminate()
    })
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  const ask = (action: string, payload: object) => sockets.at(-1)?.send(JSON.stringify([2, 'ask', action, payload]))
  return {
    url: `ws://127.0.0.1:${port}/ocpp`,
    heard,
    answers,
    ask,
    of: (action: string) => heard.filter((one) => one.action === action),
  }
}

const made = (more: Partial<ChargerOfFile> = {}): ChargerOfFile => ({
  identity: 'CP-1',
  type: 'AC',
  connectors: 2,
  maxKw: 22,
  password: 'secret',
  simulated: true,
  simulatedVersion: 'ocpp1.6',
  simulatedAs: 'normal',
  customerKey: 'north',
  ...more,
})
const accepted = ({ action }: ReceivedCall) => {
  if (action === 'StartTransaction') return { transactionId: 7, idTagInfo: { status: 'Accepted' } }
  return action === 'Authorize' ? { idTagInfo: { status: 'Accepted' } } : {}
}

test('a start without an answer is repeated with the same id, and the stop has the transaction number of the answer', async () => {
  let cuts = 1
  const central = await listen((heard) => (heard.action === 'StartTransaction' && cuts-- > 0 ? null : accepted(heard)))
  charger = openCharger({ charger: made({ simulatedAs: 'phases' }), url: central.url, retryMs: 5 })
  expect(await charger.plugIn(1, 'VAN-01')).toBe(true)
  const starts = central.of('StartTransaction')
  expect(starts).toHaveLength(2)
  expect(starts[0]).toEqual(starts[1])
  charger.pass(3600)
  await charger.unplug(1)
  const [values] = central.of('MeterValues')
  expect(JSON.stringify(values?.payload)).toContain('"phase":"L3"')
  const [stop] = central.of('StopTransaction')
  const taken = Number(stop?.payload['meterStop']) - Number(starts[0]?.payload['meterStart'])
  expect([stop?.payload['transactionId'], taken > 5000]).toEqual([7, true])
  expect(charger.isFree(1)).toBe(true)
})

test('a refused tag charges nothing, and a faulted charger reports its state and refuses commands', async () => {
  const central = await listen((heard) =>
    heard.action === 'Authorize' ? { idTagInfo: { status: 'Blocked' } } : accepted(heard),
  )
  charger = openCharger({ charger: made({ simulatedAs: 'faulted' }), url: central.url, retryMs: 5 })
  expect(await charger.plugIn(1, 'VAN-01')).toBe(false)
  expect(central.of('StatusNotification').map(({ payload }) => payload['status'])).toEqual(['Faulted', 'Faulted'])
  expect(central.of('StartTransaction')).toEqual([])
})

test('2.0.1: a remote start returns its transaction id, and the state of charge is reported where available', async () => {
  const central = await listen(() => ({ status: 'Accepted' }))
  const one = made({ type: 'DC', maxKw: 150, connectors: 1, simulatedVersion: 'ocpp2.0.1' })
  charger = openCharger({ charger: one, url: central.url, retryMs: 5 })
  await expect.poll(() => central.of('StatusNotification').length).toBe(1)
  central.ask('RequestStartTransaction', { remoteStartId: 42, evseId: 1, idToken: { idToken: 'GM1', type: 'Central' } })
  await expect.poll(() => central.of('TransactionEvent').length).toBe(1)
  charger.pass(600)
  await charger.unplug(1)
  const events = central.of('TransactionEvent').map(({ payload }) => payload)
  expect(events.map((event) => [event['eventType'], event['seqNo']])).toEqual([
    ['Started', 0],
    ['Updated', 1],
    ['Ended', 2],
  ])
  expect(events[0]).toMatchObject({ transactionInfo: { remoteStartId: 42 }, idToken: { idToken: 'GM1' } })
  expect(JSON.stringify(events[1])).toContain('"SoC"')
})

test('commands are executed: settings, a charging limit, out of service, and refusal of all requests on demand', async () => {
  const central = await listen(accepted)
  charger = openCharger({ charger: made({ maxKw: 22 }), url: central.url, retryMs: 5 })
  await charger.plugIn(1, 'VAN-01')
  const answered = async (action: string, payload: object) => {
    const before = central.answers.length
    central.ask(action, payload)
    await expect.poll(() => central.answers.length).toBe(before + 1)
    return central.answers.at(-1)
  }
  expect(await answered('GetConfiguration', { key: ['HeartbeatInterval'] })).toEqual({
    configurationKey: [{ key: 'HeartbeatInterval', value: '300', readonly: false }],
  })
  expect(await answered('ChangeConfiguration', { key: 'NumberOfConnectors', value: '9' })).toEqual({
    status: 'Rejected',
  })
  const schedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6, numberPhases: 3 }] }
  const profile = { chargingProfileId: 12, chargingProfilePurpose: 'TxProfile', chargingSchedule: schedule }
  expect(await answered('SetChargingProfile', { connectorId: 1, csChargingProfiles: profile })).toEqual({
    status: 'Accepted',
  })
  charger.pass(60)
  await expect.poll(() => JSON.stringify(central.of('MeterValues').at(-1)?.payload)).toContain('"4140"')
  expect(await answered('ChangeAvailability', { connectorId: 2, type: 'Inoperative' })).toEqual({ status: 'Accepted' })
  expect(await charger.plugIn(2, 'VAN-01')).toBe(false)
  expect([charger.fault('refuse', 1), charger.fault('nonsense', 1)]).toEqual([true, false])
  expect(await answered('Reset', { type: 'Hard' })).toEqual({ status: 'Rejected' })
})

test('past sessions are sent with their own times, in order per meter, and change no state', async () => {
  const central = await listen(accepted)
  charger = openCharger({ charger: made({ connectors: 1 }), url: central.url, retryMs: 5 })
  const count = await charger.tellPast(['VAN-01'], 4)
  const [starts, stops] = [central.of('StartTransaction'), central.of('StopTransaction')]
  expect([starts.length, stops.length]).toEqual([count, count])
  expect(count).toBeGreaterThan(2)
  const pairs = starts.map(({ payload: start }, i) => [start, stops[i]?.payload ?? {}] as const)
  for (const [start, stop] of pairs) expect(String(start['timestamp']) < String(stop['timestamp'])).toBe(true)
  const inTime = pairs.toSorted(([a], [b]) => String(a['timestamp']).localeCompare(String(b['timestamp'])))
  for (const [i, [start]] of inTime.slice(1).entries()) expect(start['meterStart']).toBe(inTime[i]?.[1]['meterStop'])
  expect(central.of('StatusNotification').every(({ payload }) => payload['status'] === 'Available')).toBe(true)
})

test('a car on DC charges less from 80 % and ends full, and on AC its onboard charger limits the power', () => {
  const car = carOf(3)
  expect(powerW(car, 'AC', 22_000, 0.5)).toBe(7400)
  expect(powerW(car, 'DC', 150_000, 0.5)).toBeGreaterThan(powerW(car, 'DC', 150_000, 0.9))
  let [soc, wh] = [car.startSoc, 0]
  for (let i = 0; i < 1000; i++) {
    const step = charged(car, 'DC', 150_000, soc, 30)
    ;[soc, wh] = [step.soc, wh + step.wh]
  }
  expect(soc).toBeCloseTo(1)
  expect(wh).toBeCloseTo((1 - car.startSoc) * car.batteryWh, 0)
  expect(powerW(car, 'DC', 150_000, 1)).toBe(0)
})
