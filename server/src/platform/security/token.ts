import { hash, randomBytes, createHmac, timingSafeEqual } from 'node:crypto'

/** `gmp_` for a session, `gmk_` for an API key, `gmw_` for a wall screen, which servers before 0171 refuse. */
const prefixes = { session: 'gmp_', apiKey: 'gmk_', wall: 'gmw_' } as const
const form = /^gm[pkw]_[A-Za-z0-9_-]{43}$/

/** 256 random bits with a prefix; only the SHA-256 is stored (security rule S1). */
export const newToken = (kind: keyof typeof prefixes): string =>
  `${prefixes[kind]}${randomBytes(32).toString('base64url')}`
export const isToken = (text: string): boolean => form.test(text)
export const isApiKey = (token: string): boolean => token.startsWith(prefixes.apiKey)
export const tokenSha256 = (token: string): Buffer => hash('sha256', token, 'buffer')

const tag = (secret: string, salt: Buffer) => createHmac('sha256', salt).update(secret.normalize('NFKC')).digest()

/**
 * Hash of a random secret: `hmac-sha256$<salt>$<tag>`, base64url. One salted round is as safe as the slow hash of `password.ts` is for chosen
 * passwords, and a flood of guesses locks out no machine.
 */
export const hashMachineSecret = (secret: string): string => {
  const salt = randomBytes(16)
  return ['hmac-sha256', salt.toString('base64url'), tag(secret, salt).toString('base64url')].join('$')
}

export const isMachineHash = (hash: string): boolean => hash.startsWith('hmac-sha256$')

export const isMachineSecret = (secret: string, hash: string): boolean => {
  const [, salt = '', expected = ''] = hash.split('$')
  const [actual, expectedTag] = [tag(secret, Buffer.from(salt, 'base64url')), Buffer.from(expected, 'base64url')]
  return isMachineHash(hash) && actual.length === expectedTag.length && timingSafeEqual(actual, expectedTag)
}

/** Compared for an unknown name, so that both cases take the same time. */
export const unknownMachineHash = hashMachineSecret(randomBytes(24).toString('base64url'))
