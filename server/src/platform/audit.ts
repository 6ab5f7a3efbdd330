import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from './records.ts'

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
    before: entry.before ?? null,
    after: entry.after ?? null,
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
