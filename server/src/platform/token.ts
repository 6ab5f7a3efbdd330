import { createHash, randomBytes } from 'node:crypto'

const form = /^gmp_[A-Za-z0-9_-]{43}$/

/** 256 random bits behind a prefix; only the SHA-256 is ever stored (security rule S1). */
export const newToken = (): string => `gmp_${randomBytes(32).toString('base64url')}`
export const isToken = (text: string): boolean => form.test(text)
export const tokenSha256 = (token: string): Buffer => createHash('sha256').update(token).digest()
