import { join } from 'node:path'
import { openReadings } from '#readings/readings.ts'
import { openWholeServer } from '#testing/whole-server.ts'
import { addChargers, addTags, connectCharger, type TestCharger } from './charger.fixture.ts'

/** A fleet that charges while its server dies repeatedly; each charger repeats unanswered messages and keeps a record for comparison. */

type Plan = {
  chargers: number
  charging: number
  sessions: number
  /** Where the server dies: `random`, or a place of kill-at.process.ts. */
  kills: readonly string[]
  log?: (text: string) => void
}

const valuesOfSession = 3
const perSession = valuesOfSession + 2

type Ledger = {
  no: number
  identity: string
  is201: boolean
  answered: number
  tries: number
  ids: number[]
  last: string
}

const at = (no: number, session: number, minute: number) =>
  new Date(Date.UTC(2026, 10, 20, 4 + session * 2, minute, no % 60)).toISOString()
const startWh = (no: number, session: number) => 1000 * no + 10_000 * session
const energyWh = (no: number, session: number) => 500 + no * 7 + session

type SentMessage = { kind: 'start' | 'values' | 'stop'; session: number; time: string; wh: number }

const saidAt = (no: number, index: number): SentMessage => {
  const [session, step] = [Math.floor(index / perSession), index % perSession]
  const fromWh = startWh(no, session)
  if (step === 0) return { kind: 'start', session, time: at(no, session, 0), wh: fromWh }
  if (step <= valuesOfSession)
    return { kind: 'values', session, time: at(no, session, step * 10), wh: fromWh + step * 100 }
  return { kind: 'stop', session, time: at(no, session, 50), wh: fromWh + energyWh(no, session) }
}

const messageOf = ({ no, identity, is201, ids }: Ledger, index: number) => {
  const { kind, session, time, wh } = saidAt(no, index)
  if (!is201) {
    if (kind === 'start')
      return ['StartTransaction', { connectorId: 1, idTag: 'ANNA', meterStart: wh, timestamp: time }] as const
    const transactionId = ids[session]
    if (kind === 'stop')
      return ['StopTransaction', { transactionId, meterStop: wh, timestamp: time, idTag: 'ANNA' }] as const
    const meterValue = [{ timestamp: time, sampledValue: [{ value: String(wh) }] }]
    return ['MeterValues', { connectorId: 1, transactionId, meterValue }] as const
  }
  const words = { start: ['Started', 'Begin'], values: ['Updated', ''], stop: ['Ended', 'End'] } as const
  const [eventType, end] = words[kind]
  const context = end ? { context: `Transaction.${end}` } : {}
  return [
    'TransactionEvent',
    {
      eventType,
      seqNo: index % perSession,
      timestamp: time,
      triggerReason: 'MeterValuePeriodic',
      evse: { id: 1 },
      transactionInfo: { transactionId: `${identity}-${session}`, chargingState: 'Charging' },
      meterValue: [{ timestamp: time, sampledValue: [{ value: wh, ...context }] }],
      ...(kind === 'start' ? { idToken: { idToken: 'ANNA', type: 'ISO14443' } } : {}),
    },
  ] as const
}

