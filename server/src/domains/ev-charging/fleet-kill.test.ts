import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#platform/migrate.ts'
import { provisionTwoCustomers } from '#testing/factories.ts'
import { openWholeServer } from '#testing/whole-server.ts'
import { addChargers, addTags, connectCharger } from './charger.fixture.ts'

const [chargers, sessions, kills] = [100, 2, 2]
const perSession = 3
const names = Array.from({ length: chargers }, (_, i) => `k-${i}`)

let server: Awaited<ReturnType<typeof openWholeServer>>
beforeAll(async () => {
  server = await openWholeServer(join(import.meta.dirname, 'kill-at.process.ts'))
  await server.rows(async (records) => {
    await migrate(records)
    await provisionTwoCustomers(records)
    await addChargers(
      records,
      names.map((identity) => ({ identity })),
    )
    await addTags(records, [{ tag: 'ANNA' }])
  })
}, 120_000)
afterAll(() => server.close())

/** What each charger has been answered: its own record, which the server's is held against. */
type Ledger = { identity: string; answered: number; ids: number[] }

const at = (no: number, session: number, minute: number) =>
  new Date(Date.UTC(2026, 10, 20, 6 + session * 2, minute, no % 60)).toISOString()
const startWh = (no: number, session: number) => 1000 * no + 10_000 * session
const energyWh = (no: number, session: number) => 500 + no * 7 + session

/** The messages of a charger in their order, three to a session. */
const messageOf = (no: number, index: number, ids: readonly number[]) => {
  const [session, step] = [Math.floor(index / perSession), index % perSession]
  const transactionId = ids[session]
  const endWh = startWh(no, session) + energyWh(no, session)
  if (step === 0)
    return [
      'StartTransaction',
      { connectorId: 1, idTag: 'ANNA', meterStart: startWh(no, session), timestamp: at(no, session, 0) },
    ] as const
  const sampledValue = [{ value: String(endWh - 100) }]
  if (step === 1)
    return [
      'MeterValues',
      { connectorId: 1, transactionId, meterValue: [{ timestamp: at(no, session, 20), sampledValue }] },
    ] as const
  return [
    'StopTransaction',
    { transactionId, meterStop: endWh, timestamp: at(no, session, 40), idTag: 'ANNA' },
  ] as const
}

test('D2 kill -9 at any moment with a hundred chargers that say again what was not answered: each session once, with its own energy', async () => {
  const ledgers = names.map((identity): Ledger => ({ identity, answered: 0, ids: [] }))
  const most = sessions * perSession
  let answers = 0
  const work = async (ledger: Ledger, no: number, onAnswer: () => void) => {
    const charger = await connectCharger(server.port, ledger.identity)
    while (ledger.answered < most) {
      const index = ledger.answered
      const [action, payload] = messageOf(no, index, ledger.ids)
      const { payload: answer, error } = await charger.call(action, payload, `m-${index}`)
      expect(error).toBeNull()
      if (index % perSession === 0) ledger.ids.push(Number(answer['transactionId']))
      ledger.answered++
      onAnswer()
    }
    await charger.close()
  }
  for (let kill = 1; kill <= kills; kill++) {
    const running = await server.serve('never')
    // Somewhere in its share of all answers, another one each time.
    const dieAt = Math.floor(((kill - 0.5 + (Math.random() - 0.5) * 0.8) * chargers * most) / (kills + 1))
    const die = () => {
      if (++answers === dieAt) running.child.kill('SIGKILL')
    }
    await Promise.allSettled(ledgers.map((ledger, no) => work(ledger, no, die)))
    expect((await running.ended)[1]).toBe('SIGKILL')
  }
  const last = await server.serve('never')
  await Promise.all(ledgers.map((ledger, no) => work(ledger, no, () => {})))
  last.child.kill('SIGTERM')
  await last.ended

  const stored = await server.rows((records) =>
    records.system(async (tx) => ({
      rows: await tx
        .selectFrom('charger_transaction as t')
        .innerJoin('charger as c', 'c.charger_id', 't.charger_id')
        .select(['c.identity', 't.no', 't.state', 't.consumption_wh', 't.estimated'])
        .execute(),
      registers: await tx.selectFrom('charger_register').select('wh').execute(),
      messages: await tx.selectFrom('charger_message').select('natural_key').execute(),
    })),
  )
  const expected = ledgers.flatMap(({ identity, ids }, no) =>
    ids.map((id, session) => ({
      ...{ identity, no: id, state: 'ended', estimated: false },
      consumption_wh: energyWh(no, session).toFixed(3),
    })),
  )
  const byNo = (a: { no: number }, b: { no: number }) => a.no - b.no
  expect(stored.rows.toSorted(byNo)).toEqual(expected.toSorted(byNo))
  expect([stored.registers.length, stored.messages.length]).toEqual([chargers * sessions, chargers * sessions * 2])
}, 300_000)
