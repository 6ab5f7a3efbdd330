import { useSyncExternalStore } from 'react'

/** Values that the browser cannot store (blocked or full storage), kept until the page closes. */
const unstored = new Map<string, string | null>()

export const deviceStorage = {
  read: (key: string): string | null => {
    const value = unstored.get(key)
    if (value !== undefined) return value
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  write: (key: string, value: string | null) => {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
      unstored.delete(key)
    } catch {
      unstored.set(key, value)
    }
  },
}

/** A value outside of React with subscriptions. */
export type Store<T> = { get: () => T; set: (next: T) => void; subscribe: (listener: () => void) => () => void }

export const createStore = <T>(initial: T): Store<T> => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)
