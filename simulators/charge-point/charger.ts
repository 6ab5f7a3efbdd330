import { randomUUID } from 'node:crypto'
import { type Car, carOf, charged } from './curve.ts'
import { tellPast } from './history.ts'
import { openService } from './service.ts'
import { type Sample, type Session, speech16, speech201 } from './speech.ts'
import { openWire, type Payload } from './wire.ts'
import type { ChargerOfFile } from './world-file.ts'

type Running = { session: Session; car: Car; soc: number; watt: number; isHeld: boolean; isStopping: boolean }
type Connector = { wh: number; running: Running | null; cars: number }

export type SimulatedCharger = {
  plugIn: (connector: number, tag: string, remoteNo?: number | null) => Promise<boolean>
  unplug: (connector: number, reason?: string) => Promise<void>
  pass: (seconds: number) => void
  isFree: (connector: number) => boolean
  isOpen: () => boolean
  isWelcome: (tag: string) => Promise<boolean>
  tellPast: (tags: readonly string[], days: number, pauseMs?: number) => Promise<number>
  fault: (name: string, value: number) => boolean
  close: () => void
}

export type ChargerOptions = {
  charger: ChargerOfFile
  url: string
  now?: () => number
  log?: (text: string) => void
  retryMs?: number
}

/** Three phases. */
const wattsPerAmpere = 690
/** A car does not charge below this current. */
const minChargingA = 6

