import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import type { OutputLine } from '#operator/output-line.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { appendEntry, erasedSha256, storableJson } from '#platform/records/audit.ts'
import { newId } from '#platform/records/ids.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { lockCustomer, type RowOf, sqlRows } from '#platform/records/rows.ts'
import { trailLock } from '#operator/growth/retention.ts'
import { nothingHeld } from './export-person.ts'
import {
  addressPattern,
  findPerson,
  findRows,
  openReplacer,
  type Person,
  placeColumn,
  type Pseudonym,
  type Row,
} from './find-person.ts'
import { personTables, type Table } from './person-tables.ts'

type Options = { dryRun: boolean; /** For a test that ends the process. */ beforeCommit?: () => void }

class DryRun extends Error {}

type Replace = ReturnType<typeof openReplacer>
type Done = { heading: string; deleted: number; replaced: number; kept: string }

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** A tag has at most 20 characters (OCPP 1.6, IdToken): with a sign of 8 a person has names for 9,999 tags. */
const pseudonymOf = async (tx: Tx): Promise<Pseudonym> => {
  for (;;) {
    const sign = randomBytes(4).toString('hex').toUpperCase()
    const name = `Erased user ${sign}`
    const used = await sqlRows<{ one: number }>(tx)`
      select 1 as one from audit_entry where action = 'user.erase' and subject = ${name} limit 1`
    if (used.length > 0) continue
    const numbers = new Map<string, number>()
    return {
      name,
      address: `erased-${sign.toLowerCase()}@erased.invalid`,
      userId: newId(0),
      tagOf: (tag) => {
        const no = numbers.get(tag) ?? numbers.size + 1
        numbers.set(tag, no)
        return `ERASED-${sign}-${no}`
      },
    }
  }
}

/** The company must keep a user who can administer it. */
const refuseLastSudoer = async (tx: Tx, { account }: Person, email: string) => {
  if (!account || account.role !== 'sudoer' || !account.enabled) return
  await lockCustomer(tx, account.customerId)
  const others = await tx
    .selectFrom('app_user')
    .select('user_id')
    .where('customer_id', '=', account.customerId)
    .where('user_id', '<>', account.userId)
    .where('role', '=', 'sudoer')
    .where('enabled', '=', true)
    .limit(1)
    .execute()
  if (others.length === 0)
    throw new Error(`${email} is the last sudoer of the company: provision another sudoer first, then erase this one`)
}

const isBytesOrJson = (value: unknown) => typeof value === 'object' && value !== null

const updateRow = async (tx: Tx, table: Table, place: unknown, columns: Row) => {
  const values = Object.entries(columns).map(
    ([column, value]) => sql`${sql.ref(column)} = ${isBytesOrJson(value) ? storableJson(value) : value}`,
  )
  await sql`update ${sql.table(table)} set ${sql.join(values)} where ctid = ${place}::tid`.execute(tx)
}

const eraseTable = async (tx: Tx, table: Table, person: Person, replace: Replace): Promise<Done> => {
  const spec = personTables[table]
  const own = Object.entries(spec?.columns ?? {}).flatMap(([column, holds]) => (holds === 'own' ? [column] : []))
  const done: Done = { heading: spec?.heading ?? table, deleted: 0, replaced: 0, kept: spec?.kept ?? '' }
  for (const row of await findRows(tx, table, person, { lock: true })) {
    const { changed, isOfPerson } = replace(table, row)
    if (isOfPerson && spec?.erasure === 'delete') {
      await sql`delete from ${sql.table(table)} where ctid = ${row[placeColumn]}::tid`.execute(tx)
      done.deleted++
    } else if (Object.keys(changed).length > 0) {
      const further = isOfPerson ? { ...Object.fromEntries(own.map((column) => [column, null])), ...spec?.set } : {}
      await updateRow(tx, table, row[placeColumn], { ...changed, ...further })
      done.replaced++
    }
  }
  return done
}

type Entry = RowOf<'audit_entry'>

/** Entries named in one entry 'user.erase', which then has some 40 kB. */
const namedAtOnce = 500

