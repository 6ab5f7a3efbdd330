import type { ImportedRow } from '@gridmast/contract/charging/charge-fleet.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { someService } from '#testing/fleet.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import CfmTools from './CfmTools.tsx'
import { toasts } from '#testing/toasts.ts'

const rowOf = (line: number, over: Partial<ImportedRow> = {}): ImportedRow => ({
  line,
  name: `Van ${line}`,
  tagID: `A${line}`,
  group: 'Vans',
  action: true,
  kind: 'new',
  errors: {},
  ...over,
})
const rows = [
  rowOf(2),
  rowOf(3, { kind: 'changed', action: false }),
  rowOf(4, { kind: 'same' }),
  rowOf(5, { kind: 'wrong', tagID: '', errors: { tagID: m.required } }),
]
const counts = { new: 1, changed: 1, same: 1, wrong: 1 }

const knocking = {
  identity: 'NEW-CHARGER-1',
  firstSeen: '2026-11-20T10:00:00.000Z',
  lastSeen: '2026-11-20T11:00:00.000Z',
  tries: 7,
}
const id = '44444444-4444-4444-8444-444444444441'
const made = { _id: id, identity: 'NEW-CHARGER-1', secret: '0a1b2c3d4e5f', path: '/ocpp/NEW-CHARGER-1' }

