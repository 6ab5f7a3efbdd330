import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, readConfig } from '../server/src/config.ts'
import { operatorCalls, type OperatorRequests, type Said } from '../server/src/operator/operator-calls.ts'
import { isFolderLocked } from '../server/src/platform/process/data-folder.ts'
import { migrate, compareMigrations } from '../server/src/platform/records/migrate.ts'
import { callServer } from '../server/src/platform/process/control-socket.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'
import { openSecret } from '../server/src/platform/security/secret.ts'

process.umask(0o077) // files of a tool are readable by its owner only

/** Relative to the operator's folder: npm runs scripts in the project's folder. */
export const typedPath = (path: string) => resolve(process.env['INIT_CWD'] ?? process.cwd(), path)

export const openStore = async (config: Config): Promise<Records> => {
  const records = await openRecords({ url: config.DATABASE_URL, dataDir: join(config.dataDir, 'records') })
  await migrate(records)
  return records
}

/** The existing store without migration, or an empty one in memory: for tools that write nothing. */
const lookAtStore = async (config: Config): Promise<Records> => {
  const dataDir = join(config.dataDir, 'records')
  if (config.DATABASE_URL || existsSync(dataDir)) {
    const records = await openRecords({ url: config.DATABASE_URL, dataDir })
    const { applied, waiting } = await compareMigrations(records)
    if (applied.length > 0 && waiting.length === 0) return records
    await records.close()
    if (applied.length > 0)
      throw new Error('The store is of an older version: start the server once, then a dry run can be made.')
  }
  const records = await openRecords({})
  await migrate(records)
  return records
}

/** Calls the server that has the stores open, or runs `here` when none does; every tool accesses data this way. */
export const throughServerOr = async function* <Answer>(
  call: string,
  request: object,
  how: {
    /** The stores are on servers, so the tool opens them itself. */
    outside: (config: Config) => boolean
    here: (config: Config) => AsyncIterable<Answer>
    asking?: () => void
  },
): AsyncGenerator<Answer> {
  const config = readConfig(process.env)
  if (how.outside(config) || !(await isFolderLocked(config.dataDir))) return yield* how.here(config)
  how.asking?.()
  yield* callServer(config.dataDir, call, request) as AsyncGenerator<Answer> // the server has the same calls
}

const ask = <Call extends keyof OperatorRequests>(call: Call, request: OperatorRequests[Call], looksOnly: boolean) =>
  throughServerOr<Said>(call, request, {
    outside: (config) => config.DATABASE_URL !== undefined,
    here: async function* (config) {
      const records = await (looksOnly ? lookAtStore(config) : openStore(config))
      try {
        const secret = openSecret(config.SECRET_KEY, join(config.dataDir, 'secret.key'))
        const demo = config.demo && existsSync(config.demoMarker) // a folder without a server belongs to no demo yet
        yield* operatorCalls({ records, secret, config: { ...config, demo }, clock: { now: Date.now } })[call](request)
      } finally {
        await records.close()
      }
    },
  })

export const fail = (words: string) => {
  console.error(words)
  process.exitCode = 1
}

export const print = async (lines: AsyncIterable<Said>): Promise<void> => {
  try {
    for await (const { said, wrong } of lines) {
      console.log(said)
      if (wrong) process.exitCode = 1
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
}

export const runOperatorCall = <Call extends keyof OperatorRequests>(
  call: Call,
  request: OperatorRequests[Call],
  { looksOnly = false } = {},
): Promise<void> => print(ask(call, request, looksOnly))
