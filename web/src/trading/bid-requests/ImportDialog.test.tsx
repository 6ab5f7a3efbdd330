import type { ImportedRequest } from '@gridmast/contract/trading/bid-files.ts'
import { m } from '@gridmast/contract/messages.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { closeLive, liveStatus } from '#lib/live.ts'
import { tokenStore } from '#lib/session.ts'
import { toasts } from '#testing/toasts.ts'
import { answerCalls, openStream } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { ImportDialog } from './ImportDialog.tsx'

const row = (line: number, over: Partial<ImportedRequest> = {}): ImportedRequest => ({
  line,
  instance: 'Cold store 1',
  biddingMarket: 'FFR',
  startDate: '2026-12-01',
  endDate: '2026-12-24',
  excludedCount: 2,
  customBidding: true,
  offered: { slots: 6, mostMw: 0.4 },
  mistakes: 0,
  warnings: [],
  ...over,
})
const good = { sheet: 'Bud', requests: [row(2)], mistakes: [], mistakeCount: 0, saved: false }
const mistake = { row: 3, column: 'MW 05:00', cell: 'N3', found: 'much', expected: m.number }
const bad = {
  ...good,
  requests: [row(2), row(3, { startDate: 'soon', offered: null, mistakes: 1 })],
  mistakes: [mistake],
  mistakeCount: 1,
}

type Answers = Parameters<typeof answerCalls>[0]
const show = async (answer: Answers[string], more: Answers = {}) => {
  const requests = answerCalls({ 'POST /client/data/bid-request/import': answer, ...more })
  await showAt('/x', <ImportDialog market="FFR" opened onClose={() => {}} />)
  return () => requests.map(({ body }) => body)
}
const choose = async () => {
  await expect.element(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  const input = document.querySelector('input[type=file]')
  if (!input) throw new Error('no field for a file')
  await userEvent.upload(input, new File(['x'], 'bids.xlsx'))
}

test('a file is previewed before it is saved, and then all its requests are created', async () => {
  const requests = await show(({ body }) => ({ data: { ...good, saved: JSON.stringify(body).includes('true') } }))
  await choose()
  await expect
    .element(page.getByRole('row', { name: /Cold store 1/ }).getByText('6 slots, up to 0,400 MW'))
    .toBeVisible()
  await expectClean()
  await page.getByRole('button', { name: 'Create 1 request' }).click()
  await expect.poll(() => toasts).toEqual(['1 bid request created'])
  expect(requests()).toMatchObject([
    { values: expect.stringContaining('{"save":false') },
    { values: expect.stringContaining('{"save":true'), file: { name: 'bids.xlsx' } },
  ])
})

test('cells with mistakes are named, and nothing can be saved', async () => {
  await show(() => ({ data: bad }))
  await choose()
  const mistakes = page.getByRole('table', { name: 'Mistakes' })
  await expect.element(mistakes.getByRole('rowheader', { name: 'N3' })).toBeVisible()
  const cells = [...mistakes.element().querySelectorAll('td')].map(({ textContent }) => textContent)
  expect(cells).toEqual(['N3', '3', 'MW 05:00', 'much', m.number])
  await expect.element(page.getByRole('button', { name: 'Create 2 requests' })).toBeDisabled()
  await expect.element(page.getByRole('row', { name: /soon/ }).getByText('1 mistake')).toBeVisible()
  await expectClean()
})

test('another user saved first: the new errors are shown, and nothing is saved', async () => {
  await show(({ body }) => ({ data: JSON.stringify(body).includes('true') ? bad : good }))
  await choose()
  await page.getByRole('button', { name: 'Create 1 request' }).click()
  await expect.element(page.getByRole('table', { name: 'Mistakes' })).toBeVisible()
})

test('an unreadable file shows the reason', async () => {
  await show(() => ({ status: 400, message: m.tableUnreadable, errors: { file: m.tableUnreadable } }))
  await choose()
  await expect.element(page.getByRole('alert').getByText(m.tableUnreadable, { exact: false })).toBeVisible()
})

test('while a large file is checked the number of checked rows is shown, and no progress of the file of another user', async () => {
  const { stream, tell } = openStream()
  tokenStore.set('gmp_import')
  const bodies = await show(() => new Promise(() => {}), { 'GET /client/live': () => ({ stream }) })
  await choose()
  const status = page.getByText('The file is being checked …')
  await expect.element(status).toBeVisible()
  await expect.poll(() => liveStatus.get()).toBe('open')
  const { values } = bodies().find((body) => body !== null) as { values: string } // the form as the dialog sends it
  tell('progress', { watch: 'another', done: 1, total: 2 })
  tell('progress', { ...JSON.parse(values), done: 2400, total: 10_000 })
  await expect.element(page.getByText('2.400 of 10.000 rows')).toBeVisible()
  expect(document.body.textContent).not.toContain('1 of 2')
  await expectClean()
  closeLive()
  tokenStore.set(null)
})

test('checking can be cancelled; another file can be chosen then', async () => {
  await show(() => new Promise(() => {}))
  await choose()
  await expect.element(page.getByText('The file is being checked …')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByText('The file is being checked …')).not.toBeInTheDocument()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
})
