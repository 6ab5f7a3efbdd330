import { randomBytes } from 'node:crypto'
import { unsubscribe } from '@gridmast/contract/people/email-subscriptions.ts'
import * as contract from '@gridmast/contract/settlement/statements.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { readXlsx } from 'hucre'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { dueAt, type StatementKind } from '#people/letters/monthly-statement.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { addBid, decide, settleDue } from '#testing/settlements.ts'
import { addRows, changeRows, storedRows } from '#testing/rows.ts'
import { nextMonth, sendDue } from './send.ts'
import { settlementStatement } from './settlement-statement.ts'
import { before, due, first, kinds, openStatements, printedBytes } from './statements.fixture.ts'

const { app, of, token, restart, addReader, download, printed, sendAt, mails } = await openStatements()
beforeEach(restart)
afterAll(() => app.close())

const addGroupWithSession = async () => {
  const { customer_id } = of
  const [group_id, tag_id, created_at] = [newId(), newId(), new Date('2026-09-01T00:00:00Z')]
  await addRows(app.records, 'charger_tag_group', { customer_id, group_id, name: 'Vans', active: true, created_at })
  const tag = { customer_id, tag_id, tag: 'VAN1', name: 'Van', active: true, group_id, created_at }
  await addRows(app.records, 'charger_tag', tag)
  await addRows(app.records, 'charger_transaction', {
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
  return { groupId: group_id }
}

test('C4 a statement is mailed once on the 5th at 8 o’clock in the language of its recipient', async () => {
  await addReader()
  await changeRows({ system: app.byHand }, 'customer', { customer_id: of.customer_id }, { language: 'da' })
  await addReader({ email: 'sudoer@north.example' })
  await changeRows({ system: app.byHand }, 'app_user', { email: 'sudoer@north.example' }, { language: 'en' })
  await sendAt(before)
  expect(await mails()).toEqual([])
  await sendAt(due)
  await sendAt(due)
  await sendAt('2026-10-28T06:00:00Z')
  const sent = await mails()
  expect(sent.map(({ to, subject }) => `${to}: ${subject}`).toSorted()).toEqual([
    'Books@north.example: Afregningsopgørelse 2026-09, North',
    'sudoer@north.example: Settlement statement 2026-09, North',
  ])
  expect(sent[0]?.attachments.map(({ name }) => name)).toEqual(['Settlements 2026-09.pdf', 'Settlements 2026-09.xlsx'])
  const english = sent.find(({ to }) => to.startsWith('sudoer'))
  expect(await printedBytes(Buffer.from(english?.attachments[0]?.base64 ?? '', 'base64'))).toContain(
    'Your revenue 1,40 EUR',
  )
  expect(english?.text).toContain('https://portal.example/eConomics?tab=statements')
  const trail = await storedRows(app.records, 'audit_entry', { action: 'statement.send' }, ['who', 'subject', 'after'])
  expect(trail).toHaveLength(2)
  expect(trail[0]).toMatchObject({ who: 'Gridmast', after: { month: '2026-09', kind: 'settlement' } })
  await app.byHand((tx) => tx.updateTable('customer').set({ language: 'en' }).execute())
})

test('after a downtime missing statements are mailed, and a later recipient begins with the next month', async () => {
  await addReader()
  await sendAt('2026-11-20T06:00:00Z')
  expect((await mails()).map(({ subject }) => subject)).toEqual(['Settlement statement 2026-09, North'])
  await addReader({ email: 'late@north.example' })
  await sendAt('2026-11-21T06:00:00Z')
  expect(await mails()).toHaveLength(1)
})

test('unsettled days are counted in the list, the PDF, the sheet and the mail', async () => {
  const notSettled = [2, 3].map((days) => addDays(first, days))
  for (const day of notSettled) await addBid(app.records, of, day, 10)
  await addReader()
  await sendAt(due)
  const months = async () => (await app.data(contract.findStatementMonths, { token: await token() })).months
  expect(await months()).toMatchObject([{ month: '2026-09', settlements: 2, unsettledDays: 2, unpublished: 0 }])
  expect(await printed()).toContain('The month is not complete: 2 days are not settled yet. The sums may change.')
  expect(await printed({ language: 'da' })).toContain(
    'Måneden er ikke komplet: 2 dage er ikke afregnet endnu. Summerne kan ændre sig.',
  )
  const { sheets } = await readXlsx((await download({ format: 'xlsx' })).bytes)
  expect(sheets[0]?.rows.map((row) => row.slice(0, 2))).toContainEqual(['Days not settled yet', '2'])
  const [sent] = await mails()
  expect(sent?.text).toContain('The month is not complete: 2 days are not settled yet.')
  await settleDue(app, 0)
  expect(await months()).toMatchObject([{ settlements: 4, unsettledDays: 0 }])
  expect(await printed()).not.toContain('not settled yet')
  await decide(app.records, '3.00')
  expect(await months()).toMatchObject([{ settlements: 4, unsettledDays: 4 }])
})

test('a statement that fails is retried eight times in ten hours, and a store that is away does not count', async () => {
  await addReader()
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
  await addReader()
  await sendAt(due)
  app.setNow('2026-10-10T06:00:00Z')
  await decide(app.records, '3.00')
  await settleDue(app, 0)
  const { months } = await app.data(contract.findStatementMonths, { token: await token() })
  expect(months).toEqual([
    {
      month: '2026-09',
      settlements: 2,
      unsettledDays: 0,
      unpublished: 0,
      unshared: 0,
      corrected: 2,
      customerEur: '1.68',
      expectedEur: null,
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
  await addReader()
  const versions = () => storedRows(app.records, 'statement_version', {}, ['month', 'version', 'sha256'])
  app.setNow('2026-10-06T06:00:00Z')
  const first_ = await download({})
  app.setNow('2026-10-07T06:00:00Z')
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
  await addReader()
  await addReader({ email: 'other@north.example' })
  await sendAt(due)
  const [mail] = (await mails()).filter(({ to }) => to.startsWith('Books'))
  expect(mail?.text).toContain(`Stop receiving it, without signing in:\n${mail?.unsubscribe}`)
  const id = mail?.unsubscribe?.split('/').at(-1) ?? ''
  const stop = (of_: string) => app.ask(unsubscribe, { body: { id: of_ } })
  expect((await stop(`${id.slice(0, -2)}AA`)).status).toBe(401)
  expect((await stop(id.replace('statement-', ''))).status).toBe(401)
  expect((await stop(id)).status).toBe(200)
  expect((await stop(id)).status).toBe(401)
  const { readers } = await app.data(contract.findStatementReaders, { token: await token() })
  expect(readers.map(({ email }) => email)).toEqual(['other@north.example'])
  const trail = await storedRows(app.records, 'audit_entry', { action: 'statement.unsubscribe' }, ['who', 'subject'])
  expect(trail).toEqual([{ who: 'Books@north.example', subject: 'Books@north.example' }])
})

test('the charging of a tag group is mailed at the same time, except without sessions', async () => {
  const { groupId } = await addGroupWithSession()
  const added = await addReader({ kind: 'charging', groupId })
  expect([added.status, added.body.data.reader.groupName]).toEqual([200, 'Vans'])
  await addReader({ kind: 'charging' })
  await sendAt(due)
  const sent = await mails()
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
  await addReader()
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
  const [sent] = await mails()
  expect(sent?.attachments.map(({ name }) => name)).toEqual(['Settlements 2026-09.pdf'])
  expect(sent?.text).toContain('download the rest in the portal')
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
