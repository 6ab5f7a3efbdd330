import type { Alert } from '@gridmast/contract/delivery/alerts.ts'
import type { TriggeredAlert } from '@gridmast/contract/notifications/triggered.ts'
import type { PortalRole } from '@gridmast/contract/roles.ts'
import { type ComponentProps, useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { AlertsTab } from './AlertsTab.tsx'
import { toasts } from '#testing/toasts.ts'

const group = '01930000-0000-7000-8000-000000000011'
const licenceId = '01930000-0000-7000-8000-000000000010'
const properties: Alert['properties'] = {
  notification: true,
  group,
  groupName: 'Cold store 1',
  type: 'power',
  startTime: '22:00',
  endTime: '06:00',
  alertInterval: 5,
}
const alert: Alert = {
  _id: '01930000-0000-7000-8000-000000000001',
  name: 'Cold above 400',
  criteria: 'gt',
  value: 400.5,
  email: 'ops@nordhavn.example',
  properties,
}
const triggered: TriggeredAlert = {
  _id: '01930000-0000-7000-8000-000000000002',
  name: alert.name,
  type: 'power',
  criteria: 'gt',
  threshold: 400.5,
  value: 412.5,
  triggerTime: '2026-11-20T12:34:00Z',
  crossedAt: '2026-11-20T12:34:00Z',
  group,
  groupName: 'Cold store 1',
  source: 'FCR-D-INC',
  late: false,
  acknowledgedAt: null,
  acknowledgedBy: null,
  comment: '',
  about: null,
  closedAt: null,
}

type AlertsSearch = ComponentProps<typeof AlertsTab>['search']

const Tab = ({ first }: { first: AlertsSearch }) => {
  const [search, setSearch] = useState(first)
  const licence = { _id: licenceId, groups: [{ _id: group, name: 'Cold store 1' }] }
  return (
    <main>
      <h1>FCR-D-INC</h1>
      <AlertsTab licence={licence} search={search} onSearch={(part) => setSearch({ ...search, ...part })} />
    </main>
  )
}

const open = async (role: PortalRole = 'expert', search: AlertsSearch = {}) => {
  let now: Alert[] = [alert]
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user: { ...someUser(), userRole: role }, due: null } }),
    [`GET /client/data/alert/all/${licenceId}`]: () => ({ data: { alerts: now, totalCount: now.length } }),
    [`POST /client/data/alert/create/${licenceId}`]: () => ({ message: 'Alert Created', data: { alert } }),
    [`PATCH /client/data/alert/update/${alert._id}`]: () => ({ message: 'Alert Updated', data: { alert } }),
    [`DELETE /client/data/alert/${alert._id}`]: () => {
      now = []
      return { message: 'Alert Deleted!' }
    },
    [`GET /client/data/triggered/${licenceId}`]: () => ({ data: { triggered: [triggered], totalCount: 1 } }),
    'GET /client/live': () => ({ status: 403 }),
  })
  await showAt(
    '/e3-App/x',
    <Verified>
      <Tab first={search} />
    </Verified>,
  )
  return () => requests.filter(({ call }) => !call.startsWith('GET')).map(({ call, body }) => ({ call, body }))
}
const button = (name: string) => page.getByRole('button', { name })
const cells = () => page.getByRole('row', { name: /Cold above 400/ })

test('the table has every column of the specification, the state in a word next to its dot', async () => {
  await open()
  for (const title of ['Name', 'Instance', 'Criteria', 'Type', 'Threshold/Value', 'Alert Interval', 'Email', 'Status'])
    await expect.element(page.getByRole('columnheader', { name: title, exact: true })).toBeVisible()
  await expect.element(page.getByRole('columnheader', { name: 'Schedule Start/End' })).toBeVisible()
  for (const text of ['Cold store 1', 'Greater Than', 'Power', '400,5 kW', '5 min', '22:00–06:00', 'On'])
    await expect.poll(() => cells().element().textContent).toContain(text)
  await expectClean()
})

test('R1 an auditor reads the alerts and has no actions', async () => {
  await open('auditor')
  await expect.element(cells()).toBeVisible()
  expect(page.getByRole('columnheader', { name: 'Actions' }).elements()).toHaveLength(0)
  expect(button('Create alert').elements()).toHaveLength(0)
})

test('an alert is created by keyboard alone', async () => {
  const changes = await open()
  await expect.element(cells()).toBeVisible()
  ;(button('Create alert').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Create Alerts' })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await userEvent.keyboard('Freezer{Tab}{Tab}{Tab}{Tab}40,5{Enter}')
  await expect.poll(() => toasts).toEqual(['Alert Created'])
  const { email } = someUser()
  const { groupName: _, ...rest } = { ...properties, startTime: '00:00', endTime: '23:59' }
  expect(changes()).toEqual([
    {
      call: `POST /client/data/alert/create/${licenceId}`,
      body: { alert: { name: 'Freezer', criteria: 'gt', value: 40.5, email, properties: rest } },
    },
  ])
})

test('a short name and a missing threshold are reported under their fields', async () => {
  const changes = await open('sudoer', { createAlertModal: true })
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'ab')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Create alert' }))
  await expect.element(page.getByText('Must be at least 3 characters')).toBeVisible()
  await expect.element(page.getByText('This field is required')).toBeVisible()
  await expectClean()
  expect(changes()).toEqual([])
})

test('an alert is edited, and deleted when the page is left', async () => {
  const changes = await open()
  await userEvent.click(button('Edit Cold above 400'))
  await expect.element(page.getByRole('dialog', { name: 'Create Alerts' })).toBeVisible()
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'Cold above 500')
  await userEvent.click(button('Save changes'))
  await expect.poll(() => toasts).toEqual(['Alert Updated'])
  expect(changes()[0]?.body).toMatchObject({ alert: { name: 'Cold above 500', value: 400.5 } })
  await userEvent.click(button('Delete Cold above 400'))
  await expect.poll(() => toasts).toEqual(['Alert Updated', 'Alert Deleted!'])
  expect(changes()).toHaveLength(1)
  window.dispatchEvent(new Event('pagehide'))
  await expect.poll(() => changes()).toHaveLength(2)
  await expect.element(page.getByText(/An alert notifies you/)).toBeVisible()
})

test('Triggered Alerts of a day, each with a link to its page', async () => {
  await open('auditor', { subTab: 'triggered', date: '2026-11-20' })
  for (const text of ['Cold store 1', '20.11.2026 13:34:00', '412,5 kW', 'Greater Than 400,5 kW', 'New'])
    await expect.poll(() => cells().element().textContent).toContain(text)
  const link = page.getByRole('link', { name: 'Cold above 400' })
  expect(link.element().getAttribute('href')).toBe(`/e3-Legacy/FCR-D-INC?trigger=${triggered._id}`)
  await expect.element(button('Refresh')).toBeVisible()
})
