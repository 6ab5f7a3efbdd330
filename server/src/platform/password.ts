import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { m } from '@gridmast/contract/messages.ts'
import { Refusal } from './errors.ts'

const derive = promisify(argon2)
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** At most two at a time: each takes 19 MiB and a core (security rule S2). */
const gate = { free: 2, waiting: [] as (() => void)[] }
/** About two seconds of work. Who comes later is told to try again instead of waiting for an answer that comes too late. */
const longestQueue = 50

const inTurn = async <T>(work: () => Promise<T>, first: boolean): Promise<T> => {
  if (gate.free > 0) gate.free--
  else if (first) await new Promise<void>((resolve) => gate.waiting.unshift(resolve))
  else if (gate.waiting.length >= longestQueue) throw new Refusal(503, m.unavailable, { retryAfterS: 1 })
  else await new Promise<void>((resolve) => gate.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = gate.waiting.shift()
    if (next) next()
    else gate.free++
  }
}

let derived = 0
/** Passwords hashed since the start: what a flood of guesses costs. */
export const passwordsHashed = (): number => derived

const tag = (message: string, nonce: Buffer, first = false) =>
  inTurn(() => {
    derived++
    return derive('argon2id', { message, nonce, ...cost })
  }, first)

/** `argon2id$<memory KiB>$<passes>$<salt>$<tag>`, base64url. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16)
  const bytes = await tag(password.normalize('NFKC'), nonce)
  return ['argon2id', cost.memory, cost.passes, nonce.toString('base64url'), bytes.toString('base64url')].join('$')
}

/** `first`: ahead of all that wait, for someone whom a flood of strangers must not keep out. */
export const verifyPassword = async (
  password: string,
  hash: string,
  { first = false }: { first?: boolean } = {},
): Promise<boolean> => {
  const [, , , salt = '', expected = ''] = hash.split('$')
  const bytes = await tag(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), first)
  const wanted = Buffer.from(expected, 'base64url')
  return wanted.length === bytes.length && timingSafeEqual(wanted, bytes)
}

/** Verified against when the email is unknown, so that both answers cost the same work (S3). */
export const noOnesHash = await hashPassword(randomBytes(24).toString('base64url'))
