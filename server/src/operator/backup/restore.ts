import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reportIntervals } from '@gridmast/contract/people/report-sources.ts'
import { sql } from 'kysely'
import { endSessionsOf } from '#access/sessions.ts'
import { dueAt, monthsDue } from '#people/letters/monthly-statement.ts'
import { nextAt } from '#people/reports/schedule.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { lockName } from '#platform/process/data-folder.ts'
import { compareMigrations } from '#platform/records/migrate.ts'
import { openRecords, type Records, type Tx } from '#platform/records/records.ts'
import { restoreReadings } from '#readings/backup.ts'
import { type BackupSource, readArchive } from './archive.ts'
import { about, type About } from './about.ts'
import { keyBeside, keyFileName, sha256Of } from './key-file.ts'
import { needRoom, restoredBytes, type StoreBytes } from './room.ts'
import { differenceOf, takeStock } from './stock.ts'
import { sqlRows, updateRows } from '#platform/records/rows.ts'

/** Inside DATA_DIR, which may be a disk of its own; a server does not start while this folder exists. */
export const restoringName = 'restoring'

type Restored = About & { unsent: { what: string; to: string; at: Date }[]; movedTo: string | null }

/**
 * Unpacks a backup into a new folder and compares everything it states: hashes, rows of each table, audit trails, samples. `change` may write to
 * the records after they were counted.
 */
export const unpackBackup = async <T>(
  from: BackupSource,
  folder: string,
  change: (records: Records, stated: About) => Promise<T>,
  onSizes?: (sizes: StoreBytes) => Promise<void>,
): Promise<{ stated: About; changed: T }> => {
  const stated = about.parse(await readArchive(from, folder, onSizes))
  if (stated.keySha256) await takeKey(keyBeside(from.title), join(folder, keyFileName), stated.keySha256)
  const records = await openRecords({ dataDir: join(folder, 'records') })
  const changed = await (async () => {
    const { newer } = await compareMigrations(records)
    if (newer.length > 0)
      throw new Error(`${from.title} was made by a newer Gridmast (${stated.version}): restore it with that version`)
    const difference = differenceOf(stated, await takeStock(records))
    if (difference) throw new Error(`${from.title} is not restored: ${difference}`)
    return change(records, stated)
  })().finally(records.close)
  await rename(join(folder, 'readings'), join(folder, 'readings.backup'))
  const sampleRows = await restoreReadings(join(folder, 'readings'), join(folder, 'readings.backup'))
  if (sampleRows !== stated.sampleRows)
    throw new Error(`${from.title} is not restored: it has ${sampleRows} of ${stated.sampleRows} rows of samples`)
  await rm(join(folder, 'readings.backup'), { recursive: true })
  return { stated, changed }
}

/**
 * Fills DATA_DIR from a backup: unpacked, opened, counted and quieted in a separate folder and moved as the last step, so that a failure changes
 * nothing. `force` moves existing data aside; nothing is ever deleted.
 */
export const restoreBackup = async (
  from: BackupSource,
  dataDir: string,
  options: { force: boolean; nowMs: number; minFreeBytes?: number | undefined },
): Promise<Restored> => {
  const work = join(dataDir, restoringName)
  await rm(work, { recursive: true, force: true })
  const there = (await readdir(dataDir)).filter((name) => name !== lockName)
  if (there.length > 0 && !options.force)
    throw new Error(`${dataDir} is not empty. Use --force to move the existing data into a folder next to it.`)
  let isMoving = false
  try {
    const { stated, changed: unsent } = await unpackBackup(
      from,
      work,
      (records, stated) => records.system((tx) => quiet(tx, stated.madeAt, options.nowMs)),
      (sizes) =>
        needRoom('A restore', { folder: dataDir, bytes: restoredBytes(sizes), minFreeBytes: options.minFreeBytes }),
    )
    const movedTo =
      there.length > 0 ? join(dataDir, `before-${new Date(options.nowMs).toISOString().replaceAll(':', '')}`) : null
    isMoving = true
    if (movedTo) {
      await mkdir(movedTo, { mode: 0o700 })
      for (const name of there) await rename(join(dataDir, name), join(movedTo, name))
    }
    for (const name of await readdir(work)) await rename(join(work, name), join(dataDir, name))
    await rm(work, { recursive: true })
    return { ...stated, unsent, movedTo }
  } catch (error) {
    if (!isMoving) await rm(work, { recursive: true, force: true })
    throw error
  }
}

const takeKey = async (from: string, to: string, sha256: string) => {
  const key = await readFile(from).catch(() => null)
  if (sha256Of(key) !== sha256 || !key)
    throw new Error(
      `${from} is ${key ? 'another key' : 'missing'}: it is the key of the installation, written next to its backup`,
    )
  await writeFile(to, key, { mode: 0o600 })
}

/**
 * A restored store must not repeat yesterday's actions: mails and webhooks that waited then, and statements that fell due meanwhile, may have
 * been sent since, and sessions and codes may have been ended. Returns the items that are not sent, for the operator.
 */
export const quiet = async (tx: Tx, madeAt: string, nowMs: number): Promise<Restored['unsent']> => {
  const rows = await sqlRows<Restored['unsent'][number]>(tx)`
    update outbox set next_attempt_at = null, leased_until = null, last_error = 'Not sent: restored from a backup',
      payload = case kind when 'mail' then payload - array['text', 'unsubscribe', 'attachments'] else payload end
    where next_attempt_at is not null
    returning kind as what, coalesce(payload ->> 'to', payload ->> 'type', '') as "to", created_at as at`
  for (const month of monthsDue(Date.parse(madeAt), nowMs)) {
    const at = new Date(dueAt(month))
    const statements = await sqlRows<{ email: string }>(tx)`
      insert into statement_sent (customer_id, month, kind, subject_id, email, sent_at)
      select customer_id, ${month}, kind, coalesce(group_id, customer_id), lower(email), ${at} from statement_reader where created_at < ${at}
      on conflict do nothing returning email`
    rows.push(...statements.map(({ email }) => ({ what: `statement of ${month}`, to: email, at })))
  }
  const reports = await tx
    .selectFrom('report')
    .select(['customer_id', 'report_id', 'name', 'every', 'at_time', 'next_at'])
    .where('next_at', '<=', new Date(nowMs))
    .execute()
  for (const { customer_id, report_id, name, every, at_time, next_at } of reports) {
    const next = nextAt({ every: reportIntervals.find((one) => one === every) ?? 'daily', time: at_time }, nowMs)
    await updateRows(tx, customer_id, 'report', { report_id })
      .set({ next_at: new Date(next) })
      .execute()
    rows.push({ what: 'report', to: name, at: next_at })
  }
  await sql`update report set requested_at = null, retry_at = null, tries = 0`.execute(tx)
  await tx.updateTable('job').set({ due: false, runner: null, retry_at: null }).execute()
  const users = await tx.selectFrom('app_user').select(['customer_id', 'user_id']).execute()
  for (const { customer_id, user_id } of users) await endSessionsOf(tx, { customer_id, user_id }, nowMs)
  await sql`update one_time_code set used_at = ${new Date(nowMs)} where used_at is null and purpose <> 'recovery'`.execute(
    tx,
  )
  for (const { customer_id } of await tx.selectFrom('customer').select('customer_id').execute())
    await writeAudit(tx, customer_id, nowMs, { who: 'operator', action: 'customer.restored', subject: madeAt })
  return rows
}
