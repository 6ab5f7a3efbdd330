import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { storedRows } from '#testing/rows.ts'
import * as fixture from './economics.fixture.ts'
import { settleDue } from './settle-due.ts'

const day = '2026-09-15'
const dayBefore = '2026-09-14'

const app = await openTestApp()
const of = await fixture.placeRequest(app.records, day)
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow('2026-09-16T06:00:00Z')
  await fixture.clear(app)
  await contract()
})

const contract = (part: object = {}) => fixture.setContract(app.records, of, part)
const bid = (slot: number, date = day) => fixture.addBid(app.records, of, date, slot)
const decide = (eur: string) => fixture.decide(app.records, eur)
const measure = (date = day, minutes?: [number, number]) => fixture.measure(app, of, date, minutes)
const settleNow = () => settleDue(app, 0)
const settleBid = async () => {
  await measure()
  await bid(10)
  await decide('10')
  await settleNow()
}
const rows = () =>
  storedRows(app.records, 'settlement', {}, [
    'product',
    'version',
    'is_closed',
    'is_result_fetched',
    'gross_eur',
    'penalty_eur',
    'customer_eur',
  ])
const earlier = () => storedRows(app.records, 'settlement_revision', {}, ['version', 'gross_eur'], ['version'])
const absurd = { capacity_mw: '9000', won_mw: '9000', won: true, marginal_price_eur: '9000000000' }
const due = () => storedRows(app.records, 'settlement_due', {}, ['day'])

test('a day is provisional until its results are published, then settled, and a new price is a new version', async () => {
  await measure()
  app.setNow(new Date(dayBounds(day).fromMs + 8 * hourMs).toISOString())
  await bid(10)
  await bid(11)
  await settleNow()
  const open = { product: 'FCR-D-DEC', version: 1, is_closed: false }
  expect(await rows()).toMatchObject([{ ...open, is_result_fetched: false, gross_eur: null }])
  await decide('3.5')
  await settleNow()
  expect(await rows()).toMatchObject([{ ...open, is_result_fetched: true, gross_eur: '2.80' }])
  app.setNow('2026-09-16T06:00:00Z')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, is_closed: true, gross_eur: '2.80', customer_eur: '1.96' }])
  expect(await earlier()).toEqual([])
  await decide('4')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, gross_eur: '3.20', customer_eur: '2.24' }])
  expect(await earlier()).toEqual([{ version: 1, gross_eur: '2.80' }])
  expect(await due()).toEqual([])
})

test('a silence of 61 minutes costs both hours until its samples arrive', async () => {
  await settleNow()
  await measure(dayBefore, [0, 10 * 60 + 30])
  await measure(dayBefore, [11 * 60 + 31, 1440])
  for (const n of [9, 10, 11, 12]) await bid(n, dayBefore)
  await decide('5')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, gross_eur: '4.00', penalty_eur: '-4.00' }])
  await measure(dayBefore, [10 * 60 + 30, 11 * 60 + 31])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, gross_eur: '8.00', penalty_eur: '0.00' }])
})

test('a silence over midnight costs the last hour until samples of the next day arrive', async () => {
  const [first, next] = ['2026-09-11', '2026-09-12']
  await settleNow()
  await measure(first, [0, 1430])
  await measure(next, [8, 60])
  for (const n of [22, 23]) await bid(n, first)
  await decide('5')
  await settleNow()
  expect(await rows()).toMatchObject([{ penalty_eur: '-2.00' }])
  await measure(next, [0, 5])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, penalty_eur: '0.00' }])
})

test('a changed contract settles its days again, and an equal one does not', async () => {
  await settleBid()
  expect(await rows()).toMatchObject([{ version: 1, customer_eur: '2.80' }])
  await contract({ customer_percent: '70' })
  expect(await due()).toEqual([])
  await contract({ customer_percent: '60', partner_percent: '30' })
  expect(await due()).toEqual([{ day }])
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 2, customer_eur: '2.40' }])
})

test('a day that is marked during its settlement is settled again, without a version for equal figures', async () => {
  await settleBid()
  await decide('10')
  expect(await due()).toEqual([{ day }])
  await settleNow()
  expect([await rows(), await earlier(), await due()]).toMatchObject([[{ version: 1 }], [], []])
})

test('a day with a number out of range is skipped until it is corrected, and all others are settled', async () => {
  for (const date of [dayBefore, day]) await measure(date)
  await bid(10)
  await decide('10')
  await fixture.addBid(app.records, of, dayBefore, 10, { ...absurd, decided_by: 'result-file' })
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 1, gross_eur: '4.00' }])
  expect(await due()).toEqual([{ day: dayBefore }])
  expect((await app.data(systemStatus, { token: await app.tokenOf('sudoer@north.example') })).sources).toContainEqual(
    expect.objectContaining({ source: 'Settlements', detail: '1 day could not be calculated; tried again each hour' }),
  )
  await settleNow()
  expect(await rows()).toHaveLength(1)
  await decide('5')
  await settleNow()
  expect((await rows()).map(({ gross_eur }) => gross_eur)).toEqual(['2.00', '2.00'])
  expect(await due()).toEqual([])
})

test('while the readings store is away no day is postponed and no error is logged', async () => {
  await measure()
  await bid(10)
  await decide('10')
  const errors: unknown[] = []
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const readings = { ...app.readings, buckets: () => Promise.reject(away) }
  const log = { ...app.log, error: (...told: unknown[]) => void errors.push(told) }
  await expect(settleDue({ ...app, readings, log }, 0)).rejects.toThrow(away)
  expect([errors, await due(), await rows()]).toEqual([[], [{ day }], []])
  await settleNow()
  expect(await rows()).toMatchObject([{ gross_eur: '4.00' }])
})

test('a mark younger than a minute is not settled', async () => {
  await bid(10)
  await settleDue(app)
  expect(await rows()).toEqual([])
  await app.records.system((tx) => sql`update settlement_due set marked_at = marked_at - interval '61 s'`.execute(tx))
  await settleDue(app)
  expect(await rows()).toHaveLength(1)
})

describe('inconsistent contracts', () => {
  const settled = async () => {
    await settleBid()
    return (await rows()).map(({ gross_eur, customer_eur }) => [gross_eur, customer_eur])
  }
  test('of two overlapping contracts the later one applies', async () => {
    await contract({ valid_from: '2026-09-10', customer_percent: '50', partner_percent: '40', valid_to: '2026-12-01' })
    expect(await settled()).toEqual([['4.00', '2.00']])
  })

  test('a day without a contract or with one that is not 100 percent has a gross without shares', async () => {
    await contract({ valid_to: day })
    await contract({ valid_from: '2026-09-16', customer_percent: '50', partner_percent: '40' })
    expect(await settled()).toEqual([['4.00', null]])
    await contract({ valid_to: null, customer_percent: '75' })
    await settleNow()
    expect(await rows()).toMatchObject([{ gross_eur: '4.00', customer_eur: null }])
    await contract({ customer_percent: '70' })
    await settleNow()
    expect(await rows()).toMatchObject([{ customer_eur: '2.80' }])
  })
})

test('bids that are placed again continue the versions of their settlement', async () => {
  await settleBid()
  await decide('11')
  await settleNow()
  await fixture.changeBids(app.records, (tx) => tx.deleteFrom('bid').execute())
  await settleNow()
  expect(await rows()).toEqual([])
  await bid(10)
  await decide('12')
  await settleNow()
  await decide('13')
  await settleNow()
  expect(await rows()).toMatchObject([{ version: 4, gross_eur: '5.20' }])
  expect((await earlier()).map(({ version }) => version)).toEqual([1, 2, 3])
})
