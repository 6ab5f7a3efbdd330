import * as contract from '@gridmast/contract/reconciliation.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { addBid, decide, measure, placeRequest, setContract, settleDue } from '#testing/settlements.ts'
import { plantStatements } from './demo-statement.ts'
import { recompareDue } from './recompare.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await openTestApp()
  app.setNow('2026-10-10T06:00:00Z')
  token = await app.tokenOf('expert@north.example')
  const of = await placeRequest(app.records, '2026-09-01')
  await setContract(app.records, of)
  for (let n = 0; n < 30; n++)
    for (const product of ['FCR-D-DEC', 'FCR-D-INC']) {
      const day = addDays('2026-09-01', n)
      await addBid(app.records, of, day, 10, { product, market: product })
      if (product === 'FCR-D-DEC') await measure(app, of, day)
    }
  await app.byHand((tx) =>
    tx.updateTable('customer').set({ demo: true }).where('customer_id', '=', of.customer_id).execute(),
  )
})
afterAll(() => app.close())

const statements = async () => (await app.ask(contract.findStatements, { token })).body.data.statements

test('the last month of a demo, once it is settled, has a statement with a difference of each cause; a removed one stays away', async () => {
  await settleDue(app, 0)
  app.setNow('2026-10-10T06:06:00Z')
  await plantStatements(app)
  expect(await statements()).toEqual([])
  await decide(app.records, '2.50')
  await settleDue(app, 0)
  await plantStatements(app)
  expect(await statements()).toEqual([])
  app.setNow('2026-10-10T06:12:00Z')
  await plantStatements(app)
  await plantStatements(app)
  const [made, ...more] = await statements()
  expect([made?.name, made?.firstDay, made?.lastDay, more]).toEqual([
    'Afregning 01.09.2026 – 30.09.2026 (simuleret).csv',
    '2026-09-01',
    '2026-09-30',
    [],
  ])
  const id = made?._id ?? ''
  const get = async () =>
    (await app.ask(contract.getReconciliation, { token, params: { id }, query: { show: 'all', limit: '100' } })).body
      .data
  const { lines, sums, statement } = await get()
  for (const [cause, eur] of Object.entries(sums.parts)) expect([cause, Number(eur) === 0]).toEqual([cause, false])
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['agrees', 'differs', 'not-in-statement']))
  expect(statement.unsettled).toBeLessThan(statement.lines / 5)
  await recompareDue(app)
  expect((await get()).sums).toEqual(sums)
  await app.ask(contract.removeReconciliation, { token, params: { id } })
  await plantStatements(app)
  expect(await statements()).toEqual([])
})
