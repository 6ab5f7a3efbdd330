import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/settlement/statements.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { readXlsx } from 'hucre'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { OwnRows } from '#people/letters/monthly-statement.ts'
import { addBid, settleDue } from '#testing/settlements.ts'
import { changeRows } from '#testing/rows.ts'
import { findMonth } from './queries.ts'
import { first, openStatements } from './statements.fixture.ts'

const { app, of, token, restart, addReader, download, printed } = await openStatements()
beforeEach(restart)
afterAll(() => app.close())

test('a month that is settled again while it is read is that of one moment', async () => {
  for (const times of [1, 9]) {
    let reads = 0
    const own: OwnRows = async (work) => {
      const answer = await app.records.tenant(of.customer_id, work)
      if (JSON.stringify(answer).includes('"product"') && reads++ < times)
        await app.records.system((tx) =>
          sql`update settlement
          set version = version + 1, customer_eur = ${reads}, made_at = made_at + interval '1 second'`.execute(tx),
        )
      return answer
    }
    const { rows } = await findMonth(own, of.customer_id, '2026-09')
    expect([reads, new Set(rows.map((row) => Number(row.customer_eur)))]).toEqual([
      times === 1 ? 2 : 3,
      new Set([times === 1 ? 1 : 2]),
    ])
  }
})

test('the statement of a month as a PDF in both languages has sums, shares, versions and a note on energy', async () => {
  const english = await printed()
  expect(english).toContain('Settlement statement North · 01.09.2026 – 30.09.2026')
  expect(english).toContain('Your revenue 1,40 EUR Gross 2,00 EUR')
  expect(english).toContain('North Cold FCR-D-DEC 2,00 0,00 2,00 1,40 0,60 –')
  expect(english).toContain('You 1,40 70 % Partner 0,40 20 % SC 0,20 10 %')
  expect(english).toContain('The products of this month are not paid for activated energy.')
  expect(english).toContain('The month is not over')
  expect(english).toContain('Version Settlements Newest settled 1 2 20.09.2026 08:00:00')
  expect(await printed({ language: 'da' })).toContain('Afregningsopgørelse North · 01.09.2026 – 30.09.2026')
})

test('the revenue of a running month is of the days that are over; the other days are expected', async () => {
  const months = async () =>
    (await app.data(contract.findStatementMonths, { token: await token() })).months.map(
      ({ month, customerEur, expectedEur }) => [month, customerEur, expectedEur],
    )
  expect(await months()).toEqual([['2026-09', '1.40', null]])
  app.setNow('2026-09-02T10:00:00Z')
  expect(await months()).toEqual([['2026-09', '0.70', '0.70']])
  const english = await printed()
  expect(english).toContain('Your revenue 0,70 EUR Gross 1,00 EUR')
  expect(english).toContain('Expected, not yet earned: 0,70 EUR of 1 settlement of days that are not over')
  expect(english).toContain('North Cold FCR-D-DEC 1,00 0,00 1,00 0,70 0,30 –')
  expect((await download({ format: 'csv' })).bytes.toString()).toContain(`${addDays(first, 1)},North Cold`)
  app.setNow('2026-09-01T10:00:00Z')
  expect(await months()).toEqual([['2026-09', null, '1.40']])
  expect(await printed({ language: 'da' })).toContain('Forventet, endnu ikke tjent: 1,40 EUR fra 2 afregninger')
})

test('a statement has – for unknown energy, and the known part next to it', async () => {
  const afrr = { market: 'aFRR', product: 'aFRR-INC', auction: '', regulation_price_eur: '80' }
  const lost = { ...afrr, won: false, marginal_price_eur: '1', decided_by: 'price' }
  const won = { ...lost, won: true, won_mw: '0.4' }
  await addBid(app.records, of, first, 12, won)
  await addBid(app.records, of, addDays(first, 1), 12, lost)
  await settleDue(app, 0)
  const unknown = await printed()
  expect(unknown).toContain('Energy revenue – EUR')
  expect(unknown).toMatch(/North Cold aFRR-INC [\d, −]+ –/)
  await changeRows(
    { system: app.byHand },
    'settlement',
    { product: 'aFRR-INC', day: addDays(first, 1) },
    { energy_eur: '3.20', energy_state: 'known', won_mw: '0.4' },
  )
  expect(await printed()).toContain('Energy, known part 3,20 EUR')
})

test('a statement as a sheet has the version of each settlement, also as a table', async () => {
  const { sheets } = await readXlsx((await download({ format: 'xlsx' })).bytes)
  const rows = sheets[0]?.rows ?? []
  const head = rows.findIndex(([cell]) => cell === 'Date')
  expect(rows[head]).toContain('Version')
  expect(rows.slice(head + 1).map((row) => row.slice(1, 8))).toEqual([
    ['North Cold', 'FCR-D-DEC', 0.4, 1, 0, 1, 0.7],
    ['North Cold', 'FCR-D-DEC', 0.4, 1, 0, 1, 0.7],
  ])
  expect((await download({ format: 'csv' })).bytes.toString()).toContain(
    'North Cold,FCR-D-DEC,0.4,1,0,1,0.7,0.2,0.1,0,,Yes,Yes,1',
  )
})

test('a statement has a dash and a note for unpublished results, a missing contract and unknown energy', async () => {
  await app.byHand(async (tx) => {
    await tx.updateTable('settlement').set({ market: 'aFRR', product: 'aFRR-INC' }).where('day', '=', first).execute()
    await tx
      .updateTable('settlement')
      .set({ is_result_fetched: false, customer_eur: null, partner_eur: null, sc_eur: null, enablers: null })
      .where('day', '>', first)
      .execute()
  })
  const text = await printed()
  expect(text).toContain('1 settlement has no published result yet.')
  expect(text).toContain('no valid contract: the shares of 1,00 EUR are unknown')
  expect(text).toContain(
    '1 settlement was won on a market that pays for activated energy, and its energy revenue is unknown.',
  )
  expect(text).toMatch(/Energy revenue – ?EUR/)
})

test('T1 a statement is a 404 without settlements and for another company', async () => {
  expect((await download({}, '2026-08')).status).toBe(404)
  expect((await download({}, '2026-09', app.tokenOf('sudoer@west.example'))).status).toBe(404)
  expect((await download({}, '2026-13')).status).toBe(400)
})

test('R4 a duplicate or invalid address and a group of another company are refused', async () => {
  expect((await addReader()).body.message).toBe(m.statementReaderAdded)
  const again = await addReader({ email: 'BOOKS@north.example' })
  expect([again.status, again.body.errors]).toEqual([409, { email: m.statementReaderThere }])
  expect((await addReader({ email: 'books' })).body.errors).toEqual({ email: m.email })
  expect((await addReader({ kind: 'charging', groupId: of.request_id })).status).toBe(404)
  const { readers } = await app.data(contract.findStatementReaders, { token: await token() })
  const removed = await app.ask(contract.removeStatementReader, {
    token: await token(),
    params: { id: readers[0]?._id ?? '' },
  })
  expect(removed.body.message).toBe(m.statementReaderRemoved)
})
