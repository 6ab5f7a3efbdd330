import { storageKeys } from '@gridmast/contract/limits.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { keepLink, readAddress, consumeLink } from '#lib/one-time-link.ts'
import { type SavedAccount, accountsStore, emailHint, endAllSessions, tokenStore } from '#lib/session.ts'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import SignIn from './SignIn.tsx'
import { toasts } from '#testing/toasts.ts'

afterEach(() => endAllSessions())

const email = () => page.getByRole('textbox', { name: 'Email' })
const passwordField = () => document.querySelector<HTMLInputElement>('input[autocomplete="current-password"]')
const submit = () => page.getByRole('button', { name: 'Sign in', exact: true })
const credentials = { user: { email: 'sudoer@nordhavn.example', password: 'gridmast-demo' }, remember: true }
const type = async () => {
  await userEvent.fill(email(), credentials.user.email)
  passwordField()?.focus()
  await userEvent.keyboard(`${credentials.user.password}{Enter}`)
}
const signIn = async () => {
  await showAt('/auth/login', <SignIn />)
  await type()
}
const at = (path: string) => expect.element(page.getByText(`at ${path}`, { exact: true })).toBeVisible()
const signedIn = { message: 'Login Success', data: { token: 'gmp_a', user: someUser() } }

describe('email and password', () => {
  test('both fields are required, and the first wrong one gets the focus', async () => {
    const requests = answerCalls({})
    await showAt('/auth/login', <SignIn />)
    await userEvent.click(submit())
    expect(page.getByText('This field is required').elements()).toHaveLength(2)
    await expect.element(email()).toHaveFocus()
    expect(requests).toEqual([])
  })

  test('the email must be one', async () => {
    await showAt('/auth/login', <SignIn />)
    await userEvent.fill(email(), 'mads@nordhavn')
    await userEvent.click(submit())
    await expect.element(page.getByText('Value must be a valid email')).toBeVisible()
  })

  test('valid credentials are sent as typed; token, account and theme are stored under their keys', async () => {
    const requests = answerCalls({ 'POST /user/login': () => signedIn })
    await signIn()
    await at('/')
    expect(requests).toEqual([{ call: 'POST /user/login', body: credentials, token: null }])
    expect(toasts).toEqual(['Login Success'])
    expect(localStorage.getItem('GM_TOKEN')).toBe('gmp_a')
    expect(localStorage.getItem('GM_USERS')).toContain('Nordhavn Frost A/S')
    expect(localStorage.getItem('THEME')).toBe('auto')
  })

  test('without trueGreen the landing page is /cfmdashboard', async () => {
    const user = someUser({ customerId: { trueGreen: { enabled: false } } })
    answerCalls({ 'POST /user/login': () => ({ data: { token: 'gmp_a', user } }) })
    await signIn()
    await at('/cfmdashboard')
  })

  test('a refusal of the server is under its field, which gets the focus', async () => {
    answerCalls({ 'POST /user/login': () => ({ status: 400, message: 'x', errors: { 'user.password': 'Too long' } }) })
    await signIn()
    await expect.element(page.getByText('Too long')).toBeVisible()
    await expect.poll(() => document.activeElement).toBe(passwordField())
  })

  test('the reason of a refused sign-in stays in the form until the next one', async () => {
    answerCalls({ 'POST /user/login': () => ({ status: 401, message: 'The email or password is not correct' }) })
    await signIn()
    await expect
      .element(page.getByRole('form', { name: 'Sign in' }).getByText('The email or password is not correct'))
      .toBeVisible()
    expect(toasts).toEqual(['The email or password is not correct'])
  })

  test('S3 after too many attempts the button counts the seconds down, and the typed text is kept', async () => {
    answerCalls({
      'POST /user/login': () => ({ status: 429, message: 'Too many attempts. Try again in 2 s.', retryAfterS: 2 }),
    })
    await signIn()
    const waiting = page.getByRole('button', { name: /^Try again in [12] s$/ })
    await expect.element(waiting).toBeDisabled()
    expect(toasts).toEqual(['Too many attempts. Try again in 2 s.'])
    await expect.element(email()).toHaveValue(credentials.user.email)
    expect(passwordField()?.value).toBe(credentials.user.password)
    await expect.element(submit(), { timeout: 5000 }).toBeEnabled()
  })

  test('the eye shows the password', async () => {
    await showAt('/auth/login', <SignIn />)
    expect(passwordField()?.type).toBe('password')
    await userEvent.click(page.getByRole('button', { name: 'Show password' }))
    expect(passwordField()?.type).toBe('text')
  })

  test('links lead to the recovery and to the request for an account', async () => {
    await showAt('/auth/login', <SignIn />)
    await expect
      .element(page.getByRole('link', { name: 'Forgot password?' }))
      .toHaveAttribute('href', '/auth/forgot-password')
    await userEvent.click(page.getByRole('link', { name: 'Request an account' }))
    await at('/auth/request-account')
  })
})

