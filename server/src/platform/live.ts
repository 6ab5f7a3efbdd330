/** What happens now, told to the open streams of one customer. Nothing is kept: a reader that was away reads again. */
export type Live = {
  publish: (customerId: string, event: string, data: unknown) => void
  /** To the streams of every customer: public news such as a new day of prices. */
  announce: (event: string, data: unknown) => void
  /** `customerId` comes from the session (security rule T5). Answers the function that ends the subscription. */
  subscribe: (customerId: string, listener: Listener) => () => void
  /** Whether anyone of this customer listens: saves making news for nobody. */
  isHeard: (customerId: string) => boolean
  count: () => number
}
export type Listener = (event: string, data: string) => void

export const openLive = (): Live => {
  const listeners = new Map<string, Set<Listener>>()
  const tell = (set: Set<Listener> | undefined, event: string, data: unknown) => {
    if (!set?.size) return
    const text = JSON.stringify(data)
    for (const listener of set) listener(event, text)
  }
  return {
    publish: (customerId, event, data) => tell(listeners.get(customerId), event, data),
    announce: (event, data) => {
      for (const set of listeners.values()) tell(set, event, data)
    },
    subscribe: (customerId, listener) => {
      const set = listeners.get(customerId) ?? new Set()
      listeners.set(customerId, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0) listeners.delete(customerId)
      }
    },
    isHeard: (customerId) => listeners.has(customerId),
    count: () => [...listeners.values()].reduce((sum, set) => sum + set.size, 0),
  }
}
