import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/** In the data folder; empty, and there for ever. */
export const lockName = '.lock'

/** Held until the process ends: an open lock that nothing names any more would be collected, and with it released. */
const held: DatabaseSync[] = []

/** Passwords as hashes, codes in mails, sealed secrets: the folder is for its owner only, also one that was made before. */
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

/** Node.js has no call for a lock on a file; SQLite takes one for an exclusive transaction, and the kernel ends it with the process (docs/adr/0010-the-lock-of-a-data-folder.md). */
const tryLock = (dataDir: string): boolean => {
  const lock = new DatabaseSync(join(dataDir, lockName))
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    held.push(lock)
    return true
  } catch (error) {
    lock.close()
    if (isBusy(error)) return false
    throw new Error(`DATA_DIR: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

const everyMs = 200

/**
 * One server a data folder, also of several containers on one volume. Throws one clear line when another server uses the folder. With
 * `waitMs` it waits that long for one that is ending: one that answers (`isAnswering`) is not.
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

/** Whether a server uses the folder; when none does, it is this process's own from now on. */
export const isFolderHeld = (dataDir: string): Promise<boolean> =>
  lockDataFolder(dataDir).then(
    () => false,
    () => true,
  )
