import { createHash, hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LocalDate, type LocalMonth, monthBounds } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { OwnRows } from '#market/monthly-statement.ts'
import type { Tx } from '#platform/records.ts'
import type { SettledRow } from './queries.ts'

/*
 * Versions of a month's statement, known by the hash of all that it says: made again with nothing changed it is the same one. Another one
 * says what differs from the version that was mailed last before it, or else from the one before. A month that runs has none.
 */

/** A settlement as a statement said it. */
type Said = {
  instanceId: string
  instance: string
  product: string
  day: LocalDate
  version: number
  gross: string | null
  customer: string | null
  /** Of all that it says, and what that was computed from. */
  sha: string
}

export type Change = Pick<Said, 'instance' | 'product' | 'day'> & { before: Said | null; after: Said | null }
export type StatementVersion = {
  version: number
  madeAt: Date
  sha256: string
  /** What it is compared with. */
  previous: { version: number; madeAt: Date; isMailed: boolean } | null
  changes: Change[]
}

const toSaid = (row: SettledRow): Said => {
  const { made_at: _, inputs_sha256, ...shown } = row
  const sha = hash('sha256', JSON.stringify([inputs_sha256, shown]), 'base64url').slice(0, 16)
  const { instance_id, instance_name, product, day, version, gross_eur, customer_eur } = row
  return {
    instanceId: instance_id,
    instance: instance_name,
    product,
    day,
    version,
    gross: gross_eur,
    customer: customer_eur,
    sha,
  }
}

const sumOf = (company: string, settlements: readonly Said[]): Buffer => {
  const sum = createHash('sha256').update(`${company}\n`)
  for (const { instanceId, product, day, sha } of settlements) sum.update(`${instanceId} ${product} ${day} ${sha}\n`)
  return sum.digest()
}

const keyOf = ({ instanceId, product, day }: Said) => `${instanceId} ${product} ${day}`

/** By day, then in the order of the statement. */
const changesOf = (before: readonly Said[], after: readonly Said[]): Change[] => {
  const was = new Map(before.map((said) => [keyOf(said), said]))
  const is = new Map(after.map((said) => [keyOf(said), said]))
  return [...new Map([...is, ...was]).values()]
    .filter((said) => was.get(keyOf(said))?.sha !== is.get(keyOf(said))?.sha)
    .map((said) => ({
      instance: said.instance,
      product: said.product,
      day: said.day,
      before: was.get(keyOf(said)) ?? null,
      after: is.get(keyOf(said)) ?? null,
    }))
    .toSorted((a, b) => a.day.localeCompare(b.day))
}

type Of = { customerId: string; month: LocalMonth }

const saidPerTurn = 1000

const versions = (tx: Tx, { customerId, month }: Of) =>
  tx.selectFrom('statement_version').where('customer_id', '=', customerId).where('month', '=', month)

const findNewest = (tx: Tx, of: Of) =>
  versions(tx, of).select(['version', 'made_at', 'sha256']).orderBy('version', 'desc').limit(1).executeTakeFirst()

/** What one is compared with. */
const findBefore = async (tx: Tx, of: Of, version: number) => {
  const { rows } = await sql<{ version: number; mailed: boolean; made_at: Date; settlements: Said[] }>`
    select v.version, v.made_at, v.settlements, m.version is not null as mailed
    from statement_version v
    left join (select max(version) as version from statement_sent where customer_id = ${of.customerId} and kind = 'settlement'
      and month = ${of.month} and version < ${version}) m on m.version = v.version
    where v.customer_id = ${of.customerId} and v.month = ${of.month} and v.version < ${version}
    order by mailed desc, v.version desc limit 1`.execute(tx)
  return rows[0] ?? null
}

type Sealed = { sha256: Buffer; text: string; nowMs: number }

/** The newest version where it says just this, or a new one; and the one that it is compared with. */
const keep = async (tx: Tx, of: Of, { sha256, text, nowMs }: Sealed) => {
  let newest = await findNewest(tx, of)
  if (!newest?.sha256.equals(sha256)) {
    // Of two who make it at once the second finds what the first made.
    await tx.selectFrom('customer').select('customer_id').where('customer_id', '=', of.customerId).forUpdate().execute()
    newest = await findNewest(tx, of)
  }
  if (!newest?.sha256.equals(sha256)) {
    newest = { version: (newest?.version ?? 0) + 1, made_at: new Date(nowMs), sha256 }
    await tx
      .insertInto('statement_version')
      .values({
        customer_id: of.customerId,
        month: of.month,
        ...newest,
        settlements: text,
      })
      .execute()
  }
  return { newest, before: newest.version > 1 ? await findBefore(tx, of, newest.version) : null }
}

/** The version that these settlements are; null while the month runs. */
export const versionOf = async (
  own: OwnRows,
  of: Of,
  { company, rows, nowMs }: { company: string; rows: readonly SettledRow[]; nowMs: number },
): Promise<StatementVersion | null> => {
  if (monthBounds(of.month).toMs > nowMs) return null
  const settlements: Said[] = []
  const texts: string[] = []
  for (const [i, row] of rows.entries()) {
    if (i % saidPerTurn === 0) await nextTurn()
    const said = toSaid(row)
    settlements.push(said)
    texts.push(JSON.stringify(said))
  }
  const sha256 = sumOf(company, settlements)
  await nextTurn()
  const text = `[${texts.join()}]`
  const { newest, before } = await own((tx) => keep(tx, of, { sha256, text, nowMs }))
  await nextTurn()
  return {
    version: newest.version,
    madeAt: newest.made_at,
    sha256: sha256.toString('hex'),
    previous: before && { version: before.version, madeAt: before.made_at, isMailed: before.mailed },
    changes: before ? changesOf(before.settlements, settlements) : [],
  }
}
