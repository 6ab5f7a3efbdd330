/** What the browser does not store, because its storage is blocked or full, is kept for as long as the page is open. */
const unstored = new Map<string, string | null>()

/** Values that this device remembers, the same in all tabs. */
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
  /** Null removes the value. */
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
