import { calls } from '@gridmast/contract/calls.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import type { ApiKey } from '@gridmast/contract/people/api-keys.ts'
import { readScopes } from '@gridmast/contract/roles.ts'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { Verified, showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { toasts } from '#testing/toasts.ts'
import ApiKeys from './ApiKeys.tsx'
import { curlOf, scopeGroups } from './scopes.ts'

const token = 'gmk_only-shown-once-U9uQ'
const key: ApiKey = {
  _id: '01930000-0000-7000-8000-000000000001',
  name: 'Energy report',
  ending: 'U9uQ',
  scopes: ['power.read', 'audit.read'],
  createdBy: 'sudoer@nordhavn.example',
  createdAt: '2026-11-20T10:00:00Z',
  expiresAt: null,
  lastUsedAt: '2026-11-20T17:12:08Z',
}

const open = async (keys: ApiKey[] = [key]) => {
  let now = keys
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user: someUser(), due: null } }),
    'GET /client/api-key': () => ({ data: { keys: now } }),
    'POST /client/api-key': () => {
      now = [key]
      return { message: 'API key created. Copy it now: it is not shown again.', data: { key, token } }
    },
    [`DELETE /client/api-key/${key._id}`]: () => {
      now = []
      return { message: 'API key revoked' }
    },
  })
  await showAt(
    '/apiKeys',
    <Verified>
      <ApiKeys />
    </Verified>,
  )
  return () => requests.filter(({ call }) => !call.startsWith('GET'))
}
const newKey = () => page.getByRole('button', { name: 'New key' })
const name = () => page.getByRole('textbox', { name: 'Name' })
const password = () => page.getByLabelText(/^Current password/)
const create = () => userEvent.click(page.getByRole('button', { name: 'Create key' }))
const scope = (label: string) => page.getByRole('checkbox', { name: label })

test('a key shows its name, ending, scopes, creator and times, never its token', async () => {
  await open()
  const row = page.getByRole('row', { name: /Energy report/ })
  for (const text of ['····U9uQ', 'Power', 'Audit trail', 'sudoer@nordhavn.example', '20.11.2026', 'Never'])
    await expect.poll(() => row.element().textContent).toContain(text)
  await expect.poll(() => row.element().textContent).toContain('20.11.2026 18:12:08')
})

test('an expired key is marked', async () => {
  await open([{ ...key, expiresAt: '2026-11-19T00:00:00Z' }])
  await expect.element(page.getByText('Expired')).toBeVisible()
})

test('without keys the table explains the use of a key', async () => {
  await open([])
  await expect.element(page.getByText('No Records To Display')).toBeVisible()
  await expect.element(page.getByText(/lets your program read data/)).toBeVisible()
})

test('a failed read shows its reason and is tried again', async () => {
  let broken = true
  answerCalls({
    'GET /user/verify': () => ({ data: { user: someUser(), due: null } }),
    'GET /client/api-key': () => (broken ? { status: 403, message: 'no' } : { data: { keys: [key] } }),
  })
  await showAt(
    '/apiKeys',
    <Verified>
      <ApiKeys />
    </Verified>,
  )
  await expect
    .poll(() => page.getByRole('alert').element().textContent)
    .toContain('The API keys could not be loaded. no')
  broken = false
  await userEvent.click(page.getByRole('button', { name: 'Retry now' }))
  await expect.element(page.getByRole('row', { name: /Energy report/ })).toBeVisible()
})

