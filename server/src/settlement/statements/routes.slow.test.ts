import { randomBytes } from 'node:crypto'
import { unsubscribe } from '@gridmast/contract/people/email-subscriptions.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/settlement/statements.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { readXlsx } from 'hucre'
import { sql } from 'kysely'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { dueAt, type OwnRows, type StatementKind } from '#people/letters/monthly-statement.ts'
import { addChargers, monthlyCharging } from '#testing/chargers.ts'
import {
  addBid,
  type Bidder,
  clear,
  decide,
  measure,
  placeRequest,
  setContract,
  settleDue,
} from '#testing/settlements.ts'
import { changeRows, storedRows } from '#testing/rows.ts'
import { findMonth } from './queries.ts'
import { nextMonth, sendDue } from './send.ts'
import { settlementStatement } from './settlement-statement.ts'

const first = '2026-09-01'
const [before, due] = ['2026-10-05T05:59:00Z', '2026-10-05T06:00:00Z']

let app: TestApp
let of: Bidder
let token: string
const kinds = [settlementStatement, monthlyCharging]
const sendAt = async (iso: string) => {
  app.setNow(iso)
  await sendDue(app, kinds)
}
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://portal.example' })
  await addChargers(app.records, [{ identity: 'CP1' }])
  of = await placeRequest(app.records, first)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow('2026-09-20T06:00:00Z')
  token = await app.tokenOf('sudoer@north.example')
  await app.byHand(async (tx) => {
    for (const table of ['statement_reader', 'statement_sent', 'statement_version', 'outbox'] as const)
      await tx.deleteFrom(table).execute()
  })
  await clear(app)
  await setContract(app.records, of)
  for (const day of [first, addDays(first, 1)]) await addBid(app.records, of, day, 10)
  await measure(app, of, first)
  await decide(app.records, '2.50')
  await settleDue(app, 0)
})

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

const add = (body: object, as = token) =>
  app.ask(contract.addStatementReader, {
    token: as,
    body: { email: 'Books@north.example', kind: 'settlement', ...body },
  })
const mails = () =>
  app.records.system((tx) =>
    tx
      .selectFrom('outbox')
      .select((of_) => of_.ref('payload').$castTo<Mailed>().as('mail'))
      .where('kind', '=', 'mail')
      .orderBy('created_at')
      .execute(),
  )
type Mailed = {
  to: string
  subject: string
  text: string
  unsubscribe: string
  attachments: { name: string; base64: string }[]
}
const download = async (query: Record<string, string>, month = '2026-09', as = token) => {
  const { rawPayload, statusCode } = await app.http.inject({
    method: 'GET',
    url: `/api/client/statement/${month}`,
    query,
    headers: { authorization: `Bearer ${as}` },
  })
  return { status: statusCode, bytes: rawPayload }
}
const printedBytes = async (bytes: Buffer) =>
  (await extractText(new Uint8Array(bytes), { mergePages: true })).text.replaceAll(/\s+/g, ' ')
const printed = async (query: Record<string, string> = {}) => printedBytes((await download(query)).bytes)

const addGroupWithSession = () =>
  app.byHand(async (tx) => {
    const { customer_id } = of
    const [group_id, tag_id, created_at] = [newId(), newId(), new Date('2026-09-01T00:00:00Z')]
    await tx
      .insertInto('charger_tag_group')
      .values({ customer_id, group_id, name: 'Vans', active: true, created_at })
      .execute()
    await tx
      .insertInto('charger_tag')
      .values({ customer_id, tag_id, tag: 'VAN1', name: 'Van', active: true, group_id, created_at })
      .execute()
    await tx
      .insertInto('charger_transaction')
      .values({
        customer_id,
        charger_id: idOf('charger', 'north', 'CP1'),
        evse_no: 1,
        transaction_id: newId(),
        tag_id,
        tag: 'VAN1',
        mode: 'tag',
        state: 'ended',
        started_at: '2026-09-12T10:00:00Z',
        ended_at: '2026-09-12T11:00:00Z',
        consumption_wh: 12_000,
      })
      .execute()
    return { groupId: group_id }
  })

