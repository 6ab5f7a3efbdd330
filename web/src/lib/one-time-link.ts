import { createStore } from './store.ts'

/** Pages that are opened by a link which works once. */
const linkKinds = ['login', 'undo-email', 'unsubscribe', 'confirm-address'] as const
export type LinkKind = (typeof linkKinds)[number]

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
  const [, name, id] = /^\/auth\/([^/]+)\/([^/]+)\/?$/.exec(location.pathname) ?? []
  const kind = linkKinds.find((one) => one === name)
  if (id === undefined || kind === undefined) return
  keepLink(kind, id)
  history.replaceState(null, '', `/auth/${kind}`)
}

readAddress()
