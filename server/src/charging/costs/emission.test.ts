import { registerCharger } from '@gridmast/contract/charging/chargers.ts'
import { saveChargingPrice } from '@gridmast/contract/charging/charging-costs.ts'
import { getChargerTransaction } from '@gridmast/contract/charging/sessions.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { addPricedCharger, count, putDay, putEmission, putSession } from './costs.fixture.ts'

const app = await openTestApp()
app.setNow('2026-11-22T12:00:00Z')
const token = await app.tokenOf('sudoer@north.example')
await putDay(app, '2026-11-20', () => 100)
await putEmission(app, '2026-11-20', 50)
await putEmission(app, '2026-11-20', 200, 'DK1')
afterAll(() => app.close())

const session = { from: '2026-11-20T09:00:00Z', to: '2026-11-20T10:00:00Z', wh: 2000 }
const kgCo2Of = async (of: { identity: string; charger?: string }) => {
  const id = await putSession(app, { ...session, ...of })
  await count(app)
  return (await app.data(getChargerTransaction, { token, params: { id } })).transaction.cost?.kgCo2
}

test('the emission of a session is that of the grid area of its charger, not of its price area', async () => {
  await addPricedCharger(app, 'EAST')
  await addPricedCharger(app, 'WEST')
  await app.byHand((tx) => tx.updateTable('charger').set({ area: 'DK1' }).where('identity', '=', 'WEST').execute())
  expect([await kgCo2Of({ identity: 'EAST' }), await kgCo2Of({ identity: 'WEST' })]).toEqual([0.1, 0.4])
})

test('a charger registered in an area is counted by its grid, and an area outside the customer is refused', async () => {
  const body = { identity: 'GATE', name: 'Gate', chargerType: 'AC', connectors: 1, maxKw: 22, area: 'DK1' }
  const charger = (await app.data(registerCharger, { token, body }))._id
  const price = { chargers: [charger], validFrom: '2026-11-01', area: 'DK2', taxValue: 119 }
  expect((await app.ask(saveChargingPrice, { token, body: price })).status).toBe(200)
  expect(await kgCo2Of({ identity: 'GATE', charger })).toBe(0.4)
  const wrong = await app.ask(registerCharger, { token, body: { ...body, identity: 'OTHER', area: 'NO1' } })
  expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([400, ['area']])
})
