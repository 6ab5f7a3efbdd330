import { createHash } from 'node:crypto'
import { sqlRows } from './rows.ts'
import type { AuditAction } from '@gridmast/contract/people/audit.ts'
import type { Records, Tx } from './records.ts'

export type AuditEntry = {
  userId?: string | null
  /** The user's email, or the part of the system that acted. */
  who: string
  action: AuditAction
  subject: string
  before?: unknown
  after?: unknown
  result?: string
  requestId?: string
}

/** JSON with sorted keys, so that a row hashes the same after a round trip through the store. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  // A number too large for a float is read as Infinity, which JSON writes as null; the two values must differ.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

/**
 * Hash before the first entry, derived from the customer, so that a trail cannot pass for another customer's. Trails of earlier versions start
 * with zeros.
 */
const genesisOf = (customerId: string): Buffer =>
  createHash('sha256').update(`gridmast audit trail ${customerId}`).digest()
const zeros = Buffer.alloc(32)

/** Hash of an entry and the previous hash: changing, removing or reordering an entry breaks every later one. */
export const entrySha256 = (previous: Buffer, entry: Record<string, unknown>): Buffer =>
  createHash('sha256').update(previous).update(canonical(entry)).digest()

/** Without NUL and lone surrogates, which neither text nor jsonb accepts. */
const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\u{fffd}')
const storableJson = (value: unknown) =>
  value === undefined || value === null
    ? null
    : // Escapes are matched as a whole, so that an escaped backslash before 'u0000' is kept.
      JSON.stringify(value).replaceAll(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
        escape.length > 2 ? '\u{fffd}' : escape,
      )

type Content = {
  at: Date
  user_id: string | null
  who: string
  action: string
  subject: string
  before: unknown
  after: unknown
  result: string
  request_id: string | null
}

const hashOf = (previous: Buffer, entryNo: number, { at, user_id: userId, request_id: requestId, ...row }: Content) => {
  const { who, action, subject, before, after, result } = row
  const content = { entryNo, at: at.toISOString(), userId, who, action, subject, before, after, result, requestId }
  return entrySha256(previous, content)
}

/**
 * Appends to the trail of the customer in the transaction of the change (security rule C4). The hash covers the values as returned by the
 * store, because a later check reads those.
 */
export const writeAudit = async (tx: Tx, customerId: string, nowMs: number, entry: AuditEntry): Promise<void> => {
  const before = storableJson(entry.before)
  const after = storableJson(entry.after)
  const rows = await sqlRows<Content & { last_no: number | null; last_sha256: Uint8Array | null }>(tx)`
    select ${new Date(nowMs)}::timestamptz as at, ${entry.userId ?? null}::uuid as user_id, ${storableText(entry.who)}::text as who,
      ${storableText(entry.action)}::text as action, ${storableText(entry.subject)}::text as subject, ${before}::jsonb as before,
      ${after}::jsonb as after, ${storableText(entry.result ?? 'ok')}::text as result,
      ${entry.requestId === undefined ? null : storableText(entry.requestId)}::text as request_id,
      last.entry_no as last_no, last.sha256 as last_sha256
    from (select) one left join lateral audit_tail(${customerId}) last on true`
  const [read] = rows
  if (!read) throw new Error('The store gave nothing back')
  const { last_no: lastNo, last_sha256: lastSha256, ...content } = read
  const entryNo = (lastNo ?? 0) + 1
  const previous = lastSha256 ? Buffer.from(lastSha256) : genesisOf(customerId)
  await tx
    .insertInto('audit_entry')
    .values({
      ...content,
      customer_id: customerId,
      entry_no: entryNo,
      before,
      after,
      previous_sha256: previous,
      sha256: hashOf(previous, entryNo, content),
    })
    .execute()
}

const pageRows = 1000

type Chain = {
  /** Number of valid entries before the first invalid one. */
  entries: number
  firstBroken: number | null
  /** Hash of the newest valid entry, in hexadecimal; null without entries. */
  newest: string | null
}

/**
 * Recomputes the chain of a customer page by page in constant memory, up to the first entry that was changed or that follows a removed or
 * moved one. A chain alone shows neither a truncated end nor a rewrite by the owner of the tables; for that, store `newest` elsewhere (`npm
 * run audit-verify` prints it) and compare.
 */
export const verifyChain = async (records: Records, customerId: string): Promise<Chain> => {
  let entries = 0
  let previous: Buffer = genesisOf(customerId)
  for (;;) {
    const after = entries
    const page = await records.tenant(customerId, (tx) =>
      tx
        .selectFrom('audit_entry')
        .selectAll()
        .where('customer_id', '=', customerId)
        .where('entry_no', '>', after)
        .orderBy('entry_no')
        .limit(pageRows)
        .execute(),
    )
    for (const row of page) {
      if (entries === 0 && zeros.equals(row.previous_sha256)) previous = zeros
      const sha256 = hashOf(previous, row.entry_no, row)
      const fits = row.entry_no === entries + 1 && previous.equals(row.previous_sha256) && sha256.equals(row.sha256)
      if (!fits) return { entries, firstBroken: row.entry_no, newest: hexOf(entries, previous) }
      entries++
      previous = sha256
    }
    if (page.length < pageRows) return { entries, firstBroken: null, newest: hexOf(entries, previous) }
  }
}

const hexOf = (entries: number, sha256: Buffer) => (entries > 0 ? sha256.toString('hex') : null)
