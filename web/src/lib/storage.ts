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
