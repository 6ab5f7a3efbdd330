import { createStore } from './store.ts'

/** The id of a sign-in link until it is sent: in memory only, for it signs in whoever has it. */
const pendingLink = createStore<string | null>(null)

export const keepLoginLink = (id: string) => pendingLink.set(id)

/** The id, once. */
export const takeLoginLink = (): string | null => {
  const id = pendingLink.get()
  pendingLink.set(null)
  return id
}

/** Takes the id out of the address bar and out of the history. */
export const readAddress = () => {
  const id = /^\/auth\/login\/([^/]+)\/?$/.exec(location.pathname)?.[1]
  if (id === undefined) return
  keepLoginLink(id)
  history.replaceState(null, '', '/auth/login')
}

readAddress()
