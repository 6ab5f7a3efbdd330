import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { open, readdir } from 'node:fs/promises'

/** An empty file in the data folder, never deleted. */
export const lockName = '.lock'

/** Referenced until the process ends: garbage collection would release the lock. */
const locks = new Map<string, DatabaseSync>()

/** The folder has password hashes, codes in mails and sealed secrets: readable by its owner only, also when it exists already. */
const ownFolder = (dataDir: string) => {
  try {
    mkdirSync(dataDir, { recursive: true })
    chmodSync(dataDir, 0o700)
  } catch (error) {
    throw new Error(`DATA_DIR: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

// SQLITE_BUSY
const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5

/**
 * Node.js has no file lock; an exclusive SQLite transaction is one, and the kernel releases it with the process
 * (docs/adr/0010-the-lock-of-a-data-folder.md).
 */
const tryLock = (dataDir: string): boolean => {
  const lock = new DatabaseSync(join(dataDir, lockName))
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    locks.set(dataDir, lock)
    return true
  } catch (error) {
    lock.close()
    if (isBusy(error)) return false
    throw new Error(`DATA_DIR: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

const everyMs = 200

/**
 * One server per data folder, also over several containers on one volume. Throws when another server uses it. With `waitMs` it waits for a
 * stopping server; one that still answers (`isAnswering`) is not stopping.
 */
export const lockDataFolder = async (
  dataDir: string,
  wait: { waitMs: number; isAnswering: () => Promise<boolean>; onWait: () => void } | null = null,
): Promise<void> => {
  ownFolder(dataDir)
  if (tryLock(dataDir)) return
  if (wait && !(await wait.isAnswering())) {
    wait.onWait()
    for (let waitedMs = 0; waitedMs < wait.waitMs; waitedMs += everyMs) {
      await pause(everyMs)
      if (tryLock(dataDir)) return
      if (await wait.isAnswering()) break
    }
  }
  throw new Error(
    `Another Gridmast server is using the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
  )
}

/** Whether another process uses the folder; if none does, this one has the lock from now on. */
export const isFolderLocked = (dataDir: string): boolean => {
  if (locks.has(dataDir)) return false
  ownFolder(dataDir)
  return !tryLock(dataDir)
}

/** Writes a file, or the entries of a folder, from the cache to disk (fsync). */
export const flush = async (path: string): Promise<void> => {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export const flushTree = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await flushTree(path)
    else if (entry.isFile()) await flush(path)
  }
  await flush(folder)
}
