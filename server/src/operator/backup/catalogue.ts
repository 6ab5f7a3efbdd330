import { localDateOf, weekday, addDays } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import type { Storage } from './storage.ts'

/** Names and retention of the backups of a storage. A backup is verified when its manifest is stored next to it. */

const manifest = z.object({
  format: z.literal('gridmast-stored-backup-1'),
  madeAt: z.string(),
  version: z.string(),
  bytes: z.number(),
  /** Of the encrypted file. */
  sha256: z.string(),
  /** Sizes of the unpacked stores, for the space that a restore needs. */
  recordsBytes: z.number(),
  readingsBytes: z.number(),
  verifiedAt: z.string(),
})
export type Manifest = z.infer<typeof manifest>

export type StoredBackup = { name: string; bytes: number; madeAtMs: number; isVerified: boolean }

const namePattern = /^gridmast-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz\.age$/
const manifestSuffix = '.json'

export const nameOf = (madeAtMs: number): string =>
  `gridmast-${new Date(madeAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar.gz.age`

export const manifestOf = (name: string): string => name + manifestSuffix

const madeAtOf = (name: string): number | null => {
  const [, year, month, day, hour, minute, second] = namePattern.exec(name) ?? []
  return year === undefined ? null : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** Newest first. Files with other names are none of this server and stay. */
export const listBackups = async (storage: Pick<Storage, 'list'>): Promise<StoredBackup[]> => {
  const files = await storage.list()
  const names = new Set(files.map(({ name }) => name))
  return files
    .flatMap(({ name, bytes }) => {
      const madeAtMs = madeAtOf(name)
      return madeAtMs === null ? [] : [{ name, bytes, madeAtMs, isVerified: names.has(manifestOf(name)) }]
    })
    .toSorted((a, b) => b.madeAtMs - a.madeAtMs)
}

export const readManifest = async (storage: Pick<Storage, 'read'>, name: string): Promise<Manifest> => {
  const chunks: Buffer[] = []
  for await (const chunk of await storage.read(manifestOf(name))) chunks.push(chunk as Buffer) // a file emits bytes
  return manifest.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
}

export type Retention = { days: number; weeks: number; months: number }

/**
 * Backups to delete: verified ones that are not the newest of one of the last `days` days, `weeks` weeks or `months` months with a backup, and
 * unverified ones that are older than the newest verified one. The newest verified backup always stays.
 */
export const expiredBackups = (
  backups: readonly StoredBackup[],
  { days, weeks, months }: Retention,
): StoredBackup[] => {
  const verified = backups.filter(({ isVerified }) => isVerified).toSorted((a, b) => b.madeAtMs - a.madeAtMs)
  const [newest] = verified
  if (!newest) return []
  const monday = (date: string) => addDays(date, 1 - weekday(date))
  const kept = new Set([newest])
  const keepNewest = (count: number, periodOf: (date: string) => string) => {
    const periods = new Set<string>()
    for (const backup of verified) {
      const period = periodOf(localDateOf(backup.madeAtMs))
      if (periods.has(period) || periods.size >= count) continue
      periods.add(period)
      kept.add(backup)
    }
  }
  keepNewest(days, (date) => date)
  keepNewest(weeks, monday)
  keepNewest(months, (date) => date.slice(0, 7))
  return backups.filter((backup) => (backup.isVerified ? !kept.has(backup) : backup.madeAtMs < newest.madeAtMs))
}
