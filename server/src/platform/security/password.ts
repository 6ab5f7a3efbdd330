import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import PQueue from 'p-queue'
import { m } from '@gridmast/contract/messages.ts'
import { cost } from './password-cost.ts'
import { Refusal } from '#platform/http/errors.ts'

const derive = promisify(argon2)
const shape = { parallelism: 1, tagLength: 32 } as const

/** Each hash takes 19 MiB and a core (security rule S2). */
const queue = new PQueue({ concurrency: 2 })
/** About two seconds of work; further calls are refused at once instead of timing out. */
const longestQueue = 50

let derived = 0
export const passwordsHashed = (): number => derived

type Turn = { first?: boolean; tries?: number }
type Cost = { memory: number; passes: number }

const tag = async (
  password: string,
  nonce: Buffer,
  { memory, passes }: Cost,
  { first = false, tries = 0 }: Turn = {},
): Promise<Buffer> => {
  if (!first && queue.size >= longestQueue) throw new Refusal(503, m.unavailable, { retryAfterS: 1 })
  const work = () => {
    derived++
    return derive('argon2id', { message: password.normalize('NFKC'), nonce, memory, passes, ...shape })
  }
  return queue.add(work, { priority: first ? 1 : -tries })
}

/** `argon2id$<memory KiB>$<passes>$<salt>$<tag>`, base64url. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16)
  const bytes = await tag(password, nonce, cost)
  return ['argon2id', cost.memory, cost.passes, nonce.toString('base64url'), bytes.toString('base64url')].join('$')
}

/**
 * Uses the cost stored in the hash. Fewer `tries` run earlier; `first` runs before all others, for a user whom a flood of strangers must not
 * lock out.
 */
export const verifyPassword = async (password: string, hash: string, turn: Turn = {}): Promise<boolean> => {
  const [, memory, passes, salt = '', expected = ''] = hash.split('$')
  const storedCost = { memory: Number(memory) || cost.memory, passes: Number(passes) || cost.passes }
  const bytes = await tag(password, Buffer.from(salt, 'base64url'), storedCost, turn)
  const expectedTag = Buffer.from(expected, 'base64url')
  return expectedTag.length === bytes.length && timingSafeEqual(expectedTag, bytes)
}

/** Compared for an unknown email, so that both cases take the same time (S3). */
export const unknownUserHash = await hashPassword(randomBytes(24).toString('base64url'))
