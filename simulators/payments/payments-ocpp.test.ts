import { getChargerTransaction } from '@gridmast/contract/charging/sessions.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { countCosts } from '../../server/src/charging/costs/count.ts'
import { key, openDoor } from '../../server/src/charging/ledger/charger.fixture.ts'
import { openCharger, type SimulatedCharger } from '../charge-point/charger.ts'
import type { ChargerOfFile } from '../charge-point/world-file.ts'
import { openDesk } from './payments.fixture.ts'

let charger: SimulatedCharger | undefined
// The wait for a charger's answer uses the machine's clock.
const desk = await openDesk(new Date().toISOString())
const door = await openDoor(desk.app)
await desk.saveAccount()
afterEach(async () => {
  charger?.close()
  await expect.poll(isOnline).toBe(false)
})
afterAll(async () => {
  await door?.close()
  await desk?.close()
})

const isOnline = async () =>
  (await desk.app.records.system((tx) => tx.selectFrom('charger').select('online').executeTakeFirstOrThrow())).online
const connect = async (simulatedVersion: ChargerOfFile['simulatedVersion']) => {
  charger = openCharger({
    charger: {
      identity: 'P1',
      type: 'AC',
      connectors: 2,
      maxKw: 22,
      password: key,
      simulated: true,
      simulatedVersion,
      simulatedAs: 'normal',
      customerKey: 'north',
    },
    url: `ws://127.0.0.1:${door.port}/ocpp`,
    now: desk.now,
  })
  await expect.poll(() => charger?.isOpen()).toBe(true)
  await expect.poll(isOnline).toBe(true)
  return charger
}
const payment = async (id: string) => (await desk.shown(id)).payment
const costOf = async (id: string) =>
  (await desk.app.data(getChargerTransaction, { token: await desk.sudoer(), params: { id } })).transaction

test.each(['ocpp1.6', 'ocpp2.0.1'] as const)(
  'an approved payment starts a charger of %s, its metered cost is captured once and the rest released',
  async (version) => {
    const plugged = await connect(version)
    const _id = await desk.approved()
    await expect.poll(() => plugged.isFree(1)).toBe(false)
    await expect.poll(async () => (await desk.follow(), (await payment(_id)).state)).toBe('charging')
    for (let quarter = 0; quarter < 3; quarter++) {
      await desk.pass(15 * 60_000)
      plugged.pass(900)
    }
    await plugged.unplug(1)
    const { transactionId } = await payment(_id)
    await expect.poll(async () => (await costOf(transactionId ?? '')).status).toBe('ended')
    await countCosts(desk.app)
    await desk.settled(_id)
    const { consumption } = await costOf(transactionId ?? '')
    const after = await payment(_id)
    expect(consumption).toBeGreaterThan(5)
    // 2.50 DKK per kWh, to the øre.
    const ore = Math.round((consumption ?? 0) * 250)
    expect(after).toMatchObject({ state: 'captured', captured: (ore / 100).toFixed(2), kwh: consumption })
    expect(await desk.provider.taken(_id)).toEqual([ore])
    expect(await desk.provider.held(_id)).toMatchObject({ captured: ore, cancelled: 20_000 - ore })
  },
)

test('a charger that refuses to start releases the whole reservation', async () => {
  const plugged = await connect('ocpp1.6')
  plugged.fault('refuse', 1)
  const _id = await desk.approved()
  await desk.settled(_id)
  expect((await payment(_id)).state).toBe('released')
  expect(await desk.provider.held(_id)).toMatchObject({ captured: 0, cancelled: 20_000 })
  expect(plugged.isFree(1)).toBe(true)
})
