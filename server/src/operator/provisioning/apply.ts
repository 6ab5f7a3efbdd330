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
import { gatesOfFile, rowsOfFile, versionsOfFile, type ProvisionedRow, type FileTable } from './rows.ts'
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
 * Changes the store to equal the file in one transaction; a second run changes nothing. `dryRun` does the same work and rolls it back. Customers
 * that are not in the file stay unchanged.
 */
export const applyProvisioning = async (
  records: Records,
  file: ProvisioningFile,
  options: ApplyOptions,
): Promise<Change[]> => {
  let changes: Change[] = []
  // Hashing is slow and the embedded store has one session, so passwords are hashed before the transaction.
  const secrets: Secrets[] = []
  for (const company of file.customers) secrets.push(await secretsOf(records, company, options))
  try {
    await records.system(async (tx) => {
      changes = [] // the work of a transaction may run again
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
  for (const fileTable of rowsOfFile(company, demo)) {
    const existing = await existingRows(tx, fileTable.table, idOf('customer', company.key))
    if (fileTable.table === 'customer' && existing.some((row) => row['demo'] !== demo))
      throw new Error(`${company.key} is a customer of the demo: give yours another key, or a DATA_DIR without a demo`)
    changes.push(...(await applyTable(tx, company.key, fileTable, existing, secrets)))
  }
  return changes
}

const applyVersions = async (tx: Tx, versions: readonly ProvisionedVersion[]): Promise<Change[]> => {
  const existing = await tx.selectFrom('application_version').selectAll().execute()
  return applyTable(tx, 'all customers', versionsOfFile(versions), existing, new Map())
}

const applyGates = async (tx: Tx, gates: readonly ProvisionedGate[]): Promise<Change[]> => {
  const named = gates.map(({ market }) => market)
  const existing = await tx.selectFrom('market_gate').selectAll().where('market', 'in', named).execute()
  return applyTable(tx, 'all customers', gatesOfFile(gates), existing, new Map())
}

const existingRows = async (tx: Tx, table: string, customerId: string): Promise<ProvisionedRow[]> =>
  await sqlRows<ProvisionedRow>(tx)`select * from ${sql.table(table)} where customer_id = ${customerId}`

const nameColumns = ['email', 'key', 'identity', 'type', 'kind', 'title', 'market', 'valid_from']

const keyOf = (row: ProvisionedRow, key: string[]) => key.map((column) => String(row[column])).join('/')

const applyTable = async (
  tx: Tx,
  customer: string,
  fileTable: FileTable,
  existing: ProvisionedRow[],
  secrets: Secrets,
): Promise<Change[]> => {
  const changes: Change[] = []
  const changed: ProvisionedRow[] = []
  const record = (sign: Change['sign'], row: ProvisionedRow, what: string) => {
    changed.push(row)
    changes.push({
      sign,
      customer,
      table: fileTable.table,
      name: nameColumns.map((column) => row[column]).find((value): value is string => typeof value === 'string') ?? '',
      what,
    })
  }
  const byKey = new Map(existing.map((row) => [keyOf(row, fileTable.key), row]))
  for (const row of fileTable.rows) {
    const before = byKey.get(keyOf(row, fileTable.key))
    byKey.delete(keyOf(row, fileTable.key))
    const full = { ...row, ...secrets.get(secretKey(fileTable, row)) }
    if (!before) {
      const { shown_once: shownOnce, ...columns } = full
      await insert(tx, fileTable, columns)
      record('+', row, typeof shownOnce === 'string' ? `its key, shown this once: ${shownOnce}` : '')
      continue
    }
    const differing = Object.keys(full).filter(
      (column) => !fileTable.initial?.includes(column) && canonical(before[column]) !== canonical(full[column]),
    )
    if (differing.length === 0) continue
    await update(tx, fileTable, full, differing)
    if (fileTable.table === 'app_user') await recordUserChange(tx, row, before, full, differing)
    record('~', row, differing.map((column) => difference(column, before, full)).join(', '))
  }
  for (const row of byKey.values()) {
    if (fileTable.missing === 'keep' || (fileTable.missing === 'disable' && row['enabled'] === false)) continue
    // Chargers, edges and instances that users added in the portal were never in the file.
    if (typeof row['registered_by'] === 'string') continue
    if (fileTable.missing === 'disable') {
      await update(tx, fileTable, { ...row, enabled: false }, ['enabled'])
      if (fileTable.table === 'app_user') await recordUserChange(tx, row, row, { ...row, enabled: false }, ['enabled'])
    } else await sql`delete from ${sql.table(fileTable.table)} where ${onKey(fileTable, row)}`.execute(tx)
    record(
      '-',
      row,
      fileTable.missing === 'disable' ? 'disabled, no longer in the file' : 'removed, no longer in the file',
    )
  }
  if (fileTable.table === 'instance_contract')
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

const onKey = (fileTable: FileTable, row: ProvisionedRow) =>
  sql.join(
    fileTable.key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  )

const jsonColumns = new Set(['enablers', 'properties', 'address', 'e3_dashboard_config', 'allowed', 'settings'])
const stored = (column: string, value: unknown) => (jsonColumns.has(column) ? JSON.stringify(value) : value)

const insert = async (tx: Tx, fileTable: FileTable, row: ProvisionedRow) => {
  const columns = Object.keys(row)
  await sql`
    insert into ${sql.table(fileTable.table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(columns.map((column) => stored(column, row[column])))})`.execute(tx)
}

const update = async (tx: Tx, fileTable: FileTable, row: ProvisionedRow, columns: string[]) => {
  await sql`
    update ${sql.table(fileTable.table)}
    set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${stored(column, row[column])}`))}
    where ${onKey(fileTable, row)}`.execute(tx)
}

const secretColumns = ['password_hash', 'password_updated_at']

/** An operator's change of a user ends the user's sessions (security rule S1) and is on the customer's audit trail (C4). */
const recordUserChange = async (
  tx: Tx,
  row: ProvisionedRow,
  before: ProvisionedRow,
  after: ProvisionedRow,
  columns: string[],
) => {
  const [customerId, userId] = [String(row['customer_id']), String(row['user_id'])]
  const nowMs = Date.now()
  const ended = await endSessionsOf(tx, { customer_id: customerId, user_id: userId }, nowMs)
  const visible = (from: ProvisionedRow) =>
    Object.fromEntries(columns.filter((column) => !secretColumns.includes(column)).map((c) => [c, from[c]]))
  await writeAudit(tx, customerId, nowMs, {
    who: 'provisioning',
    action: columns.includes('password_hash') ? 'user.password-reset' : 'user.provision',
    subject: String(before['email']),
    before: visible(before),
    after: { ...visible(after), sessionsEnded: ended.sessions },
  })
}

const keyOverlapMs = dayMs

type Secrets = Map<string, ProvisionedRow>

const secretKey = ({ table, key }: FileTable, row: ProvisionedRow) => `${table} ${keyOf(row, key)}`

/** Of each table with passwords: the column that names a row in the file, and the passwords of the file by that name. */
const passwordsOf = ({ users, edges, chargers }: ProvisionedCustomer) =>
  new Map<string, { nameColumn: string; passwords: Map<unknown, string | undefined> }>([
    ['app_user', { nameColumn: 'email', passwords: new Map(users.map((user) => [user.email, user.password])) }],
    ['edge', { nameColumn: 'key', passwords: new Map(edges.map((edge) => [edge.key, edge.password])) }],
    [
      'charger',
      {
        nameColumn: 'identity',
        passwords: new Map(chargers.map((one) => [one.identity, one.password && keyText(one.password)])),
      },
    ],
  ])

/**
 * A stored hash that matches the file's password stays, so that a second run changes nothing; of users only the first password is from the file,
 * unless the operator resets them.
 */
const secretsOf = async (records: Records, company: ProvisionedCustomer, options: ApplyOptions): Promise<Secrets> => {
  const secrets: Secrets = new Map()
  const passwordsByTable = passwordsOf(company)
  for (const fileTable of rowsOfFile(company, options.demo ?? false)) {
    const secretTable = passwordsByTable.get(fileTable.table)
    if (!secretTable) continue
    const existing = await records.system((tx) => existingRows(tx, fileTable.table, idOf('customer', company.key)))
    for (const row of fileTable.rows) {
      const isPerson = fileTable.table === 'app_user'
      const before = existing.find((one) => keyOf(one, fileTable.key) === keyOf(row, fileTable.key))
      const filePassword = secretTable.passwords.get(row[secretTable.nameColumn])
      // A charger without a key in the file keeps its current one.
      if (before && (filePassword === undefined || (isPerson && !options.resetPasswords))) continue
      const password = filePassword ?? randomBytes(20).toString('hex')
      const storedHash = before ? String(before['password_hash']) : ''
      const isKept = isPerson
        ? before && (await verifyPassword(password, storedHash))
        : isMachineSecret(password, storedHash)
      if (isKept) continue
      secrets.set(secretKey(fileTable, row), {
        password_hash: isPerson ? await hashPassword(password) : hashMachineSecret(password),
        ...(isPerson ? { password_updated_at: new Date().toISOString() } : {}),
        ...(filePassword === undefined && !options.dryRun ? { shown_once: password } : {}),
        // The old key of a charger works for another day.
        ...(before && fileTable.table === 'charger'
          ? { previous_hash: storedHash, previous_until: new Date(Date.now() + keyOverlapMs).toISOString() }
          : {}),
      })
    }
  }
  return secrets
}
