import { randomInt } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import type { Secret } from '#platform/secret.ts'

/** Without characters that are taken for one another: 0 O, 1 I L, U V. */
const alphabet = 'ABCDEFGHJKMNPQRSTWXYZ23456789'

const four = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Ten codes such as `K7QF-3MZP`, each of 38 random bits. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: limits.recoveryCodes }, () => `${four()}-${four()}`)

/** What is stored of a code, and looked for when one is given: case, hyphens and spaces do not matter. */
export const recoveryHmac = (secret: Secret, userId: string, code: string): Buffer =>
  secret.hmac('recovery', `${userId}:${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)
