import { type AuditAction, type AuditEntry, findAudit, verifyAudit } from '@gridmast/contract/people/audit.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { writeAudit } from '#platform/records/audit.ts'
import { openTestApp } from '#testing/app.ts'
import { storedRow } from '#testing/rows.ts'

const app = await openTestApp()
const sudoer = await app.signIn('sudoer@north.example')
const expert = await storedRow(app.records, 'app_user', { email: 'expert@north.example' }, ['customer_id', 'user_id'])
const customerId = expert.customer_id
const expertId = expert.user_id
afterAll(() => app.close())

const write = (at: string, action: AuditAction, who = 'sudoer@north.example', more: object = {}) =>
  app.records.tenant(customerId, (tx) =>
    writeAudit(tx, customerId, Date.parse(at), { userId: null, who, action, subject: 'x', result: 'ok', ...more }),
  )
const clear = () =>
  app.records.owner((db) => db.deleteFrom('audit_entry').where('customer_id', '=', customerId).execute())

type Page = { entries: AuditEntry[]; totalCount: number; actions: string[] }
const find = async (query: Record<string, string> = {}): Promise<Page> => {
  const answer = await app.ask(findAudit, { token: sudoer, query })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const numbers = async (query: Record<string, string>) => (await find(query)).entries.map((entry) => entry.entryNo)

describe('GET /client/audit', () => {
  beforeEach(async () => {
    await clear()
    await write('2026-10-24T21:59:59.999Z', 'auth.login') // 24 October, 23:59 in Berlin
    await write('2026-10-24T22:00:00Z', 'auth.logout', 'expert@north.example', { userId: expertId })
    await write('2026-10-25T22:59:59.999Z', 'profile.update', 'expert_%@north.example', {
      before: { name: 'A' },
      after: { name: 'B' },
    }) // the 25-hour day of 2026 ends here
    await write('2026-10-25T23:00:00Z', 'authority.change' as AuditAction) // an action of another version
  })

  test('the filter of changes excludes sign-ins and downloads', async () => {
    expect(await numbers({ changes: 'only' })).toEqual([4, 3])
  })

  test('entries are listed newest first by page, with the total and the available actions', async () => {
    const page = await find({ limit: '2', skip: '1' })
    expect(page.entries.map((entry) => entry.entryNo)).toEqual([3, 2])
    expect(page.totalCount).toBe(4)
    expect(page.actions).toEqual(['auth.login', 'auth.logout', 'authority.change', 'profile.update'])
    expect(page.entries[0]).toEqual({
      entryNo: 3,
      at: '2026-10-25T22:59:59.999Z',
      userId: null,
      who: 'expert_%@north.example',
      action: 'profile.update',
      subject: 'x',
      before: { name: 'A' },
      after: { name: 'B' },
      result: 'ok',
      answer: null,
      requestId: null,
    })
  })

  test('days are local days of Berlin, including the 25-hour day', async () => {
    expect(await numbers({ startDate: '2026-10-25', endDate: '2026-10-25' })).toEqual([3, 2])
    expect(await numbers({ endDate: '2026-10-24' })).toEqual([1])
    expect(await numbers({ startDate: '2026-10-26' })).toEqual([4])
  })

  test('who matches a part of an e-mail or name without patterns; action matches a whole action or a domain', async () => {
    expect(await numbers({ who: 'EXPERT@' })).toEqual([2])
    expect(await numbers({ who: 'Exper' })).toEqual([3, 2])
    expect(await numbers({ who: '_%' })).toEqual([3])
    expect(await numbers({ who: "' or 1=1 --" })).toEqual([])
    expect(await numbers({ action: 'auth' })).toEqual([2, 1])
    expect(await numbers({ action: 'auth.log' })).toEqual([])
    expect(await numbers({ action: 'auth.login', who: 'sudoer' })).toEqual([1])
    expect(await numbers({ action: 'a%' })).toEqual([])
  })

  test.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ skip: '-1' }, 'skip'],
    [{ startDate: '2026-13-01' }, 'startDate'],
    [{ who: 'x'.repeat(101) }, 'who'],
    [{ format: 'pdf' }, 'format'],
  ])('R3 %j is refused', async (query, field) => {
    const answer = await app.ask(findAudit, { token: sudoer, query })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field])
  })

  test('an end before the start is refused, an equal day is accepted', async () => {
    const answer = await app.ask(findAudit, {
      token: sudoer,
      query: { startDate: '2026-10-25', endDate: '2026-10-24' },
    })
    expect(answer).toMatchObject({ status: 400, body: { errors: { endDate: "End date can't be before start date" } } })
  })

  test('T1 each customer reads its own trail', async () => {
    const token = await app.signIn('auditor@west.example')
    expect((await app.ask(findAudit, { token })).text).not.toContain('north.example')
  })
})

