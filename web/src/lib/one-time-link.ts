import { createStore } from './store.ts'

const linkKinds = ['login', 'undo-email', 'unsubscribe', 'confirm-address', 'wall'] as const
export type LinkKind = (typeof linkKinds)[number]

/** The id of the link until it is sent; in memory only, because anyone with the id can use it. */
const pending = createStore<{ kind: LinkKind; id: string } | null>(null)

export const keepLink = (kind: LinkKind, id: string) => pending.set({ kind, id })

export const consumeLink = (kind: LinkKind): string | null => {
  const link = pending.get()
  if (link?.kind !== kind) return null
  pending.set(null)
  return link.id
}

export const readAddress = () => {
  const [, name, id] = /^\/auth\/([^/]+)\/([^/]+)\/?$/.exec(location.pathname) ?? []
  const kind = linkKinds.find((one) => one === name)
  if (id === undefined || kind === undefined) return
  keepLink(kind, id)
  history.replaceState(null, '', `/auth/${kind}`)
}

readAddress()