export const killFleet = async ({ chargers, charging, sessions, kills, log = () => {} }: Plan) => {
  const server = await openWholeServer(join(import.meta.dirname, 'kill-at.process.ts'))
  const names = Array.from({ length: chargers }, (_, i) => `k-${i}`)
  const ledgers = names.slice(0, charging).map((identity, no): Ledger => ({
    no,
    identity,
    is201: no % 2 === 1,
    answered: 0,
    tries: 0,
    ids: [],
    last: '',
  }))
  const most = sessions * perSession
  let [answers, refusals, changed, atPlaces] = [0, 0, 0, 0]
  const readyMs: number[] = []

  const sayNext = async (charger: TestCharger, ledger: Ledger) => {
    const index = ledger.answered
    const [action, payload] = messageOf(ledger, index)
    const name = `${saidAt(ledger.no, index).kind}-${ledger.no}-${index}`
    const id = ledger.no % 4 < 2 ? name : `${name}-${ledger.tries++}`
    const answer = await charger.call(action, payload, id)
    if (answer.error) refusals++
    if (!ledger.is201 && index % perSession === 0) ledger.ids.push(Number(answer.payload['transactionId']))
    ledger.last = JSON.stringify(answer.payload)
    ledger.answered++
  }
  const charge = async (ledger: Ledger, onAnswer: () => void) => {
    const version = ledger.is201 ? 'ocpp2.0.1' : 'ocpp1.6'
    const charger = await connectCharger(server.port, ledger.identity, { version })
    while (ledger.answered < most) {
      await sayNext(charger, ledger)
      onAnswer()
    }
    const [action, payload] = messageOf(ledger, most - 1)
    const again = await charger.call(action, payload, `again-${ledger.no}-${ledger.tries++}`)
    if (JSON.stringify(again.payload) !== ledger.last) changed++
    await charger.close()
  }
  const idle = async (identity: string) => {
    const charger = await connectCharger(server.port, identity)
    await charger.boot()
    return charger
  }

  const live = async (place: string, kill: number) => {
    const startedAt = performance.now()
    const { child, ended } = await server.serve(place === 'random' ? 'never' : place)
    readyMs.push(performance.now() - startedAt)
    const share = place === 'random' ? 0.5 + (Math.random() - 0.5) * 0.8 : 1
    const dieAt = Math.floor(((kill + share) * charging * most) / (kills.length + 1))
    let isByHand = false
    const onAnswer = () => {
      if (++answers < dieAt || isByHand) return
      isByHand = true
      child.kill('SIGKILL')
    }
    const waiting = Promise.allSettled(names.slice(charging).map(idle))
    await Promise.allSettled(ledgers.map((ledger) => charge(ledger, onAnswer)))
    if (place !== 'random' && !isByHand) atPlaces++
    child.kill('SIGKILL')
    await waiting
    await ended
    log(`${place}: ${answers} of ${charging * most} answered, ready after ${Math.round(readyMs.at(-1) ?? 0)} ms`)
  }

  const readRows = () =>
    server.rows((records) =>
      records.system(async (tx) => ({
        sessions: await tx
          .selectFrom('charger_transaction as t')
          .innerJoin('charger as c', 'c.charger_id', 't.charger_id')
          .select(['c.identity', 't.no', 't.ocpp_id', 't.state', 't.consumption_wh', 't.estimated'])
          .execute(),
        registers: await tx
          .selectFrom('charger_register as r')
          .innerJoin('charger as c', 'c.charger_id', 'r.charger_id')
          .select(['c.identity', 'r.at', 'r.wh'])
          .execute(),
        messages: await tx
          .selectFrom('charger_message')
          .select((of) => of.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
        signals: await tx
          .selectFrom('charger_signal as s')
          .innerJoin('charger as c', 'c.charger_id', 's.charger_id')
          .select(['c.identity', 's.no'])
          .where('s.kind', '=', 'energy')
          .execute(),
      })),
    )
  const readSeries = async (signals: readonly { identity: string; no: number }[]) => {
    const readings = await openReadings({ dataDir: join(server.folder, 'readings') })
    const fromMs = Date.UTC(2026, 10, 20)
    const asked = { signalNos: signals.map(({ no }) => no), fromMs, toMs: fromMs + 86_400_000 }
    const { series } = await readings.samples(asked)
    await readings.close()
    return signals.flatMap(({ identity, no }) => {
      const { x, y } = series.get(no) ?? { x: [], y: [] }
      return Array.from(x, (atMs, i) => `${identity} ${atMs} ${y[i]}`)
    })
  }

  try {
    await server.rows(async (records) => {
      await addChargers(
        records,
        names.map((identity) => ({ identity })),
      )
      await addTags(records, [{ tag: 'ANNA' }])
    })
    for (const [kill, place] of kills.entries()) await live(place, kill)
    const last = await server.serve('never')
    await Promise.all(ledgers.map((ledger) => charge(ledger, () => answers++)))
    last.child.kill('SIGTERM')
    await last.ended

    const rows = await readRows()
    const found = {
      sessions: rows.sessions.map(
        (row) => `${row.identity} ${row.ocpp_id ?? row.no} ${row.state} ${row.consumption_wh} ${row.estimated}`,
      ),
      registers: rows.registers.map((row) => `${row.identity} ${row.at.getTime()} ${Number(row.wh)}`),
      series: await readSeries(rows.signals),
      messages: rows.messages.count,
    }
    const of = ledgers.flatMap((ledger) => Array.from({ length: most }, (_, index) => ({ ledger, index })))
    const saids = of.map(({ ledger, index }) => ({ ledger, ...saidAt(ledger.no, index) }))
    const samples = saids.map(({ ledger, time, wh }) => `${ledger.identity} ${Date.parse(time)} ${wh}`)
    const wanted = {
      sessions: ledgers.flatMap(({ no, identity, is201, ids }) =>
        Array.from(
          { length: sessions },
          (_, session) =>
            `${identity} ${is201 ? `${identity}-${session}` : ids[session]} ended ${energyWh(no, session).toFixed(3)} false`,
        ),
      ),
      registers: samples,
      series: samples,
      messages: saids.filter(({ ledger, kind }) => ledger.is201 || kind !== 'values').length,
    }
    const sorted = (one: typeof found) => ({
      sessions: one.sessions.toSorted(),
      registers: one.registers.toSorted(),
      series: one.series.toSorted(),
      messages: one.messages,
    })
    return {
      found: sorted(found),
      wanted: sorted(wanted),
      refusals,
      changed,
      kills: kills.length,
      atPlaces,
      answered: answers,
      readyMs: Math.max(...readyMs),
    }
  } finally {
    await server.close()
  }
}

export const places = (kills: number, maxOfOneKind: number): string[] =>
  Array.from({ length: kills }, (_, i) => {
    const named = [
      'commit start|',
      'answer start',
      'registers',
      'answer values',
      'commit stop|',
      'answer stop',
      'commit event|',
    ]
    const place = named[((i - 1) / 2) % named.length] ?? ''
    const most = place.startsWith('answer') ? maxOfOneKind : Math.max(2, maxOfOneKind / 16)
    return i % 2 === 0 ? 'random' : `${place} ${1 + Math.floor(Math.random() * most)}`
  })
