import type { ResultRow } from '@gridmast/contract/trading/bid-files.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { PortalRole } from '@gridmast/contract/roles.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { toasts } from '#testing/toasts.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { ResultFileDialog } from './ResultFileDialog.tsx'

const counts = { rows: 2, first: 0, changed: 1, confirmed: 0, same: 0, 'no-bid': 1, wrong: 0, contradictions: 0 }
const changed: ResultRow = {
  line: 2,
  kind: 'changed',
  mistake: null,
  instance: 'Cold store 1',
  product: 'FFR',
  auction: '',
  start: '2026-11-20T10:00:00Z',
  bid: { capacityMw: '2', priceEur: '3' },
  wonMw: '1.5',
  marginalPriceEur: '3.5',
  before: { wonMw: '2', marginalPriceEur: '3.5' },
  publishedEur: '3.5',
  contradiction: null,
}
const answer = {
  before: null,
  names: ['Unit', 'From', 'MW'],
  columns: { instance: 'Unit', start: 'From', wonMw: 'MW' },
  missing: null,
  counts,
  rows: [changed],
  days: { first: '2026-11-20', last: '2026-11-20' },
  saved: false,
}
const taken = {
  _id: '01930000-0000-7000-8000-000000000001',
  name: 'october.xlsx',
  takenBy: 'ada@north.example',
  takenAt: '2026-11-02T10:00:00Z',
  bids: 744,
  changed: 3,
  contradictions: 1,
}

const show = async (take: Parameters<typeof answerCalls>[0][string], userRole: PortalRole = 'expert') => {
  const requests = answerCalls({
    'POST /client/data/bid-result': take,
    'GET /client/data/bid-result': () => ({ data: { files: [taken], totalCount: 1 } }),
  })
  await showAt(
    '/x',
    <UserProvider value={someUser({ userRole })}>
      <ResultFileDialog opened onClose={() => {}} />
    </UserProvider>,
  )
  await expect.element(page.getByRole('row', { name: /october.xlsx/ })).toBeVisible()
  return () => requests.filter(({ call }) => call.startsWith('POST')).map(({ body }) => JSON.stringify(body))
}
const choose = async () => {
  const input = document.querySelector('input[type=file]')
  if (!input) throw new Error('no field for a file')
  await userEvent.upload(input, new File(['x'], 'november.csv'))
}

test('a result file is previewed before it decides: its changes, and how its columns were read', async () => {
  const requests = await show(({ body }) => ({
    data: { ...answer, saved: JSON.stringify(body).includes(String.raw`\"save\":true`) },
  }))
  await choose()
  const row = page.getByRole('row', { name: /Cold store 1/ })
  await expect.element(row.getByText('2,000 → 1,500')).toBeVisible()
  await expect.element(row.getByText('20.11.2026 11:00')).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Accepted (MW)' })).toHaveValue('MW')
  await expectClean()
  await page.getByRole('button', { name: 'Import 1 result' }).click()
  await expect.poll(() => toasts).toEqual(['1 result imported'])
  expect(requests()[1]).toContain(String.raw`\"columns\":{\"instance\":\"Unit\",\"start\":\"From\",\"wonMw\":\"MW\"}`)
})

test('a contradiction to a published price is imported only after a confirmation', async () => {
  const rows: ResultRow[] = [{ ...changed, contradiction: 'won-above' }]
  const requests = await show(() => ({ data: { ...answer, rows, counts: { ...counts, contradictions: 1 } } }))
  await choose()
  await expect.element(page.getByText('Won, though the bid is above the published price')).toBeVisible()
  const take = page.getByRole('button', { name: 'Import 1 result' })
  await expect.element(take).toBeDisabled()
  await page.getByRole('checkbox').click()
  await take.click()
  await expect.poll(() => requests()[1]).toContain(String.raw`\"contradictions\":1`)
})

test('unclear columns are chosen manually; the same file again is reported', async () => {
  let requests = 0
  await show(() =>
    requests++ === 0
      ? { data: { ...answer, missing: m.resultNoStart, counts: { ...counts, rows: 0 }, rows: [], columns: {} } }
      : { data: { ...answer, before: taken, rows: [], counts: { ...counts, rows: 0 } } },
  )
  await choose()
  await expect.element(page.getByText(m.resultNoStart)).toBeVisible()
  await page.getByRole('combobox', { name: 'Start' }).click()
  await page.getByRole('option', { name: 'From' }).click()
  await expect.element(page.getByText('This file has already been imported. Nothing changes.')).toBeVisible()
})

test('R1 an auditor reads imported files and cannot import', async () => {
  await show(() => ({ status: 403 }), 'auditor')
  await expect.element(page.getByRole('button', { name: 'Choose a file' })).not.toBeInTheDocument()
  await expectClean()
})
