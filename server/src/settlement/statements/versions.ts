import { createHash, hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LocalMonth, monthBounds } from '@gridmast/contract/time.ts'
import type { OwnRows } from '#people/letters/monthly-statement.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, lockCustomer, selectRows } from '#platform/records/rows.ts'
import type { MonthSettlement } from './queries.ts'

/*
 * Versions of a month's statement, identified by the hash of their content. A version is stored when it is mailed; until then it is a draft of
 * the next one. Each lists its differences from the last mailed version before it, or else from the previous one. A running month has none.
 */

type VersionEntry = Pick<MonthSettlement, 'instance_id' | 'product' | 'day' | 'version'> & { sha: string }
type StatedSettlement = VersionEntry & Pick<MonthSettlement, 'instance_name' | 'gross_eur' | 'customer_eur'>

export type Change = Pick<StatedSettlement, 'instance_name' | 'product' | 'day'> & {
  before: StatedSettlement | null
  after: StatedSettlement | null
}

type Stored = Record<string, Record<string, [day: number, version: number, sha: string][]>>

const toStored = (settlements: readonly VersionEntry[]): Stored => {
  const stored: Stored = {}
  for (const { instance_id, product, day, version, sha } of settlements)
    ((stored[instance_id] ??= {})[product] ??= []).push([Number(day.slice(8)), version, sha])
  return stored
}

const fromStored = (stored: Stored, month: LocalMonth): VersionEntry[] =>
  Object.entries(stored).flatMap(([instance_id, products]) =>
    Object.entries(products).flatMap(([product, days]) =>
      days.map(([day, version, sha]) => ({
        instance_id,
        product,
        day: `${month}-${String(day).padStart(2, '0')}`,
        version,
        sha,
      })),
    ),
  )
export type StatementVersion = {
  version: number
  madeAt: Date
  sha256: string
  isDraft: boolean
  previous: { version: number; madeAt: Date; isMailed: boolean } | null
  changes: Change[]
}

const toStated = (row: MonthSettlement): StatedSettlement => {
  const { made_at: _, inputs_sha256, ...content } = row
  const sha = hash('sha256', JSON.stringify([inputs_sha256, content]), 'base64url').slice(0, 16)
  const { instance_id, instance_name, product, day, version, gross_eur, customer_eur } = row
  return { instance_id, instance_name, product, day, version, gross_eur, customer_eur, sha }
}

type Key = Pick<MonthSettlement, 'instance_id' | 'product' | 'day'>
export const keyOf = ({ instance_id, product, day }: Key) => `${instance_id} ${product} ${day}`

const sumOf = (company: string, settlements: readonly StatedSettlement[]): Buffer => {
  const sum = createHash('sha256').update(`${company}\n`)
  for (const one of settlements) sum.update(`${keyOf(one)} ${one.sha}\n`)
  return sum.digest()
}

const findAmounts = async (tx: Tx, customerId: string, entries: readonly VersionEntry[]) => {
  if (entries.length === 0) return []
  return sqlRows<StatedSettlement>(tx)`
    select k.instance_id, k.product, k.day::text as day, k.version, k.sha, i.name as instance_name,
      coalesce(s.gross_eur, r.gross_eur)::text as gross_eur, coalesce(s.customer_eur, r.customer_eur)::text as customer_eur
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as k(instance_id uuid, product text, day date, version int, sha text)
    join instance i on i.customer_id = ${customerId} and i.instance_id = k.instance_id
    left join settlement s on s.customer_id = ${customerId} and s.instance_id = k.instance_id and s.day = k.day
      and s.product = k.product and s.version = k.version
    left join settlement_revision r on r.customer_id = ${customerId} and r.instance_id = k.instance_id and r.day = k.day
      and r.product = k.product and r.version = k.version`
}

const changesOf = async (
  own: OwnRows,
  { customerId, month }: Of,
  stored: Stored,
  after: readonly StatedSettlement[],
): Promise<Change[]> => {
  const entries = new Map(fromStored(stored, month).map((entry) => [keyOf(entry), entry]))
  const current = new Map(after.map((one) => [keyOf(one), one]))
  const replaced = [...entries].flatMap(([key, entry]) => (current.get(key)?.sha === entry.sha ? [] : [entry]))
  const amounts = await own((tx) => findAmounts(tx, customerId, replaced))
  const before = new Map(amounts.map((one) => [keyOf(one), one]))
  const added = after.filter((one) => entries.get(keyOf(one))?.sha !== one.sha)
  return [...new Set([...added, ...amounts].map(keyOf))]
    .flatMap((key) => {
      const one = current.get(key) ?? before.get(key)
      if (!one) return []
      const { instance_name, product, day } = one
      return [{ instance_name, product, day, before: before.get(key) ?? null, after: current.get(key) ?? null }]
    })
    .toSorted((a, b) => a.day.localeCompare(b.day))
}

