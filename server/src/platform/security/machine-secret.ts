import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const tag = (secret: string, salt: Buffer) => createHmac('sha256', salt).update(secret.normalize('NFKC')).digest()

/**
 * Hash of a random secret: `hmac-sha256$<salt>$<tag>`, base64url. One salted round is as safe as the slow hash of
 * `password.ts` is for chosen passwords, and a flood of guesses locks out no machine.
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

/** Compared for an unknown name, so that both cases take the same time. */
export const noMachinesHash = hashMachineSecret(randomBytes(24).toString('base64url'))
