import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FoundRow } from '@gridmast/contract/search.ts'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { accountsStore, endAllSessions, tokenStore } from '#lib/session.ts'
import { keysOf, shortcuts, type ShortcutName } from '#lib/shortcuts.ts'
import { palette } from '#shell/nav.ts'
import { Shell } from '#shell/Shell.tsx'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { navOf } from './nav.ts'

const ids = {
  ev: '01930000-0000-7000-8000-0000000000e1',
  reserve: '01930000-0000-7000-8000-0000000000e2',
  instance: '01930000-0000-7000-8000-0000000000f1',
  charger: '01930000-0000-7000-8000-0000000000d1',
  session: '01930000-0000-7000-8000-0000000000d2',
}
const licence = (name: string) => ({ licenseType: { name, icon: 'bolt' }, enabled: true })
const userOf = (userRole: 'sudoer' | 'auditor') =>
  someUser({
    userRole,
    customerId: {
      biddingMarkets: ['FCR-D-INC'],
      license: { evCharging: { enabled: true }, 'FCR-D-INC': { enabled: true }, dataHub: { enabled: true } },
      enabledLicense: { [ids.ev]: licence('evCharging'), [ids.reserve]: licence('FCR-D-INC') },
      instances: [{ _id: ids.instance, name: 'Køl 1', licenseId: ids.reserve, market: ['FCR-D-INC'], area: 'DK2' }],
    },
  })
const charger: FoundRow = { kind: 'charger', id: ids.charger, name: 'Bay 7', identity: 'CP-7', connectorId: null }
const rows: FoundRow[] = [
  charger,
  { kind: 'session', id: ids.session, chargerName: 'Bay 7', tagName: 'Anna', startTime: '2026-11-20T10:00:00Z' },
  { kind: 'person', id: ids.session, name: 'Anna Bay', email: 'anna@nordhavn.example' },
]

afterEach(() => {
  palette.close()
  endAllSessions()
})

type Answer = { data?: { found: FoundRow[] }; status?: number; message?: string }

const open = async (
  answer: (q: string) => Answer | Promise<Answer>,
  role: 'sudoer' | 'auditor' = 'sudoer',
  recentFinds: unknown[] = [],
) => {
  const user = userOf(role)
  const asked: string[] = []
  answerCalls({
    'GET /user/verify': () => ({ data: { user, due: null } }),
    'GET /search': ({ query }) => {
      asked.push(query['q'] ?? '')
      return answer(query['q'] ?? '')
    },
  })
  localStorage.setItem('GM_TOKEN', 'gmp_mads')
  tokenStore.set('gmp_mads')
  const { _id: id, email, name } = user
  const company = { customerId: user.customerId._id, customerName: user.customerId.name, profileImage: null }
  accountsStore.set([{ id, email, name, ...company, token: 'gmp_mads', recentApps: [], recentFinds }])
  const { router } = await showAt('/start/here', <Shell navOf={navOf} />, 'en', '', '/$first/$second')
  await expect.element(page.getByRole('button', { name: /Profile menu/ })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(field()).toHaveFocus()
  return { router, asked }
}
const field = () => page.getByRole('combobox', { name: 'Search or jump to' })
const option = (name: string | RegExp) => page.getByRole('option', { name })
const group = (name: string) => page.getByRole('group', { name })
const type = (text: string) => userEvent.fill(field(), text)

test('rows of the server are listed under their kind, opened by keyboard, and first the next time', async () => {
  const { router } = await open(() => ({ data: { found: rows } }))
  await type('bay 7')
  await expect.element(group('Chargers').getByRole('option')).toHaveTextContent('Bay 7CP-7')
  await expect
    .element(group('Charging sessions').getByRole('option'))
    .toHaveTextContent('Bay 720.11.2026 11:00:00 · Anna')
  await expect.element(page.getByRole('status').getByText('4 results')).toBeInTheDocument()
  await expectClean()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(option(/20\.11\.2026/)).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{ArrowUp}{Enter}')
  await expect.poll(() => router.state.location.href).toBe(`/e3-App/evCharging?chargerId=${ids.charger}`)
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(group('Recent').getByRole('option', { name: /Bay 7/ })).toHaveAttribute('aria-selected', 'true')
})

test('actions for an instance and a charger open their forms', async () => {
  const { router, asked } = await open((q) => ({ data: { found: q === 'Bay 7' ? [charger] : [] } }))
  await type('køl')
  await expect.element(option('Request bid for Køl 1 on FCR-D-INC')).toBeVisible()
  await type('create alert køl')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => router.state.location.search)
    .toMatchObject({
      licenseTypeId: ids.reserve,
      tab: 'alerts',
      createAlertModal: true,
      instance: ids.instance,
    })
  await userEvent.keyboard('{Control>}k{/Control}')
  await type('Start charging at Bay 7')
  await userEvent.click(option('Start charging at Bay 7'))
  expect(asked.at(-1)).toBe('Bay 7')
  await expect.poll(() => router.state.location.search).toMatchObject({ chargerId: ids.charger, remote: true })
})

