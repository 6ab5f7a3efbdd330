import { m } from '@gridmast/contract/messages.ts'
import { hourMs, dayMs } from '@gridmast/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import { Refusal } from '#platform/http/errors.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** Throttling of guesses per kind; numbers and reasons are in attempts.md. */
type Rule = {
  free: number
  longestS: number
  /** After the last try, or after the first for shared buckets, where a pause must not reset the count. */
  forgetAfterMs: number
  from?: 'first'
}

export const rules = {
  /** Account and address prefix. */
  'login-account': { free: 5, longestS: 300, forgetAfterMs: dayMs },
  /** Address prefix, any account. */
  'login-address': { free: 100, longestS: 300, forgetAfterMs: dayMs, from: 'first' },
  /** The /48 of IPv6, which has 65,536 prefixes. */
  'login-network': { free: 200, longestS: 300, forgetAfterMs: dayMs, from: 'first' },
  /** A browser that has signed in to this account before. */
  'login-device': { free: 5, longestS: 300, forgetAfterMs: dayMs },
  /** Per user or known browser. */
  'second-factor': { free: 10, longestS: 300, forgetAfterMs: dayMs },
  /** Requests for one-time codes per address prefix. */
  'reset-address': { free: 30, longestS: 300, forgetAfterMs: hourMs },
  /** Setup of an authenticator app, per user. */
  'second-factor-confirm': { free: 5, longestS: 300, forgetAfterMs: dayMs },
  /** Confirmation of a new email, per user. */
  'email-code': { free: 5, longestS: 300, forgetAfterMs: dayMs },
  /** Re-entry by a signed-in user, per user. */
  'current-password': { free: 5, longestS: 300, forgetAfterMs: dayMs },
} as const satisfies Record<string, Rule>

export type Bucket = { kind: keyof typeof rules; key: Buffer }

/** Seconds to wait after `count` tries without a success: 0 while free, then 1, 2, 4 ... */
export const delayS = (rule: Rule, count: number): number =>
  count < rule.free ? 0 : Math.min(2 ** Math.min(count - rule.free, 30), rule.longestS)

export const refuseUntil = (untilMs: number, nowMs: number, sentence: (seconds: number) => string): Refusal => {
  const seconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000))
  return new Refusal(429, sentence(seconds), { retryAfterS: seconds })
}

export const findAttempt = (tx: Tx, kind: string, key: Buffer) =>
  tx
    .selectFrom('attempt')
    .select(['first_at', 'blocked_until'])
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()

type Counted = { kind: string; key: Buffer }

/**
 * Adds one, or restarts at one where `isOver` is true for the row (`a`); null without a change where the row exists and `may` is false. One
 * statement, so that concurrent tries are all counted.
 */
export const countOne = async (
  tx: Tx,
  { kind, key }: Counted,
  now: Date,
  { isOver = sql`false`, may }: { isOver?: RawBuilder<unknown>; may: RawBuilder<unknown> },
): Promise<number | null> => {
  const rows = await sqlRows<{ count: number }>(tx)`
    insert into attempt as a (kind, key, count, first_at, last_at) values (${kind}, ${key}, 1, ${now}, ${now})
    on conflict (kind, key) do update set last_at = ${now}, count = case when ${isOver} then 1 else a.count + 1 end,
      first_at = case when ${isOver} then excluded.first_at else a.first_at end
    where ${may} returning count`
  return rows[0]?.count ?? null
}

/**
 * Counts a try in advance; a success returns it. Throws 429 while the bucket waits, without counting: refused tries do not extend the wait.
 * Answers the count with this try.
 */
export const countTry = async (tx: Tx, { kind, key }: Bucket, nowMs: number): Promise<number> => {
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

export const clearTries = async (tx: Tx, { kind, key }: Counted): Promise<void> => {
  await tx.deleteFrom('attempt').where('kind', '=', kind).where('key', '=', key).execute()
}

export const withTry = async <T>(
  { records, secret }: { records: Records; secret: Secret },
  { kind, of }: { kind: Bucket['kind']; of: string },
  nowMs: number,
  work: () => Promise<T>,
): Promise<T> => {
  const bucket = { kind, key: secret.hmac(kind, of) }
  await records.system((tx) => countTry(tx, bucket, nowMs))
  const done = await work()
  await records.system((tx) => clearTries(tx, bucket))
  return done
}

export const returnTry = async (tx: Tx, { kind, key }: Counted): Promise<void> => {
  await tx
    .updateTable('attempt')
    .set((set) => ({ count: set('count', '-', 1), blocked_until: null }))
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute()
}

type Ration = Counted & { most: number }

/** Counts one of at most `most` within `withinMs` of the first. Answers 0, or the instant from which another is allowed. */
export const countWithin = async (tx: Tx, withinMs: number, bucket: Ration, nowMs: number): Promise<number> => {
  const isOver = sql`a.first_at <= ${new Date(nowMs - withinMs)}`
  const may = sql`${isOver} or a.count < ${bucket.most}`
  if ((await countOne(tx, bucket, new Date(nowMs), { isOver, may })) !== null) return 0
  const full = await findAttempt(tx, bucket.kind, bucket.key)
  return (full?.first_at.getTime() ?? nowMs) + withinMs
}

export const countOfDay = (tx: Tx, bucket: Ration, nowMs: number): Promise<number> =>
  countWithin(tx, dayMs, bucket, nowMs)
