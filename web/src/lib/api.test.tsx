import { verify } from '@gridmast/contract/people/auth.ts'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerCalls } from '#testing/answers.ts'
import { toasts } from '#testing/toasts.ts'
import { someUser } from '#testing/user.ts'
import { api } from './api.ts'
import { chooseLanguage } from './i18n.ts'
import { tokenStore } from './session.ts'

const here = location.href
const verified = { user: someUser(), due: null }

beforeEach(async () => {
  await chooseLanguage('en')
  delete window.firstCall
  document.head.querySelectorAll('[rel$="preload"]').forEach((link) => link.remove())
})
afterEach(() => {
  history.replaceState(null, '', here)
  tokenStore.set(null)
})

const openAt = async (path: string, token: string | null, files: Record<string, string> = {}) => {
  if (token !== null) localStorage.setItem(storageKeys.token, token)
  tokenStore.set(token)
  history.replaceState(null, '', path)
  const script = document.createElement('script')
  script.src = '/first-paint.js'
  Object.assign(script.dataset, files)
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', reject)
  })
  document.head.append(script)
  await loaded
  script.remove()
}
const preloaded = () =>
  [...document.head.querySelectorAll<HTMLLinkElement>('[rel$="preload"]')].map((link) => link.getAttribute('href'))

test('the user is read before the portal is loaded, with the token in the header; the call uses that answer once', async () => {
  const requests = answerCalls({ 'GET /user/verify': () => ({ data: verified }) })
  await openAt('/', 'gmp_mads')
  expect(requests).toMatchObject([{ call: `${verify.method} ${verify.path}`, body: null, token: 'gmp_mads' }])
  expect(await api(verify)).toEqual(verified)
  expect(requests).toHaveLength(1)
  await api(verify)
  expect(requests).toHaveLength(2)
})

test('T5 an answer for another token is never used', async () => {
  const requests = answerCalls({ 'GET /user/verify': () => ({ data: verified }) })
  await openAt('/', 'gmp_mads')
  tokenStore.set('gmp_lone')
  await api(verify)
  expect(requests.map(({ token }) => token)).toEqual(['gmp_mads', 'gmp_lone'])
})

test('S1 an expired session ends, with one message', async () => {
  const requests = answerCalls({ 'GET /user/verify': () => ({ status: 401, message: m.sessionEnded }) })
  await openAt('/', 'gmp_dead')
  await expect(api(verify)).rejects.toMatchObject({ status: 401 })
  expect(requests).toHaveLength(1)
  expect([tokenStore.get(), localStorage.getItem(storageKeys.token)]).toEqual([null, null])
  expect(toasts).toEqual([m.sessionEnded])
})

test('an unreachable server is reported by the call', async () => {
  answerCalls({ 'GET /user/verify': () => Promise.reject(new TypeError('offline')) })
  await openAt('/', 'gmp_mads')
  await expect(api(verify)).rejects.toMatchObject({ status: 0 })
})

test.each([
  ['nobody is signed in', '/', null],
  ['the page needs no session', '/auth/login/one-time-id', 'gmp_mads'],
  ['the page needs no session', '/privacyPolicy', 'gmp_mads'],
])('no request is sent and nothing is loaded where %s (%s)', async (_, path, token) => {
  const requests = answerCalls({})
  await openAt(path, token, { shell: '/favicon.svg' })
  expect(requests).toEqual([])
  expect(window.firstCall).toBeUndefined()
  expect(preloaded()).toEqual([])
})

test('a signed-in user loads the shell at once, and home on its address', async () => {
  answerCalls({ 'GET /user/verify': () => ({ data: verified }) })
  const files = { shell: '/favicon.svg?s', home: '/first-paint.css /favicon.svg?s' }
  await openAt('/audit', 'gmp_mads', files)
  expect(preloaded()).toEqual(['/favicon.svg?s'])
  await openAt('/', 'gmp_mads', files)
  expect(preloaded()).toEqual(['/favicon.svg?s', '/first-paint.css'])
})