type Of = { customerId: string; month: LocalMonth }

const rowsPerTurn = 1000

const versions = (tx: Tx, { customerId, month }: Of) => selectRows(tx, customerId, 'statement_version', { month })

const findNewest = (tx: Tx, of: Of) =>
  versions(tx, of).select(['version', 'made_at', 'sha256']).orderBy('version', 'desc').limit(1).executeTakeFirst()

const findBefore = async (tx: Tx, of: Of, version: number) => {
  const rows = await sqlRows<{ version: number; mailed: boolean; made_at: Date; settlements: Stored }>(tx)`
    select v.version, v.made_at, v.settlements, m.version is not null as mailed
    from statement_version v
    left join (select max(version) as version from statement_sent where customer_id = ${of.customerId} and kind = 'settlement'
      and month = ${of.month} and version < ${version}) m on m.version = v.version
    where v.customer_id = ${of.customerId} and v.month = ${of.month} and v.version < ${version}
    order by mailed desc, v.version desc limit 1`
  return rows[0] ?? null
}

type Sealed = { sha256: Buffer; settlements: Stored; nowMs: number }

const withBefore = async (tx: Tx, of: Of, newest: { version: number; made_at: Date; isDraft: boolean }) => ({
  newest,
  before: newest.version > 1 ? await findBefore(tx, of, newest.version) : null,
})

const findDraft = async (tx: Tx, of: Of, sha256: Buffer, madeAt: Date) => {
  const newest = await findNewest(tx, of)
  if (newest?.sha256.equals(sha256)) return withBefore(tx, of, { ...newest, isDraft: false })
  return withBefore(tx, of, { version: (newest?.version ?? 0) + 1, made_at: madeAt, isDraft: true })
}

const storeVersion = async (tx: Tx, of: Of, { sha256, settlements, nowMs }: Sealed) => {
  let newest = await findNewest(tx, of)
  if (!newest?.sha256.equals(sha256)) {
    // Of two concurrent processes the second reads the version of the first.
    await lockCustomer(tx, of.customerId)
    newest = await findNewest(tx, of)
  }
  if (!newest?.sha256.equals(sha256)) {
    newest = { version: (newest?.version ?? 0) + 1, made_at: new Date(nowMs), sha256 }
    await insertRow(tx, of.customerId, 'statement_version', {
      month: of.month,
      ...newest,
      settlements: JSON.stringify(settlements),
    }).execute()
  }
  return withBefore(tx, of, { ...newest, isDraft: false })
}

type Statement = { company: string; rows: readonly MonthSettlement[]; nowMs: number; isMailed: boolean }

export const versionOf = async (own: OwnRows, of: Of, { company, rows, nowMs, isMailed }: Statement) => {
  if (monthBounds(of.month).toMs > nowMs) return null
  const settlements: StatedSettlement[] = []
  for (const [i, row] of rows.entries()) {
    if (i % rowsPerTurn === 0) await nextTurn()
    settlements.push(toStated(row))
  }
  const sha256 = sumOf(company, settlements)
  await nextTurn()
  // The date of an unchanged draft is constant, so that its file is too.
  const madeMs = rows.reduce((newest, { made_at }) => Math.max(newest, made_at.getTime()), 0)
  const { newest, before } = await own((tx) =>
    isMailed
      ? storeVersion(tx, of, { sha256, settlements: toStored(settlements), nowMs })
      : findDraft(tx, of, sha256, new Date(madeMs)),
  )
  await nextTurn()
  return {
    version: newest.version,
    madeAt: newest.made_at,
    sha256: sha256.toString('hex'),
    isDraft: newest.isDraft,
    previous: before && { version: before.version, madeAt: before.made_at, isMailed: before.mailed },
    changes: before ? await changesOf(own, of, before.settlements, settlements) : [],
  }
}