test('R2 a user who may not change anything is offered no such action', async () => {
  await open(() => ({ data: { found: [charger] } }), 'auditor')
  await type('bay 7')
  await expect.element(option(/Bay 7/)).toBeVisible()
  await type('køl 1')
  await expect.element(option(/Køl 1/)).toBeVisible()
  for (const name of [/Start charging/, /Create alert/, /Request bid/])
    await expect.element(option(name)).not.toBeInTheDocument()
})

test('loading, none and failed look different, and a failed search is repeated', async () => {
  let fails = true
  let release = () => {}
  const waiting = new Promise<void>((resolve) => (release = resolve))
  await open(async (q) => {
    if (q === 'slow') await waiting
    return q === 'broken' && fails ? { status: 503, message: m.unavailable } : { data: { found: [] } }
  })
  await type('slow')
  await expect.element(page.getByRole('status').getByText('Searching …')).toBeInTheDocument()
  release()
  await expect.element(page.getByRole('status').getByText('Nothing found')).toBeInTheDocument()
  await type('broken')
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent(
      'Chargers, meters, bids and other rows could not be searched. Not available right now. Try again in a moment. Try again',
    )
  fails = false
  await userEvent.click(page.getByRole('button', { name: 'Try again' }))
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('a late answer to an earlier text is not shown', async () => {
  let release = () => {}
  const waiting = new Promise<void>((resolve) => (release = resolve))
  const { asked } = await open(async (q) => {
    if (q === 'bay 7') await waiting
    return { data: { found: q === 'bay 7' ? rows : [{ ...charger, name: 'Dock 1' }] } }
  })
  await type('bay 7')
  await expect.poll(() => asked).toEqual(['bay 7'])
  await type('dock')
  await expect.element(option(/^Dock 1/)).toBeVisible()
  release()
  await expect.element(page.getByRole('status').getByText('2 results')).toBeInTheDocument()
  await expect.element(option(/^Bay 7/)).not.toBeInTheDocument()
})

test('of 4,000 characters the first 100 are searched, as a sentence states', async () => {
  const { asked } = await open(() => ({ data: { found: [] } }))
  await type('x'.repeat(4000))
  await expect.element(page.getByText('Only the first 100 characters are searched.')).toBeVisible()
  await expect.poll(() => asked).toEqual(['x'.repeat(limits.searchLength)])
})

test('a saved row that is no row of the search is dropped', async () => {
  await open(() => ({ data: { found: [] } }), 'sudoer', [{ kind: 'charger', id: 'javascript:alert(1)' }, 7, charger])
  await expect.element(group('Recent').getByRole('option')).toHaveTextContent('Bay 7CP-7')
})

test('? lists every shortcut of the table, and is text in a field', async () => {
  await open(() => ({ data: { found: [] } }))
  await userEvent.keyboard('?')
  await expect.element(field()).toHaveValue('?')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
  await userEvent.keyboard('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect.element(sheet).toBeVisible()
  const shown = sheet
    .getByRole('definition')
    .elements()
    .map((one) => one.textContent)
  expect(shown).toEqual((Object.keys(shortcuts) as ShortcutName[]).map((name) => keysOf(name).join('')))
  await expectClean()
})