describe('creating a key', () => {
  test('a name and at least one scope are required', async () => {
    const requests = await open()
    await userEvent.click(newKey())
    await create()
    expect(page.getByText('This field is required').elements()).toHaveLength(3)
    await expect.element(name()).toHaveFocus()
    await userEvent.fill(name(), 'x')
    await userEvent.fill(password(), 'gridmast-demo')
    await create()
    await expect.element(page.getByText('This field is required')).toBeVisible()
    await expect.element(scope('Live values')).toHaveFocus()
    expect(requests()).toEqual([])
  })

  test.each([
    ['x'.repeat(100), 'POST'],
    ['x'.repeat(101), 'Must be at most 100 characters'],
  ])('a name of %s', async (typed, outcome) => {
    const requests = await open()
    await userEvent.click(newKey())
    await userEvent.fill(name(), typed)
    await userEvent.click(scope('Frequency'))
    await userEvent.fill(password(), 'gridmast-demo')
    await create()
    if (outcome === 'POST') await expect.poll(() => requests().length).toBe(1)
    else await expect.element(page.getByText(outcome)).toBeVisible()
  })

  test.each([
    ['30 days', 30],
    ['90 days', 90],
    ['365 days', 365],
    ['Never', null],
  ])('a life of %s is sent as %s', async (label, expiresInDays) => {
    const requests = await open()
    await userEvent.click(newKey())
    await userEvent.fill(name(), 'Energy report')
    await userEvent.click(scope('Power capacity'))
    await userEvent.click(scope('Audit trail'))
    await userEvent.click(page.getByRole('dialog').getByText(label, { exact: true }))
    await userEvent.fill(password(), 'gridmast-demo')
    await create()
    await expect
      .poll(() => requests().map(({ body }) => body))
      .toEqual([
        {
          name: 'Energy report',
          scopes: ['capacity.read', 'audit.read'],
          expiresInDays,
          currentPassword: 'gridmast-demo',
        },
      ])
  })

  test('T1 only scopes of the creator are offered', async () => {
    answerCalls({
      'GET /user/verify': () => ({ data: { user: someUser({ userRole: 'expert' }), due: null } }),
      'GET /client/api-key': () => ({ data: { keys: [] } }),
    })
    await showAt(
      '/apiKeys',
      <Verified>
        <ApiKeys />
      </Verified>,
    )
    await userEvent.click(newKey())
    await expect.element(scope('Frequency')).toBeVisible()
    expect(scope('Audit trail').elements()).toEqual([])
  })

  test('the token is shown once with a curl line for this server, cannot be closed by accident, and is gone after', async () => {
    await open([])
    await userEvent.click(newKey())
    await userEvent.fill(name(), 'Energy report')
    await userEvent.click(scope('Power'))
    await userEvent.fill(password(), 'gridmast-demo')
    await create()
    await expect.element(page.getByText(token)).toBeVisible()
    await expect.element(page.getByText(`${window.location.origin}/api`, { exact: false })).toBeVisible()
    const done = page.getByRole('button', { name: 'Done' })
    await expect.element(done).toBeDisabled()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByText(token)).toBeVisible()
    await userEvent.click(page.getByRole('checkbox', { name: 'I have saved it' }))
    await userEvent.click(done)
    await expect.poll(() => document.querySelector('[role=dialog]')).toBeNull()
    expect(document.documentElement.outerHTML).not.toContain(token)
    await expect.element(newKey()).toHaveFocus()
    await expect.element(page.getByRole('row', { name: /Energy report/ })).toBeVisible()
    await userEvent.click(newKey())
    await expect.element(name()).toHaveValue('')
    expect(document.documentElement.outerHTML).not.toContain(token)
  })
})

test('revoking requires a confirmation; then the row is removed and the focus is on the page', async () => {
  const requests = await open()
  await userEvent.click(page.getByRole('button', { name: 'Revoke Energy report' }))
  await expect.element(page.getByRole('dialog', { name: 'Revoke this API key?' })).toBeVisible()
  expect(requests()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Revoke', exact: true }))
  await expect.poll(() => toasts).toEqual(['API key revoked'])
  await expect.element(page.getByText('No Records To Display')).toBeVisible()
  await expect.element(newKey()).toHaveFocus()
})

test('every scope of a key has a name and a sentence', () => {
  const described = scopeGroups.flatMap(({ scopes }) => scopes.map((one) => one.scope))
  expect(described.toSorted()).toEqual([...readScopes].toSorted())
})

test.each(readScopes)('the curl line of a key for %s asks a call that needs it, and names no token', (scope) => {
  const line = curlOf('https://portal.example', [scope], '01930000-0000-7000-8000-000000000001')
  const [, path = '', query = ''] = /portal\.example\/api([^?']+)\??([^']*)'/.exec(line) ?? []
  const call = Object.values(calls).find((one) => one.path === path && one.may === scope) as CallShape | undefined // any of the contract's
  expect(call).toBeDefined()
  if (call?.query) expect(call.query.safeParse(Object.fromEntries(new URLSearchParams(query))).error).toBeUndefined()
  expect(line).toContain('Bearer $GRIDMAST_KEY')
})
