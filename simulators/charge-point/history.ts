import { randomUUID } from 'node:crypto'
import { minuteMs, dayMs } from '@gridmast/contract/time.ts'
import { carOf, charged } from './curve.ts'
import type { Sample, Session, Speech } from './speech.ts'
import type { Payload } from './wire.ts'
import type { ChargerOfFile } from './world-file.ts'

type OcppMessage = [action: string, payload: Payload]
type PastSession = { connector: number; startMs: number; tag: string; car: number; minutes: number }

const daysWithValues = 7
const valuesEveryMinutes = 15
/** Older sessions are sent slower: they matter less in the first minutes of a demo. */
const daysAtOnce = 14
const slower = 4

const chanceOf = (words: string): number => {
  let hash = 2_166_136_261
  for (const character of words) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

const pastSessions = (charger: ChargerOfFile, tags: readonly string[], dayStartMs: number): PastSession[] =>
  Array.from({ length: charger.connectors }, (_, i) => i + 1).flatMap((connector) => {
    const seed = `${charger.identity} ${connector} ${dayStartMs}`
    const isWeekend = [0, 6].includes(new Date(dayStartMs).getUTCDay())
    const cars = Math.floor(chanceOf(seed) * (isWeekend ? 1.6 : 3.6))
    return Array.from({ length: cars }, (_, n): PastSession => {
      const chance = chanceOf(`${seed} ${n}`)
      const startMs = dayStartMs + Math.round((6 + n * 5 + chance * 1.5) * 60) * minuteMs
      const tag = tags[Math.floor(chance * 1000) % tags.length] ?? ''
      const minutes = charger.type === 'DC' ? 20 + Math.round(chance * 25) : 60 + Math.round(chance * 150)
      return { connector, startMs, tag, car: Math.floor(chance * 97), minutes }
    })
  })

const tell = (charger: ChargerOfFile, speech: Speech, past: PastSession, wh: number, hasValues: boolean) => {
  const car = carOf(past.car)
  const session: Session = {
    id: randomUUID(),
    number: null,
    sequence: 0,
    connector: past.connector,
    tag: past.tag,
    remoteNo: null,
  }
  let [soc, watt, register] = [car.startSoc, 0, wh]
  const sample = (minute: number): Sample => ({
    at: new Date(past.startMs + minute * minuteMs).toISOString(),
    wh: register,
    watt,
    isReplayed: true,
    byPhases: charger.simulatedAs === 'phases',
    soc: charger.type === 'DC' ? soc * 100 : null,
  })
  const said: (() => OcppMessage)[] = []
  const begin = sample(0)
  said.push(() => speech.started(session, begin))
  for (let minute = 1; minute <= past.minutes; minute++) {
    const step = charged(car, charger.type, charger.maxKw * 1000, soc, 60)
    ;[soc, watt, register] = [step.soc, step.watt, register + step.wh]
    if (!hasValues || minute % valuesEveryMinutes !== 0) continue
    const now = sample(minute)
    said.push(() => speech.values(session, now))
  }
  const end = sample(past.minutes)
  said.push(() => speech.stopped(session, end, 'EVDisconnected'))
  return { session, said, wh: register - wh }
}

type Options = {
  charger: ChargerOfFile
  speech: Speech
  tags: readonly string[]
  days: number
  nowMs: number
  registerWh: (connector: number) => number
  say: (action: string, payload: Payload) => Promise<Payload | null>
  /** Per message, after each session: a new demo keeps capacity for other work, and no past session looks like a running one. */
  pauseMs: number
}

export const tellPast = async (options: Options): Promise<number> => {
  const { charger, speech, tags, days, nowMs, registerWh, say, pauseMs } = options
  const todayMs = Math.floor(nowMs / dayMs) * dayMs
  const registers = new Map<number, number>()
  let count = 0
  for (let day = 1; day <= days; day++)
    for (const past of pastSessions(charger, tags, todayMs - day * dayMs).toReversed()) {
      const hasValues = day <= daysWithValues
      const endWh = registers.get(past.connector) ?? registerWh(past.connector)
      const { wh } = tell(charger, speech, past, 0, false)
      registers.set(past.connector, endWh - wh)
      const { session, said } = tell(charger, speech, past, endWh - wh, hasValues)
      for (const message of said) {
        const { number } = speech.taken(await say(...message()))
        session.number ??= number
      }
      count++
      const waitMs = pauseMs * said.length * (day > daysAtOnce ? slower : 1)
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  return count
}