const openAll = async (answers: Parameters<typeof answerCalls>[0] = {}, userRole: User['userRole'] = 'expert') => {
  const requests = answerCalls({
    'POST /client/cfm/tag-import': () => ({ data: { rows, counts, saved: false } }),
    'DELETE /client/cfm/unknown/NEW-CHARGER-1': () => ({ message: m.chargerDismissed }),
    'GET /client/cfm/unknown': () => ({ data: { unknown: [knocking], path: '/ocpp/nordhavn' } }),
    'GET /client/cfm/charger': () => ({ data: { chargers: [someService] } }),
    'POST /client/cfm/charger': () => ({ message: m.chargerRegistered, data: made }),
    ...answers,
  })
  const license = { CFM: { enabled: true }, evCharging: { enabled: true } }
  await showAt(
    '/cfm/tools',
    <UserProvider value={someUser({ userRole, allowed: { cfmTools: true }, customerId: { license } })}>
      <h1>CFM Tools</h1>
      <CfmTools />
    </UserProvider>,
  )
  return { requests, sent: () => requests.filter(({ call }) => call.includes('tag-import')).map(({ body }) => body) }
}
const choose = async () => {
  await expect.element(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  const input = document.querySelector('input[type=file]')
  if (!input) throw new Error('no field for a file')
  await userEvent.upload(input, new File(['Name;Tag ID'], 'tags.csv', { type: 'text/csv' }))
}

test('a file is previewed first: the effect and the errors of each row; then it is saved', async () => {
  const { sent } = await openAll()
  await choose()
  const table = page.getByRole('table', { name: 'Rows of the file' })
  await expect.element(table.getByText('Van 5')).toBeVisible()
  const text = (i: number) => table.getByRole('row').nth(i).element().textContent
  expect(text(1)).toContain('New')
  expect(text(2)).toContain('Changed')
  expect(text(3)).toContain('Already exists')
  expect(text(4)).toContain('Skipped')
  expect(text(4)).toContain(m.required)
  expect(sent()).toMatchObject([{ values: '{"save":false}' }])
  await expectClean()
  await userEvent.click(page.getByRole('button', { name: 'Save 2 tags' }))
  await expect.poll(() => toasts).toEqual(['2 tags saved'])
  expect(sent()).toMatchObject([{ values: '{"save":false}' }, { values: '{"save":true}', file: { name: 'tags.csv' } }])
})

test('an unreadable file shows the reason', async () => {
  await openAll({
    'POST /client/cfm/tag-import': () => ({ status: 400, message: 'no', errors: { file: m.tableUnreadable } }),
  })
  await choose()
  await expect.element(page.getByRole('alert').getByText(m.tableUnreadable, { exact: false })).toBeVisible()
})

test('an unknown charger is registered; its secret is shown once, with the address and a code for a phone', async () => {
  const { requests } = await openAll()
  await userEvent.click(page.getByRole('button', { name: 'Adopt NEW-CHARGER-1' }))
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('textbox', { name: 'Identity' })).toHaveValue('NEW-CHARGER-1')
  await userEvent.click(dialog.getByRole('button', { name: 'Adopt' }))
  await expect.element(dialog.getByText(m.required)).toBeVisible()
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Gate')
  await userEvent.click(dialog.getByRole('combobox', { name: 'Area' }))
  await userEvent.click(page.getByRole('option', { name: 'DK1' }))
  await expectClean()
  await userEvent.click(dialog.getByRole('button', { name: 'Adopt' }))
  await expect.element(dialog.getByText(made.secret)).toBeVisible()
  await expect.element(dialog.getByText(`ws://${location.host}/ocpp/NEW-CHARGER-1`)).toBeVisible()
  await expect.element(dialog.getByRole('img', { name: 'QR code with address, identity and secret' })).toBeVisible()
  await expectClean()
  expect(requests.find(({ call }) => call === 'POST /client/cfm/charger')?.body).toMatchObject({
    identity: 'NEW-CHARGER-1',
    name: 'Gate',
    chargerType: 'AC',
    connectors: 2,
    maxKw: 22,
    area: 'DK1',
  })
  // It cannot be shown again, so only its own button closes the dialog.
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog.getByText(made.secret)).toBeVisible()
  await userEvent.click(dialog.getByRole('checkbox', { name: 'I have saved it' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Done' }))
  await expect.poll(() => dialog.elements().length).toBe(0)
  expect(document.body.textContent).not.toContain(made.secret)
})

test('an unknown charger is dismissed from the list', async () => {
  const { requests } = await openAll()
  await userEvent.click(page.getByRole('button', { name: 'Dismiss NEW-CHARGER-1' }))
  await expect.poll(() => requests.map(({ call }) => call)).toContain('DELETE /client/cfm/unknown/NEW-CHARGER-1')
})

test('firmware, its update, the security profile and deviations of each charger', async () => {
  await openAll()
  const table = page.getByRole('table', { name: 'Firmware and configuration' })
  await expect.element(table.getByText('Port 1')).toBeVisible()
  const row = table.getByRole('row').nth(1).element().textContent
  for (const words of ['Online', 'ABB Terra AC', 'OCPP 1.6', '1.6.6', 'Downloading · 20.11.2026 12:00:00', '3'])
    expect(row).toContain(words)
})

test('each card waits for the list above it, so that its rows do not push the card down', async () => {
  const [chargers, unknown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await openAll({
    'GET /client/cfm/charger': async () => {
      await chargers.promise
      return { data: { chargers: [someService] } }
    },
    'GET /client/cfm/unknown': async () => {
      await unknown.promise
      return { data: { unknown: [knocking], path: '/ocpp/nordhavn' } }
    },
  })
  const card = (name: string) => page.getByRole('region', { name })
  await expect.element(card('Firmware and configuration')).toBeVisible()
  await expect.element(card('Unknown chargers')).not.toBeInTheDocument()
  chargers.resolve()
  await expect.element(card('Unknown chargers')).toBeVisible()
  await expect.element(card('Import tags')).not.toBeInTheDocument()
  unknown.resolve()
  await expect.element(card('Import tags')).toBeVisible()
})

test('R1 a custom user with access to the tools cannot import', async () => {
  await openAll({}, 'custom')
  await expect
    .element(page.getByText('Tags and chargers are added by the sudoer or an expert of your company.'))
    .toBeVisible()
  expect(page.getByRole('button', { name: /Adopt|Dismiss|Register|Choose/ }).elements()).toEqual([])
})

const served = {
  charger: someService,
  configuration: [
    { component: '', variable: 'HeartbeatInterval', value: '300', readOnly: false, readAt: knocking.lastSeen },
    { component: '', variable: 'NumberOfConnectors', value: '2', readOnly: true, readAt: knocking.lastSeen },
  ],
  deviations: [{ deviation: 'no timestamp', count: 3, lastAt: knocking.lastSeen }],
  commands: [{ action: 'reset', connectorId: 0, state: 'rejected', answer: 'Rejected', issuedAt: knocking.lastSeen }],
}
const serve = async (more: Parameters<typeof openAll>[0] = {}, role: User['userRole'] = 'expert') => {
  const opened = await openAll({ [`GET /client/cfm/charger/${id}`]: () => ({ data: served }), ...more }, role)
  await userEvent.click(page.getByRole('button', { name: 'Service Port 1' }))
  return opened
}
const dialog = page.getByRole('dialog', { name: 'Port 1' })

test('C3 a restart is confirmed first, sent once, and shows the answer of the charger', async () => {
  const { requests } = await serve({
    [`POST /client/cfm/charger/${id}/reset`]: () => ({ data: { status: 'Rejected', accepted: false } }),
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Restart' }))
  const question = page.getByRole('dialog', { name: 'Restart?' })
  await expect.element(question.getByText('The charger ends its sessions and restarts.')).toBeVisible()
  expect(requests.filter(({ call }) => call.endsWith('/reset'))).toEqual([])
  await userEvent.click(question.getByRole('button', { name: 'Restart' }))
  await expect.element(dialog.getByText('Rejected')).toBeVisible()
  expect(requests.filter(({ call }) => call.endsWith('/reset'))).toMatchObject([{ body: { kind: 'soft' } }])
  await expectClean()
})

test('a connector is taken out of service after a confirmation; a firmware update requires an address', async () => {
  const { requests } = await serve({
    [`POST /client/cfm/charger/${id}/availability`]: () => ({ data: { status: 'Scheduled', accepted: true } }),
  })
  await expect.element(dialog.getByRole('button', { name: 'Update' })).toBeDisabled()
  await userEvent.click(dialog.getByRole('button', { name: 'Set', exact: true }))
  await userEvent.click(page.getByRole('dialog', { name: 'Availability?' }).getByRole('button', { name: 'Set' }))
  await expect.element(dialog.getByText('Runs when the session has ended')).toBeVisible()
  expect(requests.filter(({ call }) => call.endsWith('/availability'))).toMatchObject([
    { body: { connectorId: 0, operative: false } },
  ])
})

test('settings: one is changed when the charger accepts it, and a read-only one cannot be changed', async () => {
  const { requests } = await serve({
    [`POST /client/cfm/charger/${id}/configuration`]: () => ({ data: { status: 'Accepted', accepted: true } }),
  })
  await userEvent.click(dialog.getByRole('radio', { name: 'Configuration' }))
  await expect.element(dialog.getByText('NumberOfConnectors')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Change NumberOfConnectors' })).not.toBeInTheDocument()
  await userEvent.click(dialog.getByRole('button', { name: 'Change HeartbeatInterval' }))
  await userEvent.fill(dialog.getByRole('textbox', { name: 'New value of HeartbeatInterval' }), '60')
  await userEvent.click(dialog.getByRole('button', { name: 'Set', exact: true }))
  await expect.element(dialog.getByRole('textbox')).not.toBeInTheDocument()
  expect(requests.filter(({ call }) => call === `POST /client/cfm/charger/${id}/configuration`)).toMatchObject([
    { body: { variable: 'HeartbeatInterval', value: '60' } },
  ])
  await userEvent.click(dialog.getByRole('radio', { name: 'Log' }))
  await expect.element(dialog.getByText('no timestamp')).toBeVisible()
  await expectClean()
})

test('a charger that was registered by mistake is removed after a confirmation; one with sessions cannot be removed, with the reason', async () => {
  let tries = 0
  await serve({
    [`DELETE /client/cfm/charger/${id}`]: () =>
      tries++ === 0 ? { status: 409, message: m.chargerHasSessions } : { message: m.chargerRemoved },
  })
  const remove = async () => {
    await userEvent.click(dialog.getByRole('button', { name: 'Remove charger' }))
    const question = page.getByRole('dialog', { name: 'Remove this charger?' })
    await userEvent.click(question.getByRole('button', { name: 'Remove charger' }))
  }
  await remove()
  await expect.poll(() => toasts).toEqual([m.chargerHasSessions])
  await expect.element(dialog).toBeVisible()
  await remove()
  await expect.poll(() => toasts.at(-1)).toBe(m.chargerRemoved)
  await expect.element(dialog).not.toBeInTheDocument()
})

test('R1 an expert has no access to raw messages', async () => {
  await serve()
  await expect.element(dialog.getByRole('radio', { name: 'Log' })).toBeVisible()
  await expect.element(dialog.getByRole('radio', { name: 'Raw messages' })).not.toBeInTheDocument()
})

test('R1 the sudoer reads raw messages', async () => {
  const frames = [{ no: 1, at: knocking.lastSeen, direction: 'in' as const, frame: '[2,"1","Heartbeat",{}]' }]
  await serve({ [`GET /client/cfm/charger/${id}/frames`]: () => ({ data: { frames } }) }, 'sudoer')
  await userEvent.click(dialog.getByRole('radio', { name: 'Raw messages' }))
  await expect.element(dialog.getByText('[2,"1","Heartbeat",{}]')).toBeVisible()
})

test('R1 a user with read access has no commands', async () => {
  await serve({}, 'custom')
  await expect.element(dialog.getByRole('radio', { name: 'Configuration' })).toBeChecked()
  await expect.element(dialog.getByRole('radio', { name: 'Commands' })).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('button', { name: 'Read from charger' })).not.toBeInTheDocument()
})

test('a new secret is created after a confirmation and shown once', async () => {
  await serve({ [`POST /client/cfm/charger/${id}/secret`]: () => ({ message: m.chargerSecretRenewed, data: made }) })
  await userEvent.click(dialog.getByRole('button', { name: 'Create new secret' }))
  const question = page.getByRole('dialog', { name: 'Create a new secret?' })
  await userEvent.click(question.getByRole('button', { name: 'Create new secret' }))
  await expect.element(dialog.getByText(made.secret)).toBeVisible()
})
