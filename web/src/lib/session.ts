import type { User } from '@gridmast/contract/user.ts'
import { limits, storageKeys } from '@gridmast/contract/limits.ts'
import { createStore } from './store.ts'

/** An account that this device remembers. `token` is null once that session has ended. */
export type SavedAccount = {
  id: string
  email: string
  name: string
  customerId: string
  customerName: string
  profileImage: string | null
  token: string | null
  recentApps: string[]
}

const readToken = () => localStorage.getItem(storageKeys.token)

const isAccount = (value: unknown): value is SavedAccount =>
  typeof value === 'object' && value !== null && 'id' in value && 'email' in value && 'customerName' in value

const readAccounts = (): SavedAccount[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.users) ?? '[]')
    return Array.isArray(stored)
      ? stored
          .filter(isAccount)
          .map((a) => ({ ...a, name: a.name ?? a.email, token: a.token ?? null, recentApps: a.recentApps ?? [] }))
      : []
  } catch {
    return [] // somebody else's value under our key is no account
  }
}

/** The signed-in token, the same in every tab of this browser. */
export const tokenStore = createStore<string | null>(readToken())
export const accountsStore = createStore<SavedAccount[]>(readAccounts())

/** Keeps tabs in step: a sign-in or logout in one is seen by all. */
export const followOtherTabs = (): (() => void) => {
  const onStorage = (event: StorageEvent) => {
    if (event.key === null || event.key === storageKeys.token) tokenStore.set(readToken())
    if (event.key === null || event.key === storageKeys.users) accountsStore.set(readAccounts())
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

const writeAccounts = (accounts: SavedAccount[]) => {
  localStorage.setItem(storageKeys.users, JSON.stringify(accounts))
  accountsStore.set(accounts)
}

export const startSession = (token: string, user: User, remember: boolean) => {
  localStorage.setItem(storageKeys.token, token)
  const others = accountsStore.get().filter((a) => a.id !== user._id)
  const before = accountsStore.get().find((a) => a.id === user._id)
  if (remember) {
    const account: SavedAccount = {
      id: user._id,
      email: user.email,
      name: user.name,
      customerId: user.customerId._id,
      customerName: user.customerId.name,
      profileImage: user.profileImage,
      token,
      recentApps: before?.recentApps ?? [],
    }
    writeAccounts([account, ...others])
  } else if (before) writeAccounts(others)
  tokenStore.set(token)
}

/** Continues with a saved account's token; the server says whether it still lives. */
export const resumeSession = (token: string) => {
  localStorage.setItem(storageKeys.token, token)
  tokenStore.set(token)
}

/** Forgets the token; the saved account stays, without it. */
export const endSession = () => {
  const ended = tokenStore.get()
  localStorage.removeItem(storageKeys.token)
  if (ended && accountsStore.get().some((a) => a.token === ended))
    writeAccounts(accountsStore.get().map((a) => (a.token === ended ? { ...a, token: null } : a)))
  tokenStore.set(null)
}

/** The latest first, each once, five at most; kept only for accounts that this device remembers. */
export const noteRecentApp = (path: string) => {
  const token = tokenStore.get()
  const account = accountsStore.get().find((a) => token !== null && a.token === token)
  if (!account || account.recentApps[0] === path) return
  const recentApps = [path, ...account.recentApps.filter((p) => p !== path)].slice(0, limits.recentApps)
  writeAccounts(accountsStore.get().map((a) => (a.id === account.id ? { ...a, recentApps } : a)))
}
