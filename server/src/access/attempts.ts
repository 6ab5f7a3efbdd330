import { m } from '@gridmast/contract/messages.ts'
import { hourMs, dayMs } from '@gridmast/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import { Refusal } from '#platform/http/errors.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'

/** How guessing of one kind is slowed: numbers and reasons are in attempts.md. */
type Rule = {
  free: number
  longestS: number
  /** After the last try, or after the first where many share the bucket: a pause does not make its tries free again. */
  forgetAfterMs: number
  from?: 'first'
}

export const rules = {
  /** One account from one address prefix. */
  'login-account': { free: 5, longestS: 300, forgetAfterMs: dayMs },
  /** One address prefix, whatever the account. */
  'login-address': { free: 100, longestS: 300, forgetAfterMs: dayMs, from: 'first' },
  /** The /48 of IPv6 around it: whoever has one has 65,536 prefixes. */
  'login-network': { free: 200, longestS: 300, forgetAfterMs: dayMs, from: 'first' },
  /** One browser that has signed in to this account before. */
  'login-device': { free: 5, longestS: 300, forgetAfterMs: dayMs },
  /** Codes of a second factor, of one user or one known browser. */
  'second-factor': { free: 10, longestS: 300, forgetAfterMs: dayMs },
  /** One-time codes asked for from one address prefix. */
  'reset-address': { free: 30, longestS: 300, forgetAfterMs: hourMs },
  /** Codes of an authenticator app that is being set up; the key is the user. */
  'second-factor-confirm': { free: 5, longestS: 300, forgetAfterMs: dayMs },
  /** Codes that confirm a new e-mail; the key is the user. */
  'email-code': { free: 5, longestS: 300, forgetAfterMs: dayMs },
  /** The current password, asked of someone who is signed in; the key is the user. */
  'current-password': { free: 5, longestS: 300, forgetAfterMs: dayMs },
} as const satisfies Record<string, Rule>

export type Bucket = { kind: keyof typeof rules; key: Buffer }

/** Seconds to wait after this many tries without a success: none, then 1, 2, 4 ... */
export const delayS = (rule: Rule, count: number): number =>
  count < rule.free ? 0 : Math.min(2 ** Math.min(count - rule.free, 30), rule.longestS)

/** 429 with the seconds that remain. */
export const refuseUntil = (untilMs: number, nowMs: number, sentence: (seconds: number) => string): Refusal => {
  const seconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000))
  return new Refusal(429, sentence(seconds), { retryAfterS: seconds })
}

/** What is known of one bucket; undefined when nothing was tried. */
export const findAttempt = (tx: Tx, kind: string, key: Buffer) =>
  tx
    .selectFrom('attempt')
    .select(['first_at', 'blocked_until'])
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()

type Counted = { kind: string; key: Buffer }

/**
 * One more, or the first anew where `isOver` holds for what was counted before (`a`); null and nothing counted where that row is there and
 * `may` does not hold for it. One statement, so that tries at the same moment do not slip through.
 */
export const countOne = async (
  tx: Tx,
  { kind, key }: Counted,
  now: Date,
  { isOver = sql`false`, may }: { isOver?: RawBuilder<unknown>; may: RawBuilder<unknown> },
): Promise<number | null> => {
  const { rows } = await sql<{ count: number }>`
    insert into attempt as a (kind, key, count, first_at, last_at) values (${kind}, ${key}, 1, ${now}, ${now})
    on conflict (kind, key) do update set last_at = ${now}, count = case when ${isOver} then 1 else a.count + 1 end,
      first_at = case when ${isOver} then excluded.first_at else a.first_at end
    where ${may} returning count`.execute(tx)
  return rows[0]?.count ?? null
}

/**
 * Counts a try before it is made; a success gives it back. Throws 429 while the bucket waits, and then counts nothing: the refused do not
 * lengthen the wait. Answers how many there have been with this one.
 */
export const takeTry = async (tx: Tx, { kind, key }: Bucket, nowMs: number): Promise<number> => {
  const rule: Rule = rules[kind]
  const now = new Date(nowMs)
  const count = await countOne(tx, { kind, key }, now, {
    isOver: sql`${sql.ref(rule.from === 'first' ? 'a.first_at' : 'a.last_at')} < ${new Date(nowMs - rule.forgetAfterMs)}`,
    may: sql`a.blocked_until is null or a.blocked_until <= ${now}`,
  })
  if (count === null) {
    const waiting = await findAttempt(tx, kind, key)
    throw refuseUntil(waiting?.blocked_until?.getTime() ?? nowMs, nowMs, m.tooManyAttempts)
  }
  const waitS = delayS(rule, count)
  await tx
    .updateTable('attempt')
    .set({ blocked_until: waitS > 0 ? new Date(nowMs + waitS * 1000) : null })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .execute()
  return count
}

/** After a success: the bucket is as if nothing had been tried. */
export const forgetTries = async (tx: Tx, { kind, key }: Counted): Promise<void> => {
  await tx.deleteFrom('attempt').where('kind', '=', kind).where('key', '=', key).execute()
}

/** Counts a try before the work that it is for, and forgets all of them once that has succeeded. */
export const withTry = async <T>(
  { records, secret }: { records: Records; secret: Secret },
  { kind, of }: { kind: Bucket['kind']; of: string },
  nowMs: number,
  work: () => Promise<T>,
): Promise<T> => {
  const bucket = { kind, key: secret.hmac(kind, of) }
  await records.system((tx) => takeTry(tx, bucket, nowMs))
  const done = await work()
  await records.system((tx) => forgetTries(tx, bucket))
  return done
}

/** Gives back one try and what waiting it brought; the others stay counted. */
export const giveBackTry = async (tx: Tx, { kind, key }: Counted): Promise<void> => {
  await tx
    .updateTable('attempt')
    .set((set) => ({ count: set('count', '-', 1), blocked_until: null }))
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute()
}

type Ration = Counted & { most: number }

/** Counts one of at most `most` in so much time from the first. Answers 0, or the instant from which one more is taken. */
export const takeWithin = async (tx: Tx, withinMs: number, bucket: Ration, nowMs: number): Promise<number> => {
  const isOver = sql`a.first_at <= ${new Date(nowMs - withinMs)}`
  const may = sql`${isOver} or a.count < ${bucket.most}`
  if ((await countOne(tx, bucket, new Date(nowMs), { isOver, may })) !== null) return 0
  const full = await findAttempt(tx, bucket.kind, bucket.key)
  return (full?.first_at.getTime() ?? nowMs) + withinMs
}

export const takeOfDay = (tx: Tx, bucket: Ration, nowMs: number): Promise<number> =>
  takeWithin(tx, dayMs, bucket, nowMs)
