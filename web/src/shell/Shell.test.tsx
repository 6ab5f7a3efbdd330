import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { forgetOnSwitch } from '#lib/query.ts'
import {
  type SavedAccount,
  accountsStore,
  emailHint,
  endAllSessions,
  endSession,
  followOtherTabs,
  startSession,
  tokenStore,
} from '#lib/session.ts'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { toasts } from '#testing/toasts.ts'
import { someUser } from '#testing/user.ts'
import type { NavEntry } from './nav.ts'
import { Shell } from './Shell.tsx'

afterEach(() => endAllSessions())

const mads = someUser()
const lone = someUser({
  _id: '01930000-0000-7000-8000-0000000000a2',
  name: 'Lone Krogh',
  email: 'lone@vestkyst.example',
  customerId: { _id: '01930000-0000-7000-8000-0000000000c2', name: 'Vestkyst Logistik ApS' },
})
const saved = (user: User, token: string | null): SavedAccount => ({
  id: user._id,
  email: user.email,
  name: user.name,
  customerId: user.customerId._id,
  customerName: user.customerId.name,
  profileImage: null,
  token,
  recentApps: [],
})
const home: NavEntry = {
  key: '/',
  address: { to: '/' },
  title: 'E3 Dashboard',
  short: 'Home',
  icon: IconLayoutDashboard,
  children: [],
}
const navOf = () => ({ sidebar: [home], profile: [], home: home.address })
const Portal = () => {
  const queries = useQueryClient()
  useEffect(() => forgetOnSwitch(queries), [queries])
  return <Shell navOf={navOf} />
}
const signedInAs = (token: string, ...accounts: SavedAccount[]) => {
  localStorage.setItem('GM_TOKEN', token)
  localStorage.setItem('GM_USERS', JSON.stringify(accounts))
  tokenStore.set(token)
  accountsStore.set(accounts)
}
const verified = (user: User, due: 'password' | 'second-factor' | null = null) => ({ data: { user, due } })
const menu = () => page.getByRole('button', { name: /Profile menu/ })
const press = (name: string | RegExp) => userEvent.click(page.getByRole('button', { name, exact: true }))
const showsText = (text: string) => expect.element(page.getByText(text, { exact: true }).first()).toBeVisible()
const at = (path: string) => showsText(`at ${path}`)
const openSwitch = async () => {
  await expect.element(menu()).toBeVisible()
  await userEvent.click(menu())
  await press('Switch User')
}

describe('T5 switching the account', () => {
  test('no data of the previous account is on the screen while the next one loads, nor arrives late', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'), saved(lone, 'gmp_lone'))
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    answerCalls({
      'GET /user/verify': async ({ token }) => {
        if (token === 'gmp_mads') return verified(mads)
        await held
        return verified(lone)
      },
    })
    await showAt('/', <Portal />)
    await openSwitch()
    await expect.element(page.getByRole('list', { name: 'Accounts' }).getByText('Nordhavn Frost A/S')).toBeVisible()
    await press(/Vestkyst Logistik ApS/)
    await expect.poll(() => tokenStore.get()).toBe('gmp_lone')
    expect(document.body.textContent).not.toContain('Nordhavn')
    expect(document.body.innerHTML).not.toContain(mads.email)
    release()
    await userEvent.click(menu())
    await showsText(lone.email)
    expect(document.body.textContent).not.toContain('Nordhavn')
  })

  test('a late answer for the previous account is never shown', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'), saved(lone, 'gmp_lone'))
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    answerCalls({
      'GET /user/verify': async ({ token }) => {
        if (token === 'gmp_lone') return verified(lone)
        await held
        return verified(mads)
      },
    })
    await showAt('/', <Portal />)
    signedInAs('gmp_lone', saved(mads, 'gmp_mads'), saved(lone, 'gmp_lone'))
    await userEvent.click(menu())
    await showsText(lone.email)
    release()
    await new Promise((resolve) => setTimeout(resolve, 100))
    await showsText(lone.email)
    expect(document.body.textContent).not.toContain(mads.name)
  })

  test('an account with an ended session leads to sign-in with its email, and the message', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'), saved(lone, 'gmp_dead'))
    answerCalls({
      'GET /user/verify': ({ token }) =>
        token === 'gmp_mads' ? verified(mads) : { status: 401, message: m.sessionEnded },
    })
    await showAt('/', <Portal />)
    await openSwitch()
    await press(/Vestkyst Logistik ApS/)
    await at('/auth/login')
    expect(emailHint.get()).toBe(lone.email)
    expect(toasts).toEqual([m.sessionEnded])
    expect(accountsStore.get()).toMatchObject([{ token: 'gmp_mads' }, { token: null }])
  })

  test('an account without a session leads there too, and the current session stays', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'), saved(lone, null))
    answerCalls({ 'GET /user/verify': () => verified(mads) })
    await showAt('/', <Portal />)
    await openSwitch()
    await press(/Vestkyst Logistik ApS/)
    await at('/auth/login')
    expect(emailHint.get()).toBe(lone.email)
    expect(tokenStore.get()).toBe('gmp_mads')
  })
})