describe('the audit trail as a file', () => {
  test('C4 L2 the file has the whole filtered range without formulas and is on the trail itself', async () => {
    await clear()
    for (let i = 0; i < 150; i++) await write('2026-11-01T12:00:00Z', 'auth.login')
    await write('2026-11-02T12:00:00Z', 'auth.login', '=HYPERLINK("x")')
    await write('2026-11-03T12:00:00Z', 'auth.logout')
    const { text, headers } = await app.ask(findAudit, {
      token: sudoer,
      query: { format: 'csv', action: 'auth.login', limit: '1' },
    })
    expect(headers['content-disposition']).toContain('Audit_trail_2026-11-01--2026-11-02.csv')
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(152)
    expect(lines[0]).toContain('Time (Europe/Berlin),Time (UTC),Who')
    expect(lines[1]).toContain(`151,2026-11-02 13:00:00,2026-11-02T12:00:00.000Z,"'=HYPERLINK(""x"")",auth.login`)
    const [newest] = (await find()).entries
    expect(newest).toMatchObject({ action: 'export', subject: 'Audit trail 2026-11-01--2026-11-02' })
  })

  test('the file is available as xlsx', async () => {
    const answer = await app.ask(findAudit, { token: sudoer, query: { format: 'xlsx' } })
    expect(answer.headers['content-type']).toContain('spreadsheetml')
    expect(answer.text.startsWith('PK')).toBe(true)
  })

  test('L1 the longest range is 400 days, and a refused one is not on the trail', async () => {
    await clear()
    await write('2025-01-01T12:00:00Z', 'auth.login')
    await write('2026-02-04T12:00:00Z', 'auth.login')
    const ask = (query: Record<string, string> = {}) =>
      app.ask(findAudit, { token: sudoer, query: { format: 'csv', ...query } })
    expect((await ask({ endDate: '2026-02-05' })).status).toBe(200)
    await write('2026-02-05T12:00:00Z', 'auth.logout')
    expect(await ask({ endDate: '2026-02-05' })).toMatchObject({
      status: 400,
      body: { errors: { startDate: m.exportTooLong(limits.exportDays) } },
    })
    expect((await find({ action: 'export' })).totalCount).toBe(1)
  })

  test('a file without entries has a header only', async () => {
    const { text } = await app.ask(findAudit, { token: sudoer, query: { format: 'csv', who: 'nobody' } })
    expect(text.trim().split('\r\n')).toHaveLength(1)
  })
})

test('C4 GET /client/audit/verify states whether the chain is whole and where it breaks', async () => {
  await clear()
  for (const action of ['auth.login', 'profile.update', 'export'] as const) await write('2026-11-01T12:00:00Z', action)
  const verified = async () => await app.data(verifyAudit, { token: sudoer })
  expect(await verified()).toEqual({ entries: 3, whole: true, firstBroken: null })
  await app.records.owner((db) =>
    db
      .updateTable('audit_entry')
      .set({ who: 'someone else' })
      .where('customer_id', '=', customerId)
      .where('entry_no', '=', 2)
      .execute(),
  )
  expect(await verified()).toEqual({ entries: 1, whole: false, firstBroken: 2 })
})

test('a device answer is done or refused with its reason, in entries of every version', async () => {
  await clear()
  const at = '2026-11-01T12:00:00Z'
  const answers = [
    [{ result: 'Accepted' }, 'ok', 'Accepted'],
    [{ result: 'APPLIED' }, 'ok', 'APPLIED'],
    [{ result: 'Rejected' }, 'refused', 'Rejected'],
    [{ result: 'timeout' }, 'refused', 'timeout'],
    [{ result: 'ok', after: { command: 'x', answer: 'Scheduled' } }, 'ok', 'Scheduled'],
    [{ result: 'refused', after: { command: 'x', answer: 'Faulted' } }, 'refused', 'Faulted'],
    [{ result: 'refused' }, 'refused', null],
  ] as const
  for (const [given] of answers) await write(at, 'charger.answer', 'charger', given)
  const { entries } = await find()
  expect(entries.toReversed().map(({ result, answer }) => [result, answer])).toEqual(answers.map(([, ...said]) => said))
})
