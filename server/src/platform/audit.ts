import { createHash } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { AuditEntry as AuditRow } from './db-types.ts'
import type { Records, Tx } from './records.ts'

export type AuditEntry = {
  userId: string | null
  /** The person's e-mail, or the part of the system that acted. */
  who: string
  /** What was done, as `<domain>.<verb>`. */
  action: string
  /** What it was done to. */
  subject: string
  before?: unknown
  after?: unknown
  result: string
  requestId?: string
}

/** JSON with sorted keys, so that a row hashes the same after its way through the store. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

const genesis = Buffer.alloc(32)

/** Hash of one entry over the hash before it: changing, removing or reordering any entry breaks every later one. */
export const entrySha256 = (previous: Buffer, entry: Record<string, unknown>): Buffer =>
  createHash('sha256').update(previous).update(canonical(entry)).digest()

/** What the store will read back: dates as text, nothing undefined. */
const asJson = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))

/** Appends to the customer's trail in the transaction of the change itself (security rule C4). */
export const writeAudit = async (tx: Tx, customerId: string, nowMs: number, entry: AuditEntry): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${customerId}, 4))`.execute(tx)
  const last = await tx
    .selectFrom('audit_entry')
    .select(['entry_no', 'sha256'])
    .where('customer_id', '=', customerId)
    .orderBy('entry_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  const entryNo = (last?.entry_no ?? 0) + 1
  const previous = last ? Buffer.from(last.sha256) : genesis
  const content = {
    entryNo,
    at: new Date(nowMs).toISOString(),
    userId: entry.userId,
    who: entry.who,
    action: entry.action,
    subject: entry.subject,
    before: asJson(entry.before),
    after: asJson(entry.after),
    result: entry.result,
    requestId: entry.requestId ?? null,
  }
  await tx
    .insertInto('audit_entry')
    .values({
      customer_id: customerId,
      entry_no: entryNo,
      at: content.at,
      user_id: entry.userId,
      who: entry.who,
      action: entry.action,
      subject: entry.subject,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
      result: entry.result,
      request_id: entry.requestId ?? null,
      previous_sha256: previous,
      sha256: entrySha256(previous, content),
    })
    .execute()
}

const pageRows = 1000

const contentOf = (row: Selectable<AuditRow>) => ({
  entryNo: row.entry_no,
  at: row.at.toISOString(),
  userId: row.user_id,
  who: row.who,
  action: row.action,
  subject: row.subject,
  before: row.before,
  after: row.after,
  result: row.result,
  requestId: row.request_id,
})

export type Chain = {
  /** Entries that fit, up to the first that does not. */
  entries: number
  firstBroken: number | null
  /** Hash of the newest entry that fits, in hexadecimal; null when there is none. */
  newest: string | null
}

/**
 * Recomputes a customer's chain page by page, in constant memory, up to the first entry that does not fit: one that was
 * changed, or that follows one that was removed or moved. A chain alone does not show that its newest entries were cut off,
 * nor that someone with the rights of the tables' owner rewrote it from some entry to the end: for that, keep `newest`
 * elsewhere from time to time (`npm run audit-verify` prints it) and compare.
 */
export const verifyChain = async (records: Records, customerId: string): Promise<Chain> => {
  let entries = 0
  let previous: Buffer = genesis
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
      const sha256 = entrySha256(previous, contentOf(row))
      const fits = row.entry_no === entries + 1 && previous.equals(row.previous_sha256) && sha256.equals(row.sha256)
      if (!fits) return { entries, firstBroken: row.entry_no, newest: hexOf(entries, previous) }
      entries++
      previous = sha256
    }
    if (page.length < pageRows) return { entries, firstBroken: null, newest: hexOf(entries, previous) }
  }
}

const hexOf = (entries: number, sha256: Buffer) => (entries > 0 ? sha256.toString('hex') : null)
