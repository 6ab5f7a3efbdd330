import { powerCost, updateTax } from '@gridmast/contract/grid/prices.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, storedRows } from '#testing/rows.ts'

let token: string
const own = idOf('price-signal', 'north', 'dk2')
const foreign = idOf('price-signal', 'west', 'dk2')
const second = newId()

const app = await openTestApp()
const base = { customer_id: idOf('customer', 'north'), key: 'dk1', name: 'DK1', area: 'DK1', position: 9 }
await addRows(app.records, 'price_signal', { ...base, price_signal_id: second, tax_dkk_per_mwh: '7' })
beforeEach(async () => {
  token = await app.tokenOf('sudoer@north.example')
})
afterAll(() => app.close())

const save = (taxes: unknown, as = token) => app.ask(updateTax, { token: as, body: { taxes } })
const taxesOf = async (customerKey: string) => {
  const rows = await storedRows(app.records, 'price_signal', { customer_id: idOf('customer', customerKey) })
  return Object.fromEntries(rows.map((row) => [row.price_signal_id, row.tax_dkk_per_mwh]))
}

test.each(['sudoer', 'expert'])(
  'R2 a %s sets taxes; they change the power cost of the own customer only',
  async (who) => {
    const west = await taxesOf('west')
    const { status, body } = await save({ [own]: 123.456789, [second]: 0 }, await app.tokenOf(`${who}@north.example`))
    expect([status, body.message]).toEqual([200, 'Update success!'])
    expect(await taxesOf('north')).toEqual({ [own]: '123.456789', [second]: '0.000000' })
    expect(await taxesOf('west')).toEqual(west)
    const cost = async (email: string) => await app.data(powerCost, { token: await app.tokenOf(email) })
    expect((await cost('auditor@north.example')).tax).toBe('123.456789')
    expect((await cost('auditor@west.example')).tax).toBe('119')
  },
)

test.each([0.1, 0.000001, 999_999.999999, 1_000_000, 119.5])(
  'the tax %s is stored with the digits as typed',
  async (tax) => {
    expect((await save({ [own]: tax })).status).toBe(200)
    expect(Number((await taxesOf('north'))[own])).toBe(tax)
    const { body } = await app.ask(powerCost, { token })
    expect(body.data.tax).toBe(tax === 0.000001 ? '0.000001' : String(tax))
  },
)

test('C4 the change is on the audit trail with the values before and after', async () => {
  await save({ [own]: 1 })
  await save({ [own]: 2.5 })
  const [entry] = await app.records.system((tx) =>
    tx
      .selectFrom('audit_entry')
      .select(['who', 'subject', 'before', 'after', 'result'])
      .where('action', '=', 'prices.tax')
      .orderBy('entry_no', 'desc')
      .limit(1)
      .execute(),
  )
  expect(entry).toEqual({
    who: 'sudoer@north.example',
    subject: 'DK2',
    before: { 'DK2 (DKK/MWh)': 1 },
    after: { 'DK2 (DKK/MWh)': 2.5 },
    result: 'ok',
  })
})

test('T1 an unknown signal and one of another customer get the same 404, and nothing is stored', async () => {
  const before = [await taxesOf('north'), await taxesOf('west')]
  const other = await save({ [own]: 77, [foreign]: 1 })
  const unknown = await save({ [own]: 77, '019a0000-0000-7000-8000-00000000dead': 1 })
  expect([other.status, other.body]).toEqual([404, unknown.body])
  expect([await taxesOf('north'), await taxesOf('west')]).toEqual(before)
})

test.each([
  [-0.000001, 'Must be greater than or equal to 0'],
  [1_000_000.000001, 'Must be lesser than or equal to 1000000'],
  [0.1234567, 'At most 6 decimals'],
  [0.0000001, 'At most 6 decimals'],
  [null, 'This field is required'],
  ['12', 'Must be a number'],
])('a tax of %j is refused under its signal', async (tax, message) => {
  const { status, body } = await save({ [own]: tax })
  expect([status, body.errors]).toEqual([400, { [`taxes.${own}`]: message }])
})

test('a body without taxes or with an invalid id is refused', async () => {
  expect((await save({})).body.errors).toEqual({ taxes: 'This field is required' })
  expect((await save(undefined)).body.errors).toEqual({ taxes: 'This field is required' })
  expect((await save({ dk2: 1 })).body.errors).toEqual({ 'taxes.dk2': 'Not a valid id' })
})

test.each(['auditor', 'custom'])('R2 the %s sets no tax', async (who) => {
  const before = await taxesOf('north')
  expect((await save({ [own]: 5 }, await app.tokenOf(`${who}@north.example`))).status).toBe(403)
  expect(await taxesOf('north')).toEqual(before)
})