describe('Switch User', () => {
  test('shows the current account, the others with remove, Add Account and Logout All Accounts', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'), saved(lone, 'gmp_lone'))
    const requests = answerCalls({ 'GET /user/verify': () => verified(mads), 'POST /user/logout': () => ({}) })
    await showAt('/', <Portal />)
    await openSwitch()
    const accounts = page.getByRole('list', { name: 'Accounts' })
    await expect.element(accounts.getByRole('img', { name: 'Current account' })).toBeVisible()
    expect(accounts.getByRole('listitem').elements()).toHaveLength(2)
    expect(page.getByRole('button', { name: `Remove ${mads.email}` }).elements()).toHaveLength(0)
    await expect.element(page.getByRole('button', { name: 'Logout All Accounts' })).toBeVisible()
    await press(`Remove ${lone.email}`)
    await press('Remove')
    await expect.poll(() => accountsStore.get()).toMatchObject([{ id: mads._id }])
    expect(requests.findLast(({ call }) => call === 'POST /user/logout')).toMatchObject({ token: 'gmp_lone' })
    expect(tokenStore.get()).toBe('gmp_mads')
  })

  test('Escape closes the menu and returns the focus to its button', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
    answerCalls({ 'GET /user/verify': () => verified(mads) })
    await showAt('/', <Portal />)
    await openSwitch()
    await userEvent.tab()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('list', { name: 'Accounts' })).not.toBeInTheDocument()
    await expect.element(menu()).toHaveFocus()
  })

  test('Add Account leads to sign-in and keeps the session', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
    answerCalls({ 'GET /user/verify': () => verified(mads) })
    await showAt('/', <Portal />)
    await openSwitch()
    await press('Add Account')
    await at('/auth/login')
    expect(tokenStore.get()).toBe('gmp_mads')
  })

  test('Logout All Accounts sends all saved tokens and then deletes everything, even when the call fails', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'), saved(lone, 'gmp_lone'))
    const requests = answerCalls({
      'GET /user/verify': () => verified(mads),
      'POST /user/logout-all': () => ({ status: 500, message: m.internal }),
    })
    await showAt('/', <Portal />)
    await expect.element(menu()).toBeVisible()
    await userEvent.click(menu())
    await press('Logout All Accounts')
    await at('/auth/login')
    expect(requests.findLast(({ call }) => call === 'POST /user/logout-all')).toMatchObject({
      body: { tokens: ['gmp_mads', 'gmp_lone'] },
      token: 'gmp_mads',
    })
    expect(localStorage.getItem('GM_TOKEN')).toBeNull()
    expect(localStorage.getItem('GM_USERS')).toBeNull()
    expect(accountsStore.get()).toEqual([])
  })
})

describe('the session', () => {
  test('a failed logout clears the user and leads to sign-in', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
    answerCalls({
      'GET /user/verify': () => verified(mads),
      'POST /user/logout': () => Promise.reject(new TypeError('offline')),
    })
    await showAt('/', <Portal />)
    await expect.element(menu()).toBeVisible()
    await userEvent.click(menu())
    await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Logout', exact: true }))
    await at('/auth/login')
    expect(localStorage.getItem('GM_TOKEN')).toBeNull()
    expect(accountsStore.get()).toMatchObject([{ id: mads._id, token: null }])
  })

  test('a failed verification clears the user and shows the reason, except exactly jwt malformed', async () => {
    for (const message of [m.sessionEnded, m.jwtMalformed]) {
      signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
      answerCalls({ 'GET /user/verify': () => ({ status: 401, message }) })
      const { unmount } = await showAt('/', <Portal />)
      await at('/auth/login')
      expect(localStorage.getItem('GM_TOKEN')).toBeNull()
      unmount()
    }
    expect(toasts).toEqual([m.sessionEnded])
  })

  test('a sign-out in another tab leads to sign-in here', async () => {
    const stop = followOtherTabs()
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
    answerCalls({ 'GET /user/verify': () => verified(mads) })
    await showAt('/', <Portal />)
    await expect.element(menu()).toBeVisible()
    localStorage.removeItem('GM_TOKEN')
    window.dispatchEvent(new StorageEvent('storage', { key: 'GM_TOKEN' }))
    await at('/auth/login')
    stop()
  })

  test('with a blocked browser storage the portal is drawn and can be left', async () => {
    const blocked = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    startSession('gmp_mads', mads, true)
    answerCalls({ 'GET /user/verify': () => verified(mads), 'POST /user/logout': () => ({}) })
    await showAt('/', <Portal />)
    await openSwitch()
    await expect.element(page.getByRole('dialog').getByText('Nordhavn Frost A/S')).toBeVisible()
    endSession()
    await at('/auth/login')
    blocked.mockRestore()
  })

  test('T5 a switch in another tab applies here', async () => {
    const stop = followOtherTabs()
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
    answerCalls({ 'GET /user/verify': ({ token }) => verified(token === 'gmp_lone' ? lone : mads) })
    await showAt('/', <Portal />)
    await expect.element(menu()).toBeVisible()
    localStorage.setItem('GM_TOKEN', 'gmp_lone')
    window.dispatchEvent(new StorageEvent('storage', { key: 'GM_TOKEN' }))
    await userEvent.click(page.getByRole('button', { name: 'LK, Profile menu' }))
    await showsText(lone.email)
    stop()
  })
})

