import { verify } from '@gridmast/contract/people/auth.ts'
import { findFirstSteps, hideFirstSteps } from '@gridmast/contract/people/first-steps.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'

const app = await openTestApp()
afterAll(() => app.close())

const stepsOf = async (email: string) => {
  const { steps } = await app.data(findFirstSteps, { token: await app.tokenOf(email) })
  return Object.fromEntries(steps.map(({ step, done }) => [step, done]))
}
const profileOf = async (token: string) => (await app.data(verify, { token })).user.firstSteps

test('a provisioned company has its license and users, and nothing else', async () => {
  expect(await stepsOf('sudoer@north.example')).toEqual({
    licence: true,
    contract: false,
    edge: false,
    sample: false,
    meters: false,
    alert: false,
    secondFactor: false,
    user: true,
  })
})

test.each([
  ['expert@north.example', ['licence', 'contract', 'meters', 'alert', 'secondFactor', 'user']],
  ['auditor@north.example', ['secondFactor']],
  ['custom@north.example', ['secondFactor']],
])('R1 %s sees the steps of the role', async (email, steps) => {
  expect(Object.keys(await stepsOf(email))).toEqual(steps)
})

test('each step is done by its rows, of the own company only', async () => {
  await app.byHand(async (tx) => {
    const { customer_id } = await tx
      .selectFrom('customer')
      .select('customer_id')
      .where('key', '=', 'north')
      .executeTakeFirstOrThrow()
    await sql`update edge set last_reported_at = now() where customer_id = ${customer_id}`.execute(tx)
    await sql`
      insert into instance_contract (customer_id, instance_id, valid_from, customer_percent, partner_percent, sc_percent, enablers, auctions, default_price_eur, penalty_to)
      select customer_id, instance_id, '2026-01-01', 100, 0, 0, '{}', '{D-1 early}', 0, 'shares' from instance where customer_id = ${customer_id} limit 1`.execute(
      tx,
    )
    await sql`update app_user set totp_confirmed_at = now() where customer_id = ${customer_id} and role = 'expert'`.execute(
      tx,
    )
  })
  const done = { contract: true, edge: true, sample: false, secondFactor: true }
  expect(await stepsOf('sudoer@north.example')).toMatchObject(done)
  const { no } = await app.byHand((tx) =>
    tx
      .selectFrom('signal as s')
      .innerJoin('customer as c', 'c.customer_id', 's.customer_id')
      .select('s.no')
      .where('c.key', '=', 'north')
      .where('s.kind', '=', 'power')
      .executeTakeFirstOrThrow(),
  )
  await app.readings.append([{ signalNo: no, t0Ms: app.clock.now() - 1000, dtMs: 1000, values: [1] }])
  expect(await stepsOf('sudoer@north.example')).toMatchObject({ ...done, sample: true })
  expect(await stepsOf('sudoer@west.example')).toMatchObject({ contract: false, edge: false, secondFactor: false })
})

test('T1 hiding is the choice of one person, and undone the same way', async () => {
  const [sudoer, expert] = [await app.tokenOf('sudoer@north.example'), await app.tokenOf('expert@north.example')]
  expect(await profileOf(sudoer)).toEqual({ open: ['meters', 'alert'], hidden: false })
  await app.ask(hideFirstSteps, { token: sudoer, body: { hidden: true } })
  expect(await profileOf(sudoer)).toMatchObject({ hidden: true })
  expect(await profileOf(expert)).toMatchObject({ hidden: false })
  await app.ask(hideFirstSteps, { token: sudoer, body: { hidden: false } })
  expect(await profileOf(sudoer)).toMatchObject({ hidden: false })
})
