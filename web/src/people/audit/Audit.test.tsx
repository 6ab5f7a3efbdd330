import type { AuditEntry } from '@gridmast/contract/people/audit.ts'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, fetched } from '#testing/answers.ts'
import { UserProvider } from '#lib/user.tsx'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import AuditTrail from './AuditTrail.tsx'
import { VerifyChain } from './VerifyChain.tsx'

const entry: AuditEntry = {
  entryNo: 7,
  at: '2026-11-20T17:12:08Z',
  userId: null,
  who: 'expert@nordhavn.example',
  action: 'customer.details',
  subject: 'Nordhavn Frost A/S',
  before: { primaryContactName: 'Mads Sørensen', billingEmail: 'a@b.dk', contact: '1234' },
  after: { primaryContactName: 'Kim Holm', billingEmail: null, contact: '1234', required: true },
  result: 'ok',
  answer: null,
  requestId: 'request-1',
}
const range = 'startDate=2026-10-22&endDate=2026-11-20'

const show = () =>
  showAt(
    '/audit',
    <UserProvider value={someUser()}>
      <AuditTrail />
    </UserProvider>,
    'en',
    '?start=2026-10-22&end=2026-11-20',
  )

const open = async (entries: AuditEntry[] = [entry], totalCount = entries.length) => {
  answerCalls({
    'GET /client/audit': () => ({
      data: { entries, totalCount, actions: ['auth.login', 'customer.details', 'tool.cleaned'] },
    }),
  })
  await show()
  return () => fetched().map((url) => url.replace(`/api/client/audit?${range}&`, ''))
}

test('an entry has time, user, action in words, subject and result', async () => {
  await open()
  const row = page.getByRole('row', { name: /expert@nordhavn.example/ })
  for (const text of ['20.11.2026 18:12:08', 'Edited the company profile', 'Nordhavn Frost A/S', 'OK', '7'])
    await expect.poll(() => row.element().textContent).toContain(text)
})

test('verifying waits for the entries, so that their rows do not push it down', async () => {
  const entries = Promise.withResolvers<void>()
  answerCalls({
    'GET /client/audit': async () => {
      await entries.promise
      return { data: { entries: [entry], totalCount: 1, actions: [] } }
    },
  })
  await show()
  const verifying = page.getByRole('region', { name: 'Verify the trail' })
  await expect.element(page.getByRole('region', { name: 'Audit trail' })).toBeVisible()
  await expect.element(verifying).not.toBeInTheDocument()
  entries.resolve()
  await expect.element(verifying).toBeVisible()
})

test('an opened entry shows each changed field, before and after, and no other', async () => {
  await open()
  const opener = page.getByRole('button', { name: 'Open entry 7: Edited the company profile' })
  await userEvent.click(opener)
  const cells = () => [...document.querySelectorAll('[role=dialog] tbody tr')].map((row) => row.textContent)
  await expect
    .poll(cells)
    .toEqual(['Primary contact nameMads SørensenKim Holm', 'Billing emaila@b.dk–', 'Required for everyone–Yes'])
  await expect.element(page.getByText('request-1')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(opener).toHaveFocus()
})

test('days of the record are shown as everywhere else, names of files as they are', async () => {
  const values = { before: { day: '2026-11-10' }, after: { day: '2026-11-12' } }
  await open([
    { ...entry, entryNo: 9, ...values, action: 'scope-2.make', subject: '2026-11-10 to 2026-11-12' },
    { ...entry, entryNo: 8, action: 'export', subject: 'Flight record FCR 2026-11-10.jsonl' },
  ])
  await expect.element(page.getByRole('cell', { name: '10.11.2026 – 12.11.2026' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Flight record FCR 2026-11-10.jsonl' })).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: /^Open entry 9/ }))
  await expect.element(page.getByRole('dialog').getByText('10.11.2026 – 12.11.2026')).toBeVisible()
  await expect.element(page.getByRole('row', { name: 'Day 10.11.2026 12.11.2026' })).toBeVisible()
})

test('an imported statement names its counts in words and its days as a span', async () => {
  const days = { first: '2026-11-01', last: '2026-11-15' }
  await open([
    {
      ...entry,
      before: null,
      after: { days, foreign: 1, 'not-settled': 2, differenceEur: '-6.14' },
      action: 'reconciliation.take',
    },
  ])
  await userEvent.click(page.getByRole('button', { name: /^Open entry/ }))
  const cells = () => [...document.querySelectorAll('[role=dialog] tbody tr')].map((row) => row.textContent)
  await expect
    .poll(cells)
    .toEqual(['Days–01.11.2026 – 15.11.2026', 'Rows of other instances–1', 'Not in Gridmast–2', 'Difference (€)–-6.14'])
})

test('a refusal is shown by its word', async () => {
  await open([{ ...entry, result: 'refused' }])
  await expect.element(page.getByText('Refused')).toBeVisible()
})

test('the word of a charger is shown with its meaning', async () => {
  await open([{ ...entry, answer: 'Accepted' }])
  await expect.element(page.getByText('Accepted')).toBeVisible()
})

describe('filters and paging send a request', () => {
  test('a user, after a pause in typing', async () => {
    const requests = await open()
    await userEvent.fill(page.getByRole('textbox', { name: 'Who' }), ' kim ')
    await expect.poll(requests).toContain('who=kim&changes=only&limit=30&skip=0')
  })

  test.each([
    ['Sign-in: all', 'action=auth&limit=30&skip=0'],
    ['Signed in', 'action=auth.login&limit=30&skip=0'],
  ])('action %s', async (option, query) => {
    const requests = await open()
    await userEvent.click(page.getByRole('combobox', { name: 'Action' }))
    await expect.element(page.getByRole('option', { name: 'tool.cleaned' })).toBeInTheDocument()
    await userEvent.click(page.getByRole('option', { name: option }))
    await expect.poll(requests).toContain(query)
  })

  test('the second page', async () => {
    const requests = await open(
      Array.from({ length: 30 }, (_, i) => ({ ...entry, entryNo: 31 - i })),
      31,
    )
    await userEvent.click(page.getByRole('button', { name: 'Page 2' }))
    await expect.poll(requests).toContain('changes=only&limit=30&skip=30')
  })

  test('the file contains the filtered entries', async () => {
    const requests = await open()
    await userEvent.fill(page.getByRole('textbox', { name: 'Who' }), 'kim')
    await expect.poll(requests).toContain('who=kim&changes=only&limit=30&skip=0')
    await userEvent.click(page.getByRole('button', { name: 'Export' }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Download CSV' }))
    await expect.poll(requests).toContain('who=kim&changes=only&format=csv')
  })
})

test('an empty list names its days', async () => {
  await open([])
  await expect.element(page.getByText('No Records To Display')).toBeVisible()
  await expect.element(page.getByText('Nothing from 22.10.2026 to 20.11.2026 matches the filter.')).toBeVisible()
})

describe('C4 verifying', () => {
  const verify = async (data: unknown) => {
    answerCalls({ 'GET /client/audit/verify': () => ({ data }) })
    await showAt('/audit', <VerifyChain />)
    await userEvent.click(page.getByRole('button', { name: 'Verify' }))
  }

  test('a complete trail is confirmed, with its length', async () => {
    await verify({ entries: 1234, whole: true, firstBroken: null })
    await expect.element(page.getByText('The trail is intact: 1.234 entries.')).toBeVisible()
  })

  test('a broken one names the first entry that does not fit', async () => {
    await verify({ entries: 41, whole: false, firstBroken: 42 })
    await expect
      .element(page.getByText('The trail is broken: entry 42 is the first that does not match.'))
      .toBeVisible()
  })
})