export const openCharger = ({ charger, url, now = Date.now, ...more }: ChargerOptions): SimulatedCharger => {
  const speech = charger.simulatedVersion === 'ocpp1.6' ? speech16 : speech201
  const isFaulted = charger.simulatedAs === 'faulted'
  const connectors = Array.from({ length: charger.connectors }, (_, i): Connector => ({
    wh: 20_000_000 + 1_000_000 * i,
    running: null,
    cars: (charger.identity.length * 7 + i * 3) % 11,
  }))
  let skewMs = 0
  let isRefusing = false
  const at = () => new Date(now() + skewMs).toISOString()
  const of = (connector: number) => connectors[connector - 1]
  const sampleOf = ({ wh }: Connector, { watt, soc, isHeld }: Running): Sample => ({
    at: at(),
    wh,
    watt,
    isHeld,
    byPhases: charger.simulatedAs === 'phases',
    soc: charger.type === 'DC' ? soc * 100 : null,
  })
  const tellState = (connector: number, state: string, error?: string) =>
    void wire.say(...speech.status(connector, state, at(), error))

  const tellAll = () =>
    connectors.forEach((_, i) => {
      if (isFaulted) return tellState(i + 1, 'Faulted', 'GroundFailure')
      tellOf(i + 1)
    })

  const start = async (number: number, tag: string, remoteNo: number | null): Promise<boolean> => {
    const connector = of(number)
    if (!connector || connector.running || isFaulted || service.isOut(number)) return false
    const session: Session = { id: randomUUID(), number: null, sequence: 0, connector: number, tag, remoteNo }
    const car = carOf(connector.cars++)
    const running: Running = { session, car, soc: car.startSoc, watt: 0, isHeld: false, isStopping: false }
    connector.running = running
    tellState(number, 'Preparing')
    const taken = speech.taken(await wire.say(...speech.started(session, sampleOf(connector, running))))
    session.number = taken.number
    if (!taken.isAccepted) await stop(number, 'DeAuthorized')
    else tellState(number, 'Charging')
    return taken.isAccepted
  }

  const stop = async (number: number, reason: string) => {
    const connector = of(number)
    const running = connector?.running
    if (!connector || !running || running.isStopping) return
    running.isStopping = true
    await wire.say(...speech.stopped(running.session, sampleOf(connector, running), reason))
    connector.running = null
    service.settings.forgetSession(number)
    tellState(number, 'Available')
  }

  const isOf = (payload: Payload) => (one: Connector) =>
    one.running !== null &&
    (one.running.session.number === payload['transactionId'] || one.running.session.id === payload['transactionId'])

  const onAsked = (action: string, payload: Payload): Payload => {
    if (isRefusing) return { status: 'Rejected' }
    if (action === 'RemoteStartTransaction' || action === 'RequestStartTransaction') {
      const number = Number(payload['connectorId'] ?? payload['evseId'] ?? 1)
      const token = payload['idToken']
      const tag = typeof token === 'object' && token !== null && 'idToken' in token ? token.idToken : payload['idTag']
      if (isFaulted || of(number)?.running !== null || typeof tag !== 'string') return { status: 'Rejected' }
      const remoteNo = typeof payload['remoteStartId'] === 'number' ? payload['remoteStartId'] : null
      void start(number, tag, remoteNo)
      return { status: 'Accepted' }
    }
    if (action === 'RemoteStopTransaction' || action === 'RequestStopTransaction') {
      const index = connectors.findIndex(isOf(payload))
      if (index < 0) return { status: 'Rejected' }
      void stop(index + 1, 'Remote')
      return { status: 'Accepted' }
    }
    return service.answer(action, payload)
  }

  const tellOf = (number: number) => {
    const running = of(number)?.running
    const state = running ? (running.isHeld ? 'SuspendedEVSE' : 'Charging') : 'Available'
    tellState(number, service.isOut(number) ? 'Unavailable' : state)
  }
  const stopAll = (reason: string) => Promise.all(connectors.map((_, i) => stop(i + 1, reason)))
  const service = openService({
    connectors: charger.connectors,
    version: charger.simulatedVersion,
    now,
    tellOf,
    say: (action, payload) => void wire.say(action, payload),
    boot: () => speech.boot(`${charger.type} ${charger.maxKw} kW`),
    isFree: (number) => of(number)?.running === null,
    restart: (isHard) => void (isHard ? Promise.resolve() : stopAll('SoftReset')).then(() => wire.cut(2000)),
  })

  const faults: Record<string, (value: number) => void> = {
    offline: (seconds) => wire.cut(seconds > 0 ? seconds * 1000 : undefined),
    online: () => wire.resume(),
    silent: (isOn) => wire.silence(isOn !== 0),
    refuse: (isOn) => (isRefusing = isOn !== 0),
    'lose-start': () => wire.loseNext('StartTransaction'),
    'lose-stop': () => wire.loseNext('StopTransaction'),
    replay: (count) => wire.replay(count || 20),
    skew: (seconds) => (skewMs = seconds * 1000),
    reboot: () => wire.cut(2000),
    'power-loss': (seconds) => {
      for (const connector of connectors) connector.running = null
      wire.cut((seconds || 10) * 1000)
    },
  }

  let isTold = false
  const wire = openWire({
    url,
    identity: charger.identity,
    password: charger.password,
    version: charger.simulatedVersion,
    ...more,
    onAsked,
    greet: () => {
      if (isTold) setImmediate(tellAll)
      isTold = true
      return speech.boot(`${charger.type} ${charger.maxKw} kW`)
    },
  })
  tellAll()

  const isWelcome = async (tag: string) => speech.taken(await wire.say(...speech.authorize(tag))).isAccepted

  return {
    isWelcome,
    plugIn: async (connector, tag, remoteNo = null) => {
      if (!(await isWelcome(tag))) return false
      return start(connector, tag, remoteNo)
    },
    unplug: (connector, reason = 'EVDisconnected') => stop(connector, reason),
    pass: (seconds) =>
      connectors.forEach((connector, i) => {
        const { running } = connector
        if (!running || running.isStopping) return
        const limitA = service.settings.limitA(i + 1)
        const limitW = limitA < minChargingA ? 0 : limitA * wattsPerAmpere
        const wasHeld = running.isHeld
        running.isHeld = limitW === 0
        if (running.isHeld !== wasHeld) tellOf(i + 1)
        const step = charged(running.car, charger.type, Math.min(charger.maxKw * 1000, limitW), running.soc, seconds)
        connector.wh += step.wh
        ;[running.soc, running.watt] = [step.soc, step.watt]
        void wire.say(...speech.values(running.session, sampleOf(connector, running)))
        if (running.soc >= 1) void stop(i + 1, 'EVDisconnected')
      }),
    isFree: (connector) => of(connector)?.running === null && !isFaulted,
    isOpen: wire.isOpen,
    tellPast: (tags, days, pauseMs = 0) =>
      tellPast({
        charger,
        speech,
        tags,
        days,
        nowMs: now(),
        say: wire.say,
        pauseMs,
        registerWh: (connector) => (of(connector)?.wh ?? 0) - 100_000,
      }),
    fault: (name, value) => {
      faults[name]?.(value)
      return faults[name] !== undefined
    },
    close: wire.close,
  }
}