/** The erased content of each entry is named with its hash by a later entry of the same trail (ADR 14). */
const eraseTrail = async (
  tx: Tx,
  person: Person,
  replace: Replace,
  { pseudonym, nowMs, tables }: { pseudonym: Pseudonym; nowMs: number; tables: readonly Done[] },
): Promise<Done> => {
  const rows = (await findRows(tx, 'audit_entry', person)) as Entry[]
  const erased = rows.flatMap((row) => {
    const { changed } = replace('audit_entry', row)
    return Object.keys(changed).length > 0 ? [{ row, changed, content: { ...row, ...changed } }] : []
  })
  const byCustomer = Map.groupBy(erased, ({ row }) => row.customer_id)
  if (person.account && !byCustomer.has(person.account.customerId)) byCustomer.set(person.account.customerId, [])
  const summary = Object.fromEntries(
    tables.flatMap(({ heading, deleted, replaced }) =>
      deleted + replaced > 0 ? [[heading, { deleted, replaced }]] : [],
    ),
  )
  for (const [customerId, entries] of byCustomer)
    for (let at = 0; at === 0 || at < entries.length; at += namedAtOnce) {
      const named = entries.slice(at, at + namedAtOnce)
      const hashes = named.map(({ row, content }) => [row.entry_no, erasedSha256(row.sha256, row.entry_no, content)])
      const erasedBy = await appendEntry(tx, customerId, nowMs, {
        who: 'operator',
        action: 'user.erase',
        subject: pseudonym.name,
        after: { erased: Object.fromEntries(hashes), ...(at === 0 ? { tables: summary } : {}) },
      })
      for (const { row, changed } of named)
        await updateRow(tx, 'audit_entry', (row as Row)[placeColumn], { ...changed, erased_by: erasedBy })
    }
  return { heading: 'Audit trail', deleted: 0, replaced: erased.length, kept: personTables.audit_entry?.kept ?? '' }
}

/** Ends what the person has open in every process: calls and streams of sessions and API keys, alerts and lists with the person's data. */
const notifyProcesses = async (tx: Tx, { account, addresses, tags }: Person) => {
  const alerts = await sqlRows<{ alert_id: string }>(
    tx,
  )`select alert_id from alert where lower(email) = any(${addresses})`
  for (const { alert_id } of alerts) rowChanged(tx, 'alert', alert_id)
  if (!account) return
  const opened = await sqlRows<{ id: string }>(tx)`
    select session_id as id from user_session where user_id = ${account.userId}
    union all select key_id from api_key where user_id = ${account.userId}`
  for (const { id } of opened) rowChanged(tx, 'session', id)
  if (tags.length > 0) rowChanged(tx, 'charger-tags', account.customerId)
}

/** Mails of a server without SMTP_URL are files. */
const removeMailFiles = async (folder: string, { addresses }: Person): Promise<number> => {
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.eml')) continue
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (text.search(addressPattern(addresses)) === -1) continue
    await rm(join(folder, name), { force: true })
    removed++
  }
  return removed
}

/** All in one transaction as the owner of the tables, which alone may change the trail: a killed erasure leaves everything as it was. */
export const erasePerson = async function* (
  app: { records: Records; clock: App['clock']; config: Pick<App['config'], 'dataDir'> },
  email: string,
  { dryRun, beforeCommit = () => {} }: Options,
): AsyncGenerator<OutputLine> {
  const nowMs = app.clock.now()
  const done: Done[] = []
  let found: { person: Person; pseudonym: Pseudonym } | undefined
  try {
    await app.records.alone(trailLock, async (tx) => {
      const person = await findPerson(tx, email)
      await refuseLastSudoer(tx, person, email)
      const pseudonym = await pseudonymOf(tx)
      const replace = openReplacer(person, pseudonym)
      await notifyProcesses(tx, person)
      for (const table of Object.keys(personTables) as Table[])
        // the keys of the list
        if (table !== 'audit_entry' && table !== 'app_user') done.push(await eraseTable(tx, table, person, replace))
      const trail = await eraseTrail(tx, person, replace, { pseudonym, nowMs, tables: done })
      done.push(trail, await eraseTable(tx, 'app_user', person, replace))
      if (done.every(({ deleted, replaced }) => deleted + replaced === 0)) throw new Error(nothingHeld(email))
      found = { person, pseudonym }
      if (dryRun) throw new DryRun()
      beforeCommit()
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  if (!found) return
  for (const { heading, deleted, replaced, kept } of done) {
    if (deleted > 0) yield { text: `${heading}: ${plural(deleted, 'row', 'rows')} deleted` }
    if (replaced > 0)
      yield { text: `${heading}: replaced in ${plural(replaced, 'row', 'rows')}${kept ? ` (${kept})` : ''}` }
  }
  const { person, pseudonym } = found
  const alerts = done.find(({ heading }) => heading === personTables.alert?.heading)
  if (alerts && alerts.replaced > 0)
    yield { text: 'These alerts notify nobody any more: choose another recipient in the portal' }
  if (person.account && person.account.name === null)
    yield {
      text: `Another user of the company has the same name: rows with the name alone are unchanged`,
    }
  if (dryRun) return yield { text: 'Nothing was changed (dry run)' }
  const files = await removeMailFiles(join(app.config.dataDir, 'mail'), person)
  if (files > 0) yield { text: `${plural(files, 'mail file', 'mail files')} deleted` }
  yield { text: `Erased: the remaining rows name '${pseudonym.name}'` }
  if (person.account)
    yield { text: 'Remove the user from the provisioning file too: the next provision would add the account again' }
}
