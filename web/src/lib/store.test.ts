import { afterEach, expect, test, vi } from 'vitest'
import { someUser } from '#testing/user.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const denied = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
const full = () => {
  throw new DOMException('Full.', 'QuotaExceededError')
}
const nothing = { getItem: () => null, removeItem: () => {} }

test.each([
  ['blocked', () => Object.defineProperty(globalThis, 'localStorage', { get: denied, configurable: true })],
  [
    'blocked at each call',
    () => vi.stubGlobal('localStorage', { getItem: denied, setItem: denied, removeItem: denied }),
  ],
  ['full', () => vi.stubGlobal('localStorage', { ...nothing, setItem: full })],
])('with a storage that is %s a session begins, is replaced and ends', async (_, block) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
  block()
  try {
    vi.resetModules()
    const session = await import('./session.ts')
    expect([session.tokenStore.get(), session.accountsStore.get()]).toEqual([null, []])
    session.startSession('gmp_a', someUser(), true)
    session.replaceToken('gmp_b')
    session.noteRecentApp('/')
    expect(session.tokenStore.get()).toBe('gmp_b')
    expect(session.accountsStore.get()).toMatchObject([{ token: 'gmp_b', recentApps: ['/'] }])
    session.endAllSessions()
    expect([session.tokenStore.get(), session.accountsStore.get()]).toEqual([null, []])
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage')
    if (before) Object.defineProperty(globalThis, 'localStorage', before)
  }
})
