import { dashboardOf } from '@gridmast/contract/people/report-sources.ts'
import type { Report } from '@gridmast/contract/people/reports.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectToasts, type Toast } from '#lib/toast.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import Reports from './Reports.tsx'

const id = '77777777-7777-4777-8777-777777777771'
const weekly: Report = {
  _id: id,
  name: 'Activations of the week',
  address: '/client/data/event?market=FCR-D-INC',
  readers: [{ email: 'books@north.example' }, { email: 'bank@other.example', unconfirmed: true }],
  every: 'weekly',
  time: '07:00',
  format: 'xlsx',
  skipEmpty: false,
  paused: false,
  owner: 'sudoer@north.example',
  editable: true,
  nextAt: '2026-11-30T06:00:00.000Z',
  waiting: false,
  last: { at: '2026-11-23T06:00:04.000Z', result: 'sent' },
}
const lost: Report = {
  ...weekly,
  _id: '77777777-7777-4777-8777-777777777772',
  name: 'Audit',
  editable: false,
  paused: true,
  nextAt: null,
  last: { at: '2026-11-23T06:00:04.000Z', result: 'no-right' },
}

const open = async (search = '', reports: Report[] = [weekly, lost]) => {
  const requests = answerCalls({
    'GET /client/report': () => ({ data: { reports } }),
    'POST /client/report': () => ({ message: 'Report saved', data: { report: weekly } }),
    [`PATCH /client/report/${id}`]: () => ({ message: 'Report saved', data: { report: weekly } }),
    [`POST /client/report/${id}/send`]: () => ({ message: 'The report is sent within a minute' }),
    [`DELETE /client/report/${id}`]: () => ({ message: 'The report is no longer sent' }),
  })
  const user = someUser({ userRole: 'sudoer', email: 'sudoer@north.example' })
  await showAt(
    '/reports',
    <UserProvider value={user}>
      <Reports />
    </UserProvider>,
    'en',
    search,
  )
  return requests
}
const changes = (requests: Awaited<ReturnType<typeof open>>) =>
  requests.filter(({ call }) => !call.startsWith('GET')).map(({ call, body }) => ({ call, body }))
const press = (name: string) => userEvent.click(page.getByRole('button', { name }))

test('a report states its schedule, next and last sending, and why it was not sent', async () => {
  await open()
  const row = page.getByRole('row', { name: /Activations of the week/ })
  await expect.element(row.getByText('Mondays at 07:00')).toBeVisible()
  await expect.element(row.getByText('30.11.2026 07:00')).toBeVisible()
  await expect.element(row.getByText('23.11.2026 07:00')).toBeVisible()
  const other = page.getByRole('row', { name: /Audit/ })
  await expect.element(other.getByText('Not sent: its owner lost the right to this list')).toBeVisible()
  await expect.element(other.getByText('Paused')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Delete Audit' })).not.toBeInTheDocument()
  await expectClean()
})

test('it is sent now, paused, edited, and deleted with a toast that undoes it', async () => {
  const shown: Toast[] = []
  connectToasts((toast) => shown.push(toast))
  const requests = await open()
  await press('Send Activations of the week now')
  await press('Pause Activations of the week')
  await press('Edit Activations of the week')
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'Activations')
  await press('Save report')
  await expect.poll(() => changes(requests).length).toBe(3)
  expect(changes(requests)).toEqual([
    { call: `POST /client/report/${id}/send`, body: null },
    { call: `PATCH /client/report/${id}`, body: { paused: true } },
    {
      call: `PATCH /client/report/${id}`,
      body: {
        name: 'Activations',
        emails: ['books@north.example', 'bank@other.example'],
        every: 'weekly',
        time: '07:00',
        format: 'xlsx',
        skipEmpty: false,
      },
    },
  ])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await press('Delete Activations of the week')
  await expect.element(page.getByRole('row', { name: /Activations of the week/ })).not.toBeInTheDocument()
  shown.at(-1)?.undo?.()
  await expect.element(page.getByRole('row', { name: /Activations of the week/ })).toBeVisible()
  expect(changes(requests)).toHaveLength(3)
})

test('the export of a list opens a new report with its filters; a chart of a day is daily', async () => {
  const address = '/client/data/set-point?instanceId=1'
  const requests = await open(`?add=${encodeURIComponent(address)}`, [])
  const dialog = page.getByRole('dialog', { name: 'Send by email' })
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Set points')
  await userEvent.click(dialog.getByRole('combobox', { name: 'Schedule' }))
  await expect.element(page.getByRole('option', { name: 'Every day' })).toBeVisible()
  await expect.element(page.getByRole('option', { name: 'Mondays' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expectClean()
  await userEvent.click(page.getByText('PDF'))
  await press('Add report')
  await expect
    .poll(() => changes(requests))
    .toEqual([
      {
        call: 'POST /client/report',
        body: {
          name: 'Set points',
          address,
          emails: ['sudoer@north.example'],
          every: 'daily',
          time: '07:00',
          format: 'pdf',
          skipEmpty: false,
        },
      },
    ])
})

test('a dashboard report states which cards it does not include, and fixed days', async () => {
  const address = dashboardOf(['/client/cfm/dashboard?start=2026-11-01T00:00Z&end=2026-11-08T00:00Z'])
  await open(`?add=${encodeURIComponent(address)}&without=${encodeURIComponent('Notes, <b>Power</b>')}`, [])
  const dialog = page.getByRole('dialog', { name: 'Send by email' })
  await expect.element(dialog.getByText('Not included: Notes, <b>Power</b>')).toBeVisible()
  await expect.element(dialog.getByText('The chosen days are the same in each report.')).toBeVisible()
  await userEvent.click(page.getByText('Excel'))
  await expect.element(dialog.getByText(/its dates move with each report/)).not.toBeInTheDocument()
})

test.each([
  ['days=30&chart=sessions', 'Sessions by day'],
  ['range=7d&chart=energy', 'Energy by day'],
  ['days=30&by=day', 'Charging by day'],
  ['days=30', 'Charger utilisation'],
])('a report of the charge fleet with %s is named %s', async (query, name) => {
  await open(`?add=${encodeURIComponent(`/client/cfm/dashboard?${query}`)}`, [])
  await expect.element(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toHaveValue(name)
})

test('another address opens no dialog', async () => {
  await open(`?add=${encodeURIComponent('/client/webhook')}`, [])
  await expect.element(page.getByText('Reports are added in the export menu of a list or chart.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})
