import type { User } from '@gridmast/contract/people/user.ts'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { afterEach, expect, test } from 'vitest'
import { someUser } from '#testing/user.ts'
import * as session from './session.ts'

const user = (id: string): User => someUser({ _id: id })
const saved = () => JSON.parse(localStorage.getItem(storageKeys.users) ?? '[]') as session.SavedAccount[] // written by session.ts above

afterEach(() => {
  session.endSession()
  session.accountsStore.set([])
})

test('a remembered sign-in keeps the account and the token', () => {
  session.startSession('gmp_a', user('mads'), true)
  expect(localStorage.getItem(storageKeys.token)).toBe('gmp_a')
  expect(saved()).toMatchObject([{ id: 'mads', customerName: 'Nordhavn Frost A/S', token: 'gmp_a' }])
})

test('a sign-in that is not remembered keeps no account, and forgets an older one', () => {
  session.startSession('gmp_a', user('mads'), true)
  session.startSession('gmp_b', user('mads'), false)
  expect(localStorage.getItem(storageKeys.token)).toBe('gmp_b')
  expect(saved()).toEqual([])
})

test('a logout removes the token everywhere and keeps the account', () => {
  session.startSession('gmp_a', user('mads'), true)
  session.endSession()
  expect(localStorage.getItem(storageKeys.token)).toBeNull()
  expect(session.tokenStore.get()).toBeNull()
  expect(saved()).toMatchObject([{ id: 'mads', token: null }])
})

test('recent apps: newest first, each once, five at most, none without a saved account', () => {
  session.startSession('gmp_a', user('mads'), true)
  for (const path of ['/', '/a', '/b', '/c', '/d', '/e', '/a']) session.noteRecentApp(path)
  expect(saved()[0]?.recentApps).toEqual(['/a', '/e', '/d', '/c', '/b'])
  session.startSession('gmp_b', user('lene'), false)
  session.noteRecentApp('/x')
  expect(saved().find((a) => a.id === 'lene')).toBeUndefined()
})

test('a logout in another tab applies here', () => {
  const stop = session.followOtherTabs()
  session.startSession('gmp_a', user('mads'), true)
  localStorage.removeItem(storageKeys.token)
  window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.token }))
  expect(session.tokenStore.get()).toBeNull()
  stop()
})

test('a foreign value under our key is no account', () => {
  const stop = session.followOtherTabs()
  for (const garbage of ['{"a":1}', 'not json', '[1,null,{"id":"x"}]']) {
    localStorage.setItem(storageKeys.users, garbage)
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.users }))
    expect(session.accountsStore.get()).toEqual([])
  }
  stop()
})