describe('S2 an expired password', () => {
  const password = (kind: 'current' | 'new') =>
    document.querySelectorAll<HTMLInputElement>(`[autocomplete="${kind}-password"]`)
  const type = async (field: HTMLInputElement | undefined, text: string) => {
    field?.focus()
    await userEvent.keyboard(text)
  }

  test('opens a dialog that cannot be dismissed and hides all else; logout is the alternative', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
    answerCalls({ 'GET /user/verify': () => verified(mads, 'password'), 'POST /user/logout': () => ({}) })
    await showAt('/', <Portal />)
    await showsText('You need to change your password due to expiration.')
    expect(page.getByRole('navigation').elements()).toHaveLength(0)
    await userEvent.keyboard('{Escape}')
    await userEvent.click(document.body, { position: { x: 5, y: 5 } })
    await showsText('You need to change your password due to expiration.')
    expect(page.getByRole('button', { name: 'Close' }).elements()).toHaveLength(0)
    await press('Logout')
    await at('/auth/login')
  })

  test('the new password is sent, and the token of the answer replaces the old one', async () => {
    signedInAs('gmp_old', saved(mads, 'gmp_old'))
    const requests = answerCalls({
      'GET /user/verify': ({ token }) => verified(mads, token === 'gmp_old' ? 'password' : null),
      'PUT /user/update-password': () => ({ message: m.passwordUpdated, data: { token: 'gmp_new' } }),
    })
    await showAt('/', <Portal />)
    await showsText('You need to change your password due to expiration.')
    await type(password('current')[0], 'old-password')
    await type(password('new')[0], 'new-password-1')
    await type(password('new')[1], 'new-password-2')
    await press('Update Password')
    await showsText("Passwords don't match!")
    await userEvent.clear(page.getByLabelText(/^Confirm new password/))
    await type(password('new')[1], 'new-password-1')
    await press('Update Password')
    await expect.element(menu()).toBeVisible()
    expect(requests.find(({ call }) => call === 'PUT /user/update-password')?.body).toEqual({
      currentPassword: 'old-password',
      newPassword: 'new-password-1',
      confirmNewPassword: 'new-password-1',
      revokeApiKeys: false,
    })
    expect(toasts).toEqual(['Password updated successfully!'])
    expect(localStorage.getItem('GM_TOKEN')).toBe('gmp_new')
    expect(accountsStore.get()).toMatchObject([{ id: mads._id, token: 'gmp_new' }])
  })

  test('a refused current password is reported under its field', async () => {
    signedInAs('gmp_old', saved(mads, 'gmp_old'))
    answerCalls({
      'GET /user/verify': () => verified(mads, 'password'),
      'PUT /user/update-password': () => ({
        status: 400,
        message: m.invalidInput,
        errors: { currentPassword: m.wrongPassword },
      }),
    })
    await showAt('/', <Portal />)
    await showsText('You need to change your password due to expiration.')
    await type(password('current')[0], 'wrong')
    await type(password('new')[0], 'new-password-1')
    await type(password('new')[1], 'new-password-1')
    await press('Update Password')
    await showsText('The current password is not correct')
    await expect.poll(() => document.activeElement).toBe(password('current')[0])
    expect(toasts).toEqual([])
  })
})

