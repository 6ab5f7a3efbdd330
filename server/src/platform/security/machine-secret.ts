import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const tag = (secret: string, salt: Buffer) => createHmac('sha256', salt).update(secret.normalize('NFKC')).digest()

/**
 * Secrets of machines. They are random, so one round of a salted hash keeps them as well as the slow one of `password.ts` keeps what people
 * choose, and a flood of guesses costs nobody the way in. `hmac-sha256$<salt>$<tag>`, base64url.
 */
export const hashMachineSecret = (secret: string): string => {
  const salt = randomBytes(16)
  return ['hmac-sha256', salt.toString('base64url'), tag(secret, salt).toString('base64url')].join('$')
}

export const isMachineHash = (hash: string): boolean => hash.startsWith('hmac-sha256$')

export const isMachineSecret = (secret: string, hash: string): boolean => {
  const [, salt = '', expected = ''] = hash.split('$')
  const [given, wanted] = [tag(secret, Buffer.from(salt, 'base64url')), Buffer.from(expected, 'base64url')]
  return isMachineHash(hash) && given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Compared with for an unknown name, so that both answers cost the same work. */
export const noMachinesHash = hashMachineSecret(randomBytes(24).toString('base64url'))