describe('second factor', () => {
  const challenged = {
    message: 'Enter the code from your authenticator app',
    data: { token: null, user: null, challenge: 'c1' },
  }

  test('the code of the app is required after the password, in a field that phones fill in', async () => {
    const requests = answerCalls({
      'POST /user/login': () => challenged,
      'POST /user/login/second-factor': () => signedIn,
    })
    await signIn()
    const code = page.getByRole('textbox', { name: 'Six-digit code' })
    await expect.element(code).toHaveFocus()
    await expect.element(code).toHaveAttribute('autocomplete', 'one-time-code')
    expect(tokenStore.get()).toBeNull()
    await userEvent.keyboard('123456{Enter}')
    await at('/')
    expect(requests[1]?.body).toEqual({ challenge: 'c1', code: '123456', remember: true })
  })

  test('a recovery code works too, and a wrong one is reported', async () => {
    answerCalls({
      'POST /user/login': () => challenged,
      'POST /user/login/second-factor': () => ({ status: 401, message: 'The code is not correct' }),
    })
    await signIn()
    await userEvent.click(page.getByRole('button', { name: 'Use a recovery code' }))
    const code = page.getByRole('textbox', { name: 'Recovery code' })
    await userEvent.fill(code, 'abcd-efgh-jk')
    await userEvent.click(submit())
    await expect.poll(() => toasts.at(-1)).toBe('The code is not correct')
    await expect.element(code).toHaveValue('abcd-efgh-jk')
    await userEvent.click(page.getByRole('button', { name: 'Back to sign in' }))
    await expect.element(email()).toBeVisible()
  })
})

describe('S5 a sign-in link', () => {
  test('the id leaves the address bar first, and is kept for one use', () => {
    const before = location.href
    history.replaceState(null, '', '/auth/login/link-1')
    readAddress()
    expect(location.pathname).toBe('/auth/login')
    history.replaceState(null, '', before)
    expect(consumeLink('login')).toBe('link-1')
    expect(consumeLink('login')).toBeNull()
  })

  test('the id is sent in the body and signs in; no other account is saved', async () => {
    keepLink('login', 'link-1')
    const requests = answerCalls({ 'POST /user/login-link': () => signedIn })
    await showAt('/auth/login', <SignIn />)
    await at('/')
    expect(requests).toEqual([{ call: 'POST /user/login-link', body: { id: 'link-1' }, token: null }])
    expect(localStorage.getItem(storageKeys.token)).toBe('gmp_a')
    expect(accountsStore.get()).toEqual([])
  })

  test('an expired link stays on the sign-in page with the message and a way in', async () => {
    keepLink('login', 'link-1')
    const message = 'This sign-in link has expired or was used. Ask for a new one.'
    answerCalls({ 'POST /user/login-link': () => ({ status: 401, message }) })
    await showAt('/auth/login', <SignIn />)
    await expect.element(page.getByRole('alert').getByText(message)).toBeVisible()
    await expect.element(email()).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Get a code by email' }))
      .toHaveAttribute('href', '/auth/forgot-password')
    await expectClean()
  })
})

describe('saved accounts', () => {
  const account: SavedAccount = {
    id: '1',
    email: 'jens@vestkyst.example',
    name: 'Jens Holm',
    customerId: '2',
    customerName: 'Vestkyst Logistik ApS',
    profileImage: null,
    token: 'gmp_x',
    recentApps: [],
  }
  const lene = { ...account, id: '3', name: 'Lene Riis', email: 'lene@nordhavn.example', token: null }
  const jens = () => page.getByRole('button', { name: /Jens Holm, Vestkyst Logistik ApS, jens@vestkyst.example/ })

  test('a saved account with a live session is resumed; one without fills the email', async () => {
    accountsStore.set([account, lene])
    await showAt('/auth/login', <SignIn />)
    await userEvent.click(page.getByRole('button', { name: /Lene Riis/ }))
    await expect.element(email()).toHaveValue('lene@nordhavn.example')
    await userEvent.click(jens())
    await at('/')
    expect(tokenStore.get()).toBe('gmp_x')
  })

  test('the tooltip shows the customer and the email', async () => {
    accountsStore.set([account])
    await showAt('/auth/login', <SignIn />)
    await userEvent.hover(jens())
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('Vestkyst Logistik ApS jens@vestkyst.example')
  })

  test('removing requires a confirmation, deletes the account from the device and ends its session', async () => {
    accountsStore.set([account, lene])
    const requests = answerCalls({ 'POST /user/logout': () => ({}) })
    await showAt('/auth/login', <SignIn />)
    const remove = page.getByRole('button', { name: 'Remove jens@vestkyst.example' })
    await userEvent.click(remove)
    await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
    expect(accountsStore.get()).toHaveLength(2)
    await userEvent.click(remove)
    await userEvent.click(page.getByRole('button', { name: 'Remove', exact: true }))
    await expect.element(jens()).not.toBeInTheDocument()
    expect(accountsStore.get()).toEqual([lene])
    expect(requests).toEqual([{ call: 'POST /user/logout', body: null, token: 'gmp_x' }])
  })

  test('an account with an ended session fills the email, with the cursor on the password', async () => {
    emailHint.set('lene@nordhavn.example')
    await showAt('/auth/login', <SignIn />)
    await expect.element(email()).toHaveValue('lene@nordhavn.example')
    await expect.poll(() => document.activeElement).toBe(passwordField())
  })
})

test('the page is in Danish, with the seconds of a wait', async () => {
  answerCalls({ 'POST /user/login': () => ({ status: 429, message: 'x', retryAfterS: 9 }) })
  await showAt('/auth/login', <SignIn />, 'da')
  await userEvent.click(page.getByRole('button', { name: 'Log ind', exact: true }))
  expect(page.getByText('Feltet skal udfyldes').elements()).toHaveLength(2)
  vi.restoreAllMocks()
})