describe('a second factor that the company requires', () => {
  const uri = 'otpauth://totp/Gridmast:mads?secret=JBSWY3DPEHPK3PXP&issuer=Gridmast'

  test('password, QR code and key, first code, recovery codes; then the portal', async () => {
    signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
    let on = false
    const requests = answerCalls({
      'GET /user/verify': () => verified(mads, on ? null : 'second-factor'),
      'POST /user/second-factor/begin': () => ({ data: { secret: 'JBSWY3DPEHPK3PXP', uri } }),
      'POST /user/second-factor/confirm': () => {
        on = true
        return { message: m.secondFactorOn, data: { recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] } }
      },
    })
    await showAt('/', <Portal />)
    await showsText('Your company requires two-step sign-in. Set it up to continue.')
    document.querySelector<HTMLInputElement>('[autocomplete="current-password"]')?.focus()
    await userEvent.keyboard('gridmast-demo{Enter}')
    await expect.element(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
    await showsText('JBSW Y3DP EHPK 3PXP')
    await expect.element(page.getByLabelText(/^Code from the app/)).toHaveFocus()
    await userEvent.keyboard('123456{Enter}')
    await showsText('aaaa-bbbb')
    expect(requests.slice(-1)[0]?.body).toEqual({ code: '123456' })
    await expect.element(page.getByRole('button', { name: 'Done' })).toBeDisabled()
    await userEvent.click(page.getByLabelText('I have saved the codes'))
    await press('Done')
    await expect.element(menu()).toBeVisible()
  })
})

test('an obligation that starts while the portal is open is shown at once', async () => {
  signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
  let due: 'password' | null = null
  answerCalls({
    'GET /user/verify': () => verified(mads, due),
    'PUT /user/update-password': () => ({ status: 403, message: m.passwordExpired }),
  })
  await showAt('/', <Portal />)
  await expect.element(menu()).toBeVisible()
  due = 'password'
  await userEvent.click(menu())
  await press('Update Password')
  for (const label of [/^Current password/, /^New password/, /^Confirm new password/])
    await userEvent.fill(page.getByLabelText(label), 'long-enough')
  await userEvent.keyboard('{Enter}')
  await showsText('You need to change your password due to expiration.')
})

test('a page is found by its words too, and recent apps with the same icon have their names', async () => {
  const app = (key: string, words: string): NavEntry => ({ ...home, key, title: key, short: key, words })
  const apps = [app('Heating', 'Cold store 1'), app('Cooling', 'Charging sessions and their cost')]
  signedInAs('gmp_mads', { ...saved(mads, 'gmp_mads'), recentApps: ['Heating', 'Cooling'] })
  answerCalls({ 'GET /user/verify': () => verified(mads) })
  await showAt('/', <Shell navOf={() => ({ sidebar: apps, profile: [], home: home.address })} />)
  await expect.element(page.getByRole('navigation', { name: 'Recent apps' })).toHaveTextContent('HeatingCooling')
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.fill(page.getByRole('combobox', { name: 'Search or jump to' }), 'sessions')
  await expect.element(page.getByRole('dialog').getByText('Cooling')).toBeVisible()
  await expect.element(page.getByRole('dialog').getByText('Heating')).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
})

test('a dialog of the shell over a page closes with the page, after a confirmation where text would be lost', async () => {
  signedInAs('gmp_mads', saved(mads, 'gmp_mads'))
  answerCalls({ 'GET /user/verify': () => verified(mads) })
  const { router } = await showAt('/a', <Portal />, 'en', '', '/$page')
  const go = (to: string) => router.navigate({ to })
  const nothingOpen = () => expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
  for (const [i, open] of [
    () => userEvent.click(menu()),
    () => press(/^Notifications/),
    () => userEvent.keyboard('{Control>}k{/Control}'),
  ].entries()) {
    await expect.element(menu()).toBeVisible()
    await open()
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(1)
    await go(`/page-${i}`)
    await nothingOpen()
  }
  await userEvent.click(menu())
  await press('Update Password')
  await userEvent.fill(page.getByLabelText(/^Current password/), 'old-password')
  await expect.element(page.getByLabelText(/^Current password/)).toHaveValue('old-password')
  await new Promise((resolve) => setTimeout(resolve, 50)) // its effects
  void go('/b')
  await userEvent.click(
    page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }),
  )
  await nothingOpen()
  expect(router.state.location.pathname).toBe('/b')
})

test.each([
  [429, 'Too many requests.'],
  [503, 'The portal is starting or busy.'],
])('the first call refused with %d counts down and is sent again by itself', async (status, words) => {
  signedInAs('gmp_mads')
  let tries = 0
  answerCalls({
    'GET /user/verify': () => (tries++ === 0 ? { status, message: m.tooMany, retryAfterS: 1 } : verified(mads)),
  })
  await showAt('/', <Portal />)
  await showsText(words)
  await showsText('Trying again in 1 s.')
  await expect.element(menu()).toBeVisible()
  expect(tries).toBe(2)
})