describe('the statement of a month', () => {
  test('as a PDF in both languages has sums, shares, versions and a note on energy', async () => {
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

  test('has – for unknown energy, and the known part next to it', async () => {
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

  test('as a sheet has the version of each settlement, also as a table', async () => {
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

  test('has a dash and a note for unpublished results, a missing contract and unknown energy', async () => {
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

  test('T1 is a 404 without settlements and for another company', async () => {
    expect((await download({}, '2026-08')).status).toBe(404)
    expect((await download({}, '2026-09', await app.tokenOf('sudoer@west.example'))).status).toBe(404)
    expect((await download({}, '2026-13')).status).toBe(400)
  })
})

describe('monthly mails', () => {
  test('C4 a statement is mailed once on the 5th at 8 o’clock in the language of its recipient', async () => {
    await add({})
    await changeRows({ system: app.byHand }, 'customer', { customer_id: of.customer_id }, { language: 'da' })
    await add({ email: 'sudoer@north.example' })
    await changeRows({ system: app.byHand }, 'app_user', { email: 'sudoer@north.example' }, { language: 'en' })
    await sendAt(before)
    expect(await mails()).toEqual([])
    await sendAt(due)
    await sendAt(due)
    await sendAt('2026-10-28T06:00:00Z')
    const sent = (await mails()).map(({ mail }) => mail)
    expect(sent.map(({ to, subject }) => `${to}: ${subject}`).toSorted()).toEqual([
      'Books@north.example: Afregningsopgørelse 2026-09, North',
      'sudoer@north.example: Settlement statement 2026-09, North',
    ])
    expect(sent[0]?.attachments.map(({ name }) => name)).toEqual([
      'Settlements 2026-09.pdf',
      'Settlements 2026-09.xlsx',
    ])
    const english = sent.find(({ to }) => to.startsWith('sudoer'))
    expect(await printedBytes(Buffer.from(english?.attachments[0]?.base64 ?? '', 'base64'))).toContain(
      'Your revenue 1,40 EUR',
    )
    expect(english?.text).toContain('https://portal.example/eConomics?tab=statements')
    const trail = await storedRows(app.records, 'audit_entry', { action: 'statement.send' }, [
      'who',
      'subject',
      'after',
    ])
    expect(trail).toHaveLength(2)
    expect(trail[0]).toMatchObject({ who: 'Gridmast', after: { month: '2026-09', kind: 'settlement' } })
    await app.byHand((tx) => tx.updateTable('customer').set({ language: 'en' }).execute())
  })

  test('after a downtime missing statements are mailed, and a later recipient begins with the next month', async () => {
    await add({})
    await sendAt('2026-11-20T06:00:00Z')
    expect((await mails()).map(({ mail }) => mail.subject)).toEqual(['Settlement statement 2026-09, North'])
    token = await app.tokenOf('sudoer@north.example')
    await add({ email: 'late@north.example' })
    await sendAt('2026-11-21T06:00:00Z')
    expect(await mails()).toHaveLength(1)
  })

  test('unsettled days are counted in the list, the PDF, the sheet and the mail', async () => {
    const notSettled = [2, 3].map((days) => addDays(first, days))
    for (const day of notSettled) await addBid(app.records, of, day, 10)
    await add({})
    await sendAt(due)
    token = await app.tokenOf('sudoer@north.example')
    const months = async () => (await app.data(contract.findStatementMonths, { token })).months
    expect(await months()).toMatchObject([{ month: '2026-09', settlements: 2, unsettledDays: 2, unpublished: 0 }])
    expect(await printed()).toContain('The month is not complete: 2 days are not settled yet. The sums may change.')
    expect(await printed({ language: 'da' })).toContain(
      'Måneden er ikke komplet: 2 dage er ikke afregnet endnu. Summerne kan ændre sig.',
    )
    const { sheets } = await readXlsx((await download({ format: 'xlsx' })).bytes)
    expect(sheets[0]?.rows.map((row) => row.slice(0, 2))).toContainEqual(['Days not settled yet', '2'])
    const [sent] = (await mails()).map(({ mail }) => mail)
    expect(sent?.text).toContain('The month is not complete: 2 days are not settled yet.')
    await settleDue(app, 0)
    expect(await months()).toMatchObject([{ settlements: 4, unsettledDays: 0 }])
    expect(await printed()).not.toContain('not settled yet')
    await decide(app.records, '3.00')
    expect(await months()).toMatchObject([{ settlements: 4, unsettledDays: 4 }])
  })

  test('a statement that fails is retried eight times in ten hours, and a store that is away does not count', async () => {
    await add({})
    await sendAt(before)
    let makes = 0
    const broken = (error: Error): StatementKind => ({
      kind: 'settlement',
      make: () => (makes++, Promise.reject(error)),
    })
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    for (const minute of [0, 5, 10]) {
      app.setNow(new Date(Date.parse(due) + minute * 60_000).toISOString())
      await expect(sendDue(app, [broken(away)])).rejects.toThrow(away)
    }
    expect(makes).toBe(3)
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      app.setNow(new Date(Date.parse(due) + minute * 60_000).toISOString())
      await sendDue(app, [broken(new Error('absurd'))])
    }
    expect(makes).toBe(3 + 8)
    await sendAt('2026-10-07T06:00:00Z')
    expect(await mails()).toEqual([])
  })

  test('a month that was corrected after its mail is flagged in the list and the PDF', async () => {
    await add({})
    await sendAt(due)
    app.setNow('2026-10-10T06:00:00Z')
    token = await app.tokenOf('sudoer@north.example')
    await decide(app.records, '3.00')
    await settleDue(app, 0)
    const { months } = await app.data(contract.findStatementMonths, { token })
    expect(months).toEqual([
      {
        month: '2026-09',
        settlements: 2,
        unsettledDays: 0,
        unpublished: 0,
        unshared: 0,
        corrected: 2,
        customerEur: '1.68',
        version: 1,
        sent: { at: '2026-10-05T06:00:00.000Z', readers: 1, changedSince: 2 },
      },
    ])
    const text = await printed()
    expect(text).toContain(
      'What changed since version 1 Version 2 replaces version 1 of 05.10.2026 08:00:00, which was mailed. 2 settlements differ.',
    )
    expect(text).toContain('01.09.2026 North Cold FCR-D-DEC 1,00 1,20 0,70 0,84')
    const { sheets } = await readXlsx((await download({ format: 'xlsx' })).bytes)
    expect(sheets[0]?.rows.filter((row) => row.includes('Changed')).length).toBe(3)
    expect(text).toContain('Version Settlements Newest settled 2 2 10.10.2026 08:00:00')
  })

  test('a version is stored when it is mailed, and an unchanged draft is the same file until then', async () => {
    await printed()
    await add({})
    const versions = () => storedRows(app.records, 'statement_version', {}, ['month', 'version', 'sha256'])
    app.setNow('2026-10-06T06:00:00Z')
    token = await app.tokenOf('sudoer@north.example')
    const first_ = await download({})
    app.setNow('2026-10-07T06:00:00Z')
    token = await app.tokenOf('sudoer@north.example')
    expect((await download({})).bytes.equals(first_.bytes)).toBe(true)
    expect(await printedBytes(first_.bytes)).toContain('This is a draft of version 1')
    expect(await versions()).toEqual([])
    await sendDue(app, kinds)
    const [only, ...others] = await versions()
    expect([only?.month, only?.version, others]).toEqual(['2026-09', 1, []])
    const [stored] = await storedRows(app.records, 'statement_version', {}, ['settlements'])
    const [products] = Object.values(stored?.settlements as Record<string, Record<string, unknown[][]>>)
    expect(Object.values(products ?? {})[0]?.[0]).toEqual([1, expect.any(Number), expect.stringMatching(/^[\w-]{16}$/)])
    const sha = `SHA-256 of its content: ${only?.sha256.toString('hex')}.`
    const mailed = await printed()
    expect([(await printedBytes(first_.bytes)).includes(sha), mailed.includes(sha)]).toEqual([true, true])
    expect(mailed).toContain('This is version 1 of the statement')
  })

  test('C4 the link of a mail unsubscribes its recipient once without a sign-in', async () => {
    await add({})
    await add({ email: 'other@north.example' })
    await sendAt(due)
    const [mail] = (await mails()).map((one) => one.mail).filter(({ to }) => to.startsWith('Books'))
    expect(mail?.text).toContain(`Stop receiving it, without signing in:\n${mail?.unsubscribe}`)
    const id = mail?.unsubscribe?.split('/').at(-1) ?? ''
    const stop = (of_: string) => app.ask(unsubscribe, { body: { id: of_ } })
    expect((await stop(`${id.slice(0, -2)}AA`)).status).toBe(401)
    expect((await stop(id.replace('statement-', ''))).status).toBe(401)
    expect((await stop(id)).status).toBe(200)
    expect((await stop(id)).status).toBe(401)
    token = await app.tokenOf('sudoer@north.example')
    const { readers } = await app.data(contract.findStatementReaders, { token })
    expect(readers.map(({ email }) => email)).toEqual(['other@north.example'])
    const trail = await storedRows(app.records, 'audit_entry', { action: 'statement.unsubscribe' }, ['who', 'subject'])
    expect(trail).toEqual([{ who: 'Books@north.example', subject: 'Books@north.example' }])
  })

  test('the charging of a tag group is mailed at the same time, except without sessions', async () => {
    const { groupId } = await addGroupWithSession()
    const added = await add({ kind: 'charging', groupId })
    expect([added.status, added.body.data.reader.groupName]).toEqual([200, 'Vans'])
    await add({ kind: 'charging' })
    await sendAt(due)
    const sent = (await mails()).map(({ mail }) => mail)
    expect(sent.map(({ subject }) => subject)).toEqual(['Charging statement, Vans, North'])
    expect(sent[0]?.attachments.map(({ name }) => name)).toEqual([
      'Charging 2026-09 Vans.pdf',
      'Charging 2026-09 Vans.xlsx',
    ])
    const { readers, next } = await app.data(contract.findStatementReaders, {
      token: await app.tokenOf('auditor@north.example'),
    })
    expect(readers.map(({ kind, groupName, last }) => [kind, groupName, last?.month ?? null])).toEqual([
      ['charging', null, null],
      ['charging', 'Vans', '2026-09'],
    ])
    expect(next).toEqual({ month: '2026-10', at: '2026-11-05T07:00:00.000Z' })
  })

  test('an attachment that is too large is omitted with a note', async () => {
    await add({})
    const large = {
      ...settlementStatement,
      make: async (...asked: Parameters<typeof settlementStatement.make>) => {
        const make = await settlementStatement.make(...asked)
        const rows = Array.from({ length: 900 }, () => [randomBytes(9000).toString('base64')])
        return (
          make &&
          (async (language: 'en' | 'da') => ({
            ...(await make(language)),
            file: { fileName: 'x', sheet: 'x', columns: [{ header: 'x' }], rows },
          }))
        )
      },
    }
    app.setNow(due)
    await sendDue(app, [large])
    const [sent] = (await mails()).map(({ mail }) => mail)
    expect(sent?.attachments.map(({ name }) => name)).toEqual(['Settlements 2026-09.pdf'])
    expect(sent?.text).toContain('download the rest in the portal')
  })
})

test('R4 a duplicate or invalid address and a group of another company are refused', async () => {
  expect((await add({})).body.message).toBe(m.statementReaderAdded)
  const again = await add({ email: 'BOOKS@north.example' })
  expect([again.status, again.body.errors]).toEqual([409, { email: m.statementReaderThere }])
  expect((await add({ email: 'books' })).body.errors).toEqual({ email: m.email })
  expect((await add({ kind: 'charging', groupId: of.request_id })).status).toBe(404)
  const { readers } = await app.data(contract.findStatementReaders, { token })
  const removed = await app.ask(contract.removeStatementReader, { token, params: { id: readers[0]?._id ?? '' } })
  expect(removed.body.message).toBe(m.statementReaderRemoved)
})

test('the due time is the 5th at 8 o’clock in Denmark, in summer and winter', () => {
  const iso = (month: string) => new Date(dueAt(month)).toISOString()
  expect([iso('2026-09'), iso('2026-10'), iso('2026-12')]).toEqual([
    '2026-10-05T06:00:00.000Z',
    '2026-11-05T07:00:00.000Z',
    '2027-01-05T07:00:00.000Z',
  ])
  expect([Date.parse(before), Date.parse(due)].map(nextMonth)).toEqual(['2026-09', '2026-10'])
})
