import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { flushTree } from '#platform/process/data-folder.ts'
import { openEngine } from './engine.ts'
import { type Read, rows, text } from './sql.ts'

/**
 * Copies the readings to a new folder, on disk (fsync) when it resolves: every sample acknowledged before the call, and complete parts of
 * later ones. The store copies in its own thread, so nothing waits. Includes every file, so that the rows of parts can be counted.
 */
export const backUp = async (read: Read, folder: string): Promise<void> => {
  if (existsSync(folder)) throw new Error(`${folder} exists: a backup wants a folder of its own`)
  await mkdir(dirname(folder), { recursive: true })
  try {
    const [started] = await read((client) =>
      backupQuery(client, `backup database gridmast to ${place(folder)} settings deduplicate_files = 0 async`),
    )
    await ended(read, started?.[0] ?? '')
    await flushTree(folder) // the store writes a backup without fsync
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Restores a backup into a data folder without readings and answers the number of sample rows. No server may use the folder meanwhile. */
export const restoreReadings = async (dataDir: string, folder: string): Promise<number> => {
  // A merge removes duplicate rows and would change the count.
  const engine = await openEngine({ dataDir, merges: false })
  let restored: [count: number] | undefined
  try {
    const [known] = await engine.read((client) =>
      rows<[number]>(client, `select count() from system.databases where name = 'gridmast'`),
    )
    if (known?.[0] !== 0) throw new Error(`${dataDir} holds readings already`)
    await engine.read((client) => backupQuery(client, `restore database gridmast from ${place(folder)}`))
    ;[restored] = await engine.read((client) => rows<[count: number]>(client, 'select count() from gridmast.samples'))
  } finally {
    await engine.close()
  }
  await flushTree(dataDir)
  return restored?.[0] ?? 0
}

const place = (folder: string) => `File(${text(folder)})`

const backupQuery = (client: ClickHouseClient, query: string) => rows<[id: string, status: string]>(client, query)

const ended = async (read: Read, id: string): Promise<void> => {
  for (;;) {
    const [found] = await read((client) =>
      rows<[status: string, error: string]>(client, `select status, error from system.backups where id = ${text(id)}`),
    )
    if (found?.[0] === 'BACKUP_CREATED') return
    if (found?.[0] !== 'CREATING_BACKUP') throw new Error(`The readings were not copied: ${found?.[1] ?? 'unknown'}`)
    await pause(100)
  }
}
