import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

const isGone = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Tables are created and dropped during the copy; the log restores the missing files. */
const copyTree = async (from: string, to: string, isWanted: (name: string) => boolean): Promise<void> => {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (!isWanted(entry.name)) continue
    if (entry.isDirectory()) await copyTree(source, target, isWanted)
    else
      await copyFile(source, target).catch((error: unknown) => {
        if (!isGone(error)) throw error
      })
  }
}

/**
 * Online backup as in pg_basebackup: files are copied while they change, and the log written meanwhile makes the copy
 * consistent when it is opened. Other users wait for two short statements only; memory is constant.
 */
export const copyFolder = async (store: {
  pool: pg.Pool
  hold: (on: boolean) => Promise<void>
  from: string
  to: string
}): Promise<void> => {
  const { pool, hold, from, to } = store
  await hold(true)
  try {
    const started = await pool.query<{ segment: string }>(
      `select pg_walfile_name(pg_backup_start('copy', fast => true)) as segment`,
    )
    const isData = (name: string) => !['pg_wal', 'postmaster.pid', 'postmaster.opts'].includes(name)
    const copied = await copyTree(from, to, isData).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    const stopped = await pool.query<{ segment: string; label: string }>(
      'select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(wait_for_archive => false)',
    )
    if (copied) throw copied.error
    const [first, last] = [started.rows[0]?.segment ?? '', stopped.rows[0]?.segment ?? '']
    await copyTree(join(from, 'pg_wal'), join(to, 'pg_wal'), (name) => name >= first && name <= last)
    await writeFile(join(to, 'backup_label'), stopped.rows[0]?.label ?? '')
  } finally {
    await hold(false)
  }
}
