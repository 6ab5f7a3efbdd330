import { afterAll, afterEach, expect, test } from 'vitest'
import { openMetrics } from '#platform/process/metrics.ts'
import type { Records } from '#platform/records/records.ts'
import { openTestApp } from '#testing/app.ts'
import { dyingRecords } from '#testing/scripts.ts'
import { storedRows } from '#testing/rows.ts'
import { addChargers, addTags, connectCharger, iso, openDoor } from './charger.fixture.ts'

const closers: (() => Promise<void>)[] = []
const app = await openTestApp()
await addChargers(
  app.records,
  ['D1', 'D2', 'D3'].map((identity) => ({ identity })),
)
await addTags(app.records, [{ tag: 'ANNA' }])
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
afterAll(() => app.close())

const sessions = () => storedRows(app.records, 'charger_transaction', {}, ['state', 'consumption_wh'], ['no'])

const connect = async (identity: string, records: Records) => {
  const door = await openDoor({ ...app, records, metrics: openMetrics() })
  closers.push(() => door.close().catch(() => {})) // a dead server has nothing to write
  const charger = await connectCharger(door.port, identity)
  closers.push(charger.close)
  await charger.boot()
  return charger
}

const startTransaction = { connectorId: 1, idTag: 'ANNA', meterStart: 1000, timestamp: iso(3600) }

test.each([
  ['before the row', 0, 'D1'],
  ['before the commit of the row', 0, 'D2'],
  ['after the row', 1, 'D3'],
] as const)(
  'a crash %s of a session stores all of it or nothing, and the repeated message is one session',
  async (where, left, identity) => {
    const before = await sessions()
    let isDead = false
    const { records, begin } = dyingRecords(
      app.records,
      where,
      async (tx) => (await tx.selectFrom('charger_transaction').select('no').execute()).length > before.length,
      () => {
        isDead = true
        throw new Error('died')
      },
    )
    const dying = await connect(identity, records)
    begin()
    await expect(dying.call('StartTransaction', startTransaction, 'start')).rejects.toThrow('closed')
    expect(isDead).toBe(true)
    expect(await sessions()).toHaveLength(before.length + left)

    const charger = await connect(identity, app.records)
    const started = await charger.call('StartTransaction', startTransaction, 'start')
    expect(started.payload).toMatchObject({ idTagInfo: { status: 'Accepted' } })
    const { transactionId } = started.payload
    await charger.call('StopTransaction', { transactionId, meterStop: 5000, timestamp: iso(10) })
    const made = (await sessions()).slice(before.length)
    expect(made.map(({ state, consumption_wh }) => [state, Number(consumption_wh)])).toEqual([['ended', 4000]])
  },
)
