import { hash, randomBytes } from 'node:crypto'

/** `gmp_` for a session, `gmk_` for an API key. */
const prefixes = { session: 'gmp_', apiKey: 'gmk_' } as const
const form = /^gm[pk]_[A-Za-z0-9_-]{43}$/

/** 256 random bits with a prefix; only the SHA-256 is stored (security rule S1). */
export const newToken = (kind: keyof typeof prefixes): string =>
  `${prefixes[kind]}${randomBytes(32).toString('base64url')}`
export const isToken = (text: string): boolean => form.test(text)
export const isApiKey = (token: string): boolean => token.startsWith(prefixes.apiKey)
export const tokenSha256 = (token: string): Buffer => hash('sha256', token, 'buffer')
