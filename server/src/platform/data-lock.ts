import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const listen = (path: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end())
    server.once('error', reject)
    server.listen(path, () => resolve(server.unref()))
  })

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Passwords as hashes, codes in mails, sealed secrets: the folder is for its owner only, also one that was made before. */
const ownFolder = (dataDir: string) => {
  try {
    mkdirSync(dataDir, { recursive: true })
    chmodSync(dataDir, 0o700)
  } catch (error) {
    throw new Error(`DATA_DIR: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/**
 * One server a data folder. The lock is a listening socket named after the folder, so it ends with the process, however that ends.
 * Throws one clear line when another server holds the folder.
 */
export const lockDataFolder = async (dataDir: string): Promise<void> => {
  ownFolder(dataDir)
  const name = `gridmast-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 24)}`
  // Linux frees an abstract socket by itself; elsewhere a dead server leaves its file behind.
  const path = process.platform === 'linux' ? `\u0000${name}` : join(tmpdir(), `${name}.sock`)
  try {
    await listen(path)
  } catch {
    if (process.platform === 'linux' || (await answers(path)))
      throw new Error(
        `Another Gridmast server is using the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
      )
    rmSync(path, { force: true })
    await listen(path)
  }
}

/** Whether a server uses the folder; when none does, it is this process's own from now on. */
export const isFolderHeld = (dataDir: string): Promise<boolean> =>
  lockDataFolder(dataDir).then(
    () => false,
    () => true,
  )
