import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type RowOf, selectRows, sqlRows } from './rows.ts'
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
export const storableJson = (value: unknown) =>
  value === undefined || value === null
    ? null
    : // Escapes are matched as a whole, so that an escaped backslash before 'u0000' is kept.
      JSON.stringify(value).replaceAll(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
        escape.length > 2 ? '\u{fffd}' : escape,
      )

export type Content = {
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
  await appendEntry(tx, customerId, nowMs, entry)
}

/** As `writeAudit`; answers the number of the entry. */
export const appendEntry = async (tx: Tx, customerId: string, nowMs: number, entry: AuditEntry): Promise<number> => {
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
  return entryNo
}

/** Hash of the present content of an erased entry, bound to the hash of its first content. */
export const erasedSha256 = (sha256: Buffer, entryNo: number, content: Content): string =>
  hashOf(sha256, entryNo, content).toString('hex')

/** Hashes by entry number, in the `after` of an entry 'user.erase'. */
const erasedEntries = z.object({ erased: z.record(z.string(), z.string()) })
/** The last removed entry, in the `after` of an entry 'customer.trail-cut'. */
const cutEntry = z.object({ upTo: z.number(), sha256: z.string() })

const pageRows = 1000

type Chain = {
  /** Number of valid entries before the first invalid one. */
  entries: number
  firstBroken: number | null
  /** Hash of the newest valid entry, in hexadecimal; null without entries. */
  newest: string | null
}

type Row = RowOf<'audit_entry'>

const findEntry = (records: Records, customerId: string, entryNo: number) =>
  records.tenant(customerId, (tx) =>
    selectRows(tx, customerId, 'audit_entry', { entry_no: entryNo }).selectAll().executeTakeFirst(),
  )

/** Whether later entries of the trail, whose own hashes are verified in their turn, account for the content of erased entries. */
const openErasures = (records: Records, customerId: string) => {
  const erasures = new Map<number, Record<string, string>>()
  return async (row: Row, erasedBy: number): Promise<boolean> => {
    if (erasedBy <= row.entry_no) return false
    let hashes = erasures.get(erasedBy)
    if (!hashes) {
      const erasure = await findEntry(records, customerId, erasedBy)
      const read = erasedEntries.safeParse(erasure?.after)
      if (erasure?.action !== 'user.erase' || erasure.erased_by !== null || !read.success) return false
      hashes = read.data.erased
      erasures.set(erasedBy, hashes)
    }
    return hashes[row.entry_no] === erasedSha256(row.sha256, row.entry_no, row)
  }
}

const findAnchor = (records: Records, customerId: string) =>
  records.tenant(customerId, (tx) => selectRows(tx, customerId, 'audit_anchor').selectAll().executeTakeFirst())

/** The place where a retention has cut the trail, or null when the trail does not account for it. */
const findStart = async (
  records: Records,
  customerId: string,
): Promise<{ entryNo: number; sha256: Buffer } | 'uncut' | null> => {
  const anchor = await findAnchor(records, customerId)
  if (!anchor) return 'uncut'
  const cut = await findEntry(records, customerId, anchor.cut_by)
  const read = cutEntry.safeParse(cut?.after)
  const isNamed =
    cut?.action === 'customer.trail-cut' &&
    cut.erased_by === null &&
    cut.entry_no > anchor.entry_no &&
    read.data?.upTo === anchor.entry_no &&
    read.data.sha256 === anchor.sha256.toString('hex')
  return isNamed ? { entryNo: anchor.entry_no, sha256: anchor.sha256 } : null
}

/**
 * Recomputes the chain of a customer page by page in constant memory, up to the first entry that was changed or that follows a removed or
 * moved one. Entries that an erasure or a retention changed are valid when the trail names them (ADR 14). A chain alone shows neither a
 * truncated end nor a rewrite by the owner of the tables; for that, store `newest` elsewhere (`npm run audit-verify` prints it) and compare.
 */
export const verifyChain = async (records: Records, customerId: string): Promise<Chain> => {
  for (;;) {
    const before = await findAnchor(records, customerId)
    const chain = await verifyFrom(records, customerId)
    if (chain.firstBroken === null || (await findAnchor(records, customerId))?.entry_no === before?.entry_no)
      return chain
  } // entries were removed by the retention in the meantime
}

const verifyFrom = async (records: Records, customerId: string): Promise<Chain> => {
  const start = await findStart(records, customerId)
  if (!start) return { entries: 0, firstBroken: 1, newest: null }
  const isErasedValid = openErasures(records, customerId)
  let entries = 0
  let [last, previous] = start === 'uncut' ? [0, genesisOf(customerId)] : [start.entryNo, start.sha256]
  for (;;) {
    const after = last
    const page = await records.tenant(customerId, (tx) =>
      selectRows(tx, customerId, 'audit_entry')
        .selectAll()
        .where('entry_no', '>', after)
        .orderBy('entry_no')
        .limit(pageRows)
        .execute(),
    )
    for (const row of page) {
      if (last === 0 && zeros.equals(row.previous_sha256)) previous = zeros
      const follows = row.entry_no === last + 1 && previous.equals(row.previous_sha256)
      const isValid =
        row.erased_by === null
          ? hashOf(previous, row.entry_no, row).equals(row.sha256)
          : await isErasedValid(row, row.erased_by)
      if (!follows || !isValid) return { entries, firstBroken: row.entry_no, newest: hexOf(entries, previous) }
      entries++
      last = row.entry_no
      previous = row.sha256
    }
    if (page.length < pageRows) return { entries, firstBroken: null, newest: hexOf(entries, previous) }
  }
}

const hexOf = (entries: number, sha256: Buffer) => (entries > 0 ? sha256.toString('hex') : null)
