import { randomBytes } from 'node:crypto'
import { dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { endSessionsOf } from '#access/sessions.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { canonical, writeAudit } from '#platform/records/audit.ts'
import { idOf } from '#platform/records/ids.ts'
import { hashMachineSecret, isMachineSecret } from '#platform/security/token.ts'
import { hashPassword, verifyPassword } from '#platform/security/password.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { keyText } from '#protocols/ocpp/admission.ts'
import { markContracts } from '#settlement/economics/due-queries.ts'
import type { ProvisionedCustomer, ProvisionedGate, ProvisionedVersion, ProvisioningFile } from './file.ts'
import { wantedGates, wantedRows, wantedVersions, type ProvisionedRow, type WantedTable } from './rows.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** One difference between file and store: '+' new, '~' changed, '-' deleted or disabled. */
export type Change = { sign: '+' | '~' | '-'; customer: string; table: string; name: string; what: string }

type ApplyOptions = {
  dryRun: boolean
  resetPasswords?: boolean
  demo?: boolean
}

class DryRun extends Error {}

/**
 * Makes the store equal to the file in one transaction; a second run changes nothing. `dryRun` does the same work and rolls it back. Customers
 * that are not in the file stay unchanged.
 */
export const applyProvisioning = async (
  records: Records,
  file: ProvisioningFile,
  options: ApplyOptions,
): Promise<Change[]> => {
  const changes: Change[] = []
  // Hashing is slow and the embedded store has one session, so passwords are hashed before the transaction.
  const secrets: Secrets[] = []
  for (const company of file.customers) secrets.push(await secretsOf(records, company, options))
  try {
    await records.system(async (tx) => {
      for (const [i, company] of file.customers.entries())
        changes.push(...(await applyCustomer(tx, company, secrets[i] ?? new Map(), options)))
      if (file.gates.length > 0) changes.push(...(await applyGates(tx, file.gates)))
      if (file.versions) changes.push(...(await applyVersions(tx, file.versions)))
      if (options.dryRun) throw new DryRun()
      if (changes.length > 0) rowChanged(tx, 'resync')
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return changes
}

const applyCustomer = async (
  tx: Tx,
  company: ProvisionedCustomer,
  secrets: Secrets,
  { demo = false }: ApplyOptions,
): Promise<Change[]> => {
  const changes: Change[] = []
  for (const wanted of wantedRows(company, demo)) {
    const existing = await existingRows(tx, wanted.table, idOf('customer', company.key))
    if (wanted.table === 'customer' && existing.some((row) => row['demo'] !== demo))
      throw new Error(`${company.key} is a customer of the demo: give yours another key, or a DATA_DIR without a demo`)
    changes.push(...(await applyTable(tx, company.key, wanted, existing, secrets)))
  }
  return changes
}

const applyVersions = async (tx: Tx, versions: readonly ProvisionedVersion[]): Promise<Change[]> => {
  const existing = await tx.selectFrom('application_version').selectAll().execute()
  return applyTable(tx, 'all customers', wantedVersions(versions), existing, new Map())
}

const applyGates = async (tx: Tx, gates: readonly ProvisionedGate[]): Promise<Change[]> => {
  const named = gates.map(({ market }) => market)
  const existing = await tx.selectFrom('market_gate').selectAll().where('market', 'in', named).execute()
  return applyTable(tx, 'all customers', wantedGates(gates), existing, new Map())
}

const existingRows = async (tx: Tx, table: string, customerId: string): Promise<ProvisionedRow[]> =>
  await sqlRows<ProvisionedRow>(tx)`select * from ${sql.table(table)} where customer_id = ${customerId}`

const nameColumns = ['email', 'key', 'identity', 'type', 'kind', 'title', 'market', 'valid_from']

const keyOf = (row: ProvisionedRow, key: string[]) => key.map((column) => String(row[column])).join('/')

const applyTable = async (
  tx: Tx,
  customer: string,
  wanted: WantedTable,
  existing: ProvisionedRow[],
  secrets: Secrets,
): Promise<Change[]> => {
  const changes: Change[] = []
  const changed: ProvisionedRow[] = []
  const note = (sign: Change['sign'], row: ProvisionedRow, what: string) => {
    changed.push(row)
    changes.push({
      sign,
      customer,
      table: wanted.table,
      name: nameColumns.map((column) => row[column]).find((value): value is string => typeof value === 'string') ?? '',
      what,
    })
  }
  const byKey = new Map(existing.map((row) => [keyOf(row, wanted.key), row]))
  for (const row of wanted.rows) {
    const before = byKey.get(keyOf(row, wanted.key))
    byKey.delete(keyOf(row, wanted.key))
    const full = { ...row, ...secrets.get(secretKey(wanted, row)) }
    if (!before) {
      const { shown_once: shownOnce, ...columns } = full
      await insert(tx, wanted, columns)
      note('+', row, typeof shownOnce === 'string' ? `its key, shown this once: ${shownOnce}` : '')
      continue
    }
    const differing = Object.keys(full).filter(
      (column) => !wanted.initial?.includes(column) && canonical(before[column]) !== canonical(full[column]),
    )
    if (differing.length === 0) continue
    await update(tx, wanted, full, differing)
    if (wanted.table === 'app_user') await tellOfUser(tx, row, before, full, differing)
    note('~', row, differing.map((column) => difference(column, before, full)).join(', '))
  }
  for (const row of byKey.values()) {
    if (wanted.missing === 'keep' || (wanted.missing === 'disable' && row['enabled'] === false)) continue
    // Chargers that users registered in the portal were never in the file.
    if (wanted.table === 'charger' && row['registered_by'] !== null) continue
    if (wanted.missing === 'disable') {
      await update(tx, wanted, { ...row, enabled: false }, ['enabled'])
      if (wanted.table === 'app_user') await tellOfUser(tx, row, row, { ...row, enabled: false }, ['enabled'])
    } else await sql`delete from ${sql.table(wanted.table)} where ${onKey(wanted, row)}`.execute(tx)
    note('-', row, wanted.missing === 'disable' ? 'disabled, no longer in the file' : 'removed, no longer in the file')
  }
  if (wanted.table === 'instance_contract')
    for (const [customerId, rows] of Map.groupBy(changed, (row) => String(row['customer_id'])))
      await markContracts(
        tx,
        customerId,
        rows.map((row) => String(row['instance_id'])),
      )
  return changes
}

const difference = (column: string, before: ProvisionedRow, after: ProvisionedRow) =>
  column.startsWith('password') ? column : `${column} ${canonical(before[column])} -> ${canonical(after[column])}`

const onKey = (wanted: WantedTable, row: ProvisionedRow) =>
  sql.join(
    wanted.key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  )

const jsonColumns = new Set(['enablers', 'properties', 'address', 'e3_dashboard_config', 'allowed', 'settings'])
const stored = (column: string, value: unknown) => (jsonColumns.has(column) ? JSON.stringify(value) : value)

const insert = async (tx: Tx, wanted: WantedTable, row: ProvisionedRow) => {
  const columns = Object.keys(row)
  await sql`
    insert into ${sql.table(wanted.table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(columns.map((column) => stored(column, row[column])))})`.execute(tx)
}

const update = async (tx: Tx, wanted: WantedTable, row: ProvisionedRow, columns: string[]) => {
  await sql`
    update ${sql.table(wanted.table)}
    set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${stored(column, row[column])}`))}
    where ${onKey(wanted, row)}`.execute(tx)
}

const secretColumns = ['password_hash', 'password_updated_at']

/** An operator's change of a user ends the user's sessions (security rule S1) and is on the customer's audit trail (C4). */
const tellOfUser = async (
  tx: Tx,
  row: ProvisionedRow,
  before: ProvisionedRow,
  after: ProvisionedRow,
  columns: string[],
) => {
  const [customerId, userId] = [String(row['customer_id']), String(row['user_id'])]
  const nowMs = Date.now()
  const ended = await endSessionsOf(tx, { customer_id: customerId, user_id: userId }, nowMs)
  const said = (from: ProvisionedRow) =>
    Object.fromEntries(columns.filter((column) => !secretColumns.includes(column)).map((c) => [c, from[c]]))
  await writeAudit(tx, customerId, nowMs, {
    who: 'provisioning',
    action: columns.includes('password_hash') ? 'user.password-reset' : 'user.provision',
    subject: String(before['email']),
    before: said(before),
    after: { ...said(after), sessionsEnded: ended.sessions },
  })
}

const secretOwners: Record<string, string> = { app_user: 'email', edge: 'key', charger: 'identity' }

const keyOverlapMs = dayMs

type Secrets = Map<string, ProvisionedRow>

const secretKey = ({ table, key }: WantedTable, row: ProvisionedRow) => `${table} ${keyOf(row, key)}`

/**
 * A stored hash that matches the file's password stays, so that a second run changes nothing; of users only the first password is from the file,
 * unless the operator resets them.
 */
const secretsOf = async (records: Records, company: ProvisionedCustomer, options: ApplyOptions): Promise<Secrets> => {
  const secrets: Secrets = new Map()
  const given = new Map<unknown, string | undefined>([
    ...company.edges.map((edge) => [edge.key, edge.password] as const),
    ...company.chargers.map((one) => [one.identity, one.password && keyText(one.password)] as const),
    ...company.users.map((user) => [user.email, user.password] as const),
  ])
  for (const wanted of wantedRows(company, options.demo ?? false)) {
    const nameColumn = secretOwners[wanted.table]
    if (!nameColumn) continue
    const existing = await records.system((tx) => existingRows(tx, wanted.table, idOf('customer', company.key)))
    for (const row of wanted.rows) {
      const isPerson = wanted.table === 'app_user'
      const before = existing.find((one) => keyOf(one, wanted.key) === keyOf(row, wanted.key))
      const named = given.get(row[nameColumn])
      // A charger without a key in the file keeps its current one.
      if (before && (named === undefined || (isPerson && !options.resetPasswords))) continue
      const password = named ?? randomBytes(20).toString('hex')
      const known = before ? String(before['password_hash']) : ''
      const isKept = isPerson ? before && (await verifyPassword(password, known)) : isMachineSecret(password, known)
      if (isKept) continue
      secrets.set(secretKey(wanted, row), {
        password_hash: isPerson ? await hashPassword(password) : hashMachineSecret(password),
        ...(isPerson ? { password_updated_at: new Date().toISOString() } : {}),
        ...(named === undefined && !options.dryRun ? { shown_once: password } : {}),
        // The old key of a charger works for another day.
        ...(before && wanted.table === 'charger'
          ? { previous_hash: known, previous_until: new Date(Date.now() + keyOverlapMs).toISOString() }
          : {}),
      })
    }
  }
  return secrets
}
