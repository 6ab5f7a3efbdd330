import { createStore } from './store.ts'

/** Pages that are opened by a link which works once. */
export type LinkKind = 'login' | 'undo-email' | 'unsubscribe'

/** The id of such a link until it is sent: in memory only, for it works for whoever has it. */
const pending = createStore<{ kind: LinkKind; id: string } | null>(null)

export const keepLink = (kind: LinkKind, id: string) => pending.set({ kind, id })

/** The id, once. */
export const takeLink = (kind: LinkKind): string | null => {
  const link = pending.get()
  if (link?.kind !== kind) return null
  pending.set(null)
  return link.id
}

/** Takes the id out of the address bar and out of the history. */
export const readAddress = () => {
  const [, kind, id] = /^\/auth\/(login|undo-email|unsubscribe)\/([^/]+)\/?$/.exec(location.pathname) ?? []
  if (id === undefined || (kind !== 'login' && kind !== 'undo-email' && kind !== 'unsubscribe')) return
  keepLink(kind, id)
  history.replaceState(null, '', `/auth/${kind}`)
}

readAddress()
