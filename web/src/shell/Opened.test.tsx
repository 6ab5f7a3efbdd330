import { IconLayoutDashboard } from '@tabler/icons-react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { accountsStore, endAllSessions, tokenStore } from '#lib/session.ts'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { type NavEntry, palette } from './nav.ts'
import { Shell } from './Shell.tsx'

const mads = someUser()
const home: NavEntry = {
  key: '/',
  address: { to: '/' },
  title: 'E3 Dashboard',
  short: 'Home',
  icon: IconLayoutDashboard,
  children: [],
}
const profile = {
  ...home,
  key: '/profile',
  address: { to: '/profile' as const },
  title: 'Edit Profile',
  short: 'Edit Profile',
}

beforeEach(async () => {
  localStorage.setItem('GM_TOKEN', 'gmp_mads')
  tokenStore.set('gmp_mads')
  accountsStore.set(
    [
      { id: mads._id, email: mads.email, name: mads.name, token: 'gmp_mads' },
      { id: '01930000-0000-7000-8000-0000000000a2', email: 'lone@nordhavn.example', name: 'Lone Krogh', token: null },
    ].map((account) => ({
      ...account,
      customerId: mads.customerId._id,
      customerName: 'Nordhavn Frost A/S',
      profileImage: null,
      recentApps: [],
    })),
  )
  answerCalls({ 'GET /user/verify': () => ({ data: { user: mads, due: null } }) })
  await showAt(
    '/',
    <>
      <main>The page</main>
      <Shell navOf={() => ({ sidebar: [home], profile: [profile], home: home.address })} />
    </>,
  )
  await expect.element(page.getByRole('button', { name: /Profile menu/ })).toBeVisible()
})
afterEach(() => {
  palette.close()
  endAllSessions()
})

const press = (name: string | RegExp) => userEvent.click(page.getByRole('button', { name }))
const openMenu = () => press(/Profile menu/)

test.each([
  ['the profile menu', () => openMenu(), () => page.getByRole('dialog', { name: /Profile menu/ })],
  [
    'the saved accounts',
    async () => {
      await openMenu()
      await press('Switch User')
    },
    () => page.getByRole('list', { name: 'Accounts' }),
  ],
  ['the notifications', () => press('Notifications'), () => page.getByRole('dialog', { name: 'Notifications' })],
  ['the palette', () => userEvent.keyboard('{Control>}k{/Control}'), () => page.getByRole('dialog')],
  [
    'a dialog',
    async () => {
      await openMenu()
      await press('Update Password')
    },
    () => page.getByRole('dialog', { name: 'Update Password' }).getByLabelText(/^Current password/),
  ],
])('axe finds nothing with %s open', async (_, open, shown) => {
  await open()
  await expect.element(shown()).toBeVisible()
  await expectClean()
})

const keyDown = (key: string, ctrlKey = false) => {
  const event = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true })
  return !document.activeElement?.dispatchEvent(event)
}

test('what is typed between Ctrl+K and the field of the palette is in the field, and nowhere else', async () => {
  const search = page.getByRole('combobox', { name: 'Search or jump to' })
  expect(keyDown('k', true)).toBe(true)
  // In the same task: the field does not exist yet.
  expect(['K', 'ø', '?', 'Backspace', 'l', ' ', '2', 'Enter'].map((key) => keyDown(key))).not.toContain(false)
  expect(['Tab', 'Shift', 'ArrowDown'].map((key) => keyDown(key))).not.toContain(true)
  expect(search.elements()).toEqual([])
  await expect.element(search).toHaveValue('Køl 2')
  await userEvent.keyboard('3')
  await expect.element(search).toHaveValue('Køl 23')
  await userEvent.keyboard('{Escape}')
  await expect.element(search).not.toBeInTheDocument()
  expect(keyDown('x')).toBe(false)
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(search).toHaveFocus()
  await expect.element(search).toHaveValue('')
})

test('Escape before the field of the palette exists closes it; the kept text is bounded', async () => {
  const search = page.getByRole('combobox', { name: 'Search or jump to' })
  keyDown('k', true)
  keyDown('a')
  expect([keyDown('Escape'), keyDown('b')]).toEqual([true, false])
  expect(search.elements()).toEqual([])
  keyDown('k', true)
  for (let i = 0; i < 200; i++) keyDown('z')
  await expect.element(search).toHaveValue('z'.repeat(100))
})
