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
