/** Chargers differ in case and padding. */
export const normaliseTag = (id: string): string => id.trim().toUpperCase()

const reserved = /^GM[0-9A-F]{16}$/
export const isReservedTag = (tag: string): boolean => reserved.test(tag)
