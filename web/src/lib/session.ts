import type { User } from '@gridmast/contract/people/user.ts'
import { limits, storageKeys } from '@gridmast/contract/limits.ts'
import { deviceStorage, createStore } from './store.ts'

/** An account saved on this device. `token` is null after the end of its session. */
export type SavedAccount = {
  id: string
  email: string
  name: string
  customerId: string
  customerName: string
  profileImage: string | null
  token: string | null
  recentApps: string[]
  /** Rows opened from the search, latest first; checked by the search when it reads them. */
  recentFinds?: unknown[]
}

const readToken = () => deviceStorage.read(storageKeys.token)

const isAccount = (value: unknown): value is SavedAccount =>
  typeof value === 'object' && value !== null && 'id' in value && 'email' in value && 'customerName' in value

const readAccounts = (): SavedAccount[] => {
  try {
    const saved: unknown = JSON.parse(deviceStorage.read(storageKeys.users) ?? '[]')
    return Array.isArray(saved)
      ? saved.filter(isAccount).map((a) => ({
          ...a,
          name: a.name ?? a.email,
          token: a.token ?? null,
          recentApps: a.recentApps ?? [],
          recentFinds: Array.isArray(a.recentFinds) ? a.recentFinds : [],
        }))
      : []
  } catch {
    return [] // a foreign value under this key is no account
  }
}

export const tokenStore = createStore<string | null>(readToken())
export const accountsStore = createStore<SavedAccount[]>(readAccounts())

export const emailHint = createStore('')

/** Applies sign-in and logout of one tab to all others. */
export const followOtherTabs = (): (() => void) => {
  const onStorage = (event: StorageEvent) => {
    if (event.key === null || event.key === storageKeys.token) tokenStore.set(readToken())
    if (event.key === null || event.key === storageKeys.users) accountsStore.set(readAccounts())
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

const writeAccounts = (accounts: SavedAccount[]) => {
  deviceStorage.write(storageKeys.users, JSON.stringify(accounts))
  accountsStore.set(accounts)
}

export const startSession = (token: string, user: User, remember: boolean) => {
  deviceStorage.write(storageKeys.token, token)
  // The theme of this device is saved at the first sign-in; until a choice the system decides.
  if (deviceStorage.read(storageKeys.theme) === null) deviceStorage.write(storageKeys.theme, 'auto')
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
      recentFinds: before?.recentFinds ?? [],
    }
    writeAccounts([account, ...others])
  } else if (before) writeAccounts(others)
  emailHint.set('')
  tokenStore.set(token)
}

export const isSaved = (userId: string) => accountsStore.get().some(({ id }) => id === userId)

/** Continues as a saved account; the server checks its session. False: sign-in is required. */
export const switchTo = ({ token, email }: SavedAccount): boolean => {
  emailHint.set(email)
  if (token === null) return false
  deviceStorage.write(storageKeys.token, token)
  tokenStore.set(token)
  return true
}

export const replaceToken = (next: string) => {
  const before = tokenStore.get()
  deviceStorage.write(storageKeys.token, next)
  writeAccounts(accountsStore.get().map((a) => (before !== null && a.token === before ? { ...a, token: next } : a)))
  tokenStore.set(next)
}

/** Work that needs the session and is finished before it ends. */
export const beforeSessionEnd = new Set<() => Promise<unknown>>()

export const endSession = () => {
  const ended = tokenStore.get()
  deviceStorage.write(storageKeys.token, null)
  if (ended && accountsStore.get().some((a) => a.token === ended))
    writeAccounts(accountsStore.get().map((a) => (a.token === ended ? { ...a, token: null } : a)))
  tokenStore.set(null)
}

/** After the server has ended the session: back to sign-in with the same email. */
export const loseSession = () => {
  const lost = accountsStore.get().find((a) => a.token !== null && a.token === tokenStore.get())
  if (lost) emailHint.set(lost.email)
  endSession()
}

export const endAllSessions = () => {
  deviceStorage.write(storageKeys.token, null)
  deviceStorage.write(storageKeys.users, null)
  accountsStore.set([])
  emailHint.set('')
  tokenStore.set(null)
}

export const removeAccount = (id: string) => writeAccounts(accountsStore.get().filter((a) => a.id !== id))

export const renewAccount = ({ _id, email, name, profileImage }: User) => {
  if (isSaved(_id))
    writeAccounts(accountsStore.get().map((a) => (a.id === _id ? { ...a, email, name, profileImage } : a)))
}

const changeOwnAccount = (change: (account: SavedAccount) => SavedAccount) => {
  const token = tokenStore.get()
  const own = accountsStore.get().find((a) => token !== null && a.token === token)
  const changed = own && change(own)
  if (changed !== own) writeAccounts(accountsStore.get().map((a) => (a === own && changed ? changed : a)))
}

/** Latest first, unique, at most five, for saved accounts only. */
export const noteRecentApp = (path: string) =>
  changeOwnAccount((account) => {
    if (account.recentApps[0] === path) return account
    const others = account.recentApps.filter((other) => other !== path)
    return { ...account, recentApps: [path, ...others].slice(0, limits.recentApps) }
  })

export const noteRecentFind = <Row>(row: Row, isSame: (other: Row) => boolean) =>
  changeOwnAccount((account) => {
    const others = ((account.recentFinds as Row[] | undefined) ?? []).filter((other) => !isSame(other)) // written only here
    return { ...account, recentFinds: [row, ...others].slice(0, limits.recentFinds) }
  })
