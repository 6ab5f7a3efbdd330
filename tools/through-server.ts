import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../server/src/config.ts'
import type { OutputLine } from '../server/src/operator/output-line.ts'
import { isFolderLocked } from '../server/src/platform/process/data-folder.ts'
import { migrate, compareMigrations } from '../server/src/platform/records/migrate.ts'
import { callServer } from '../server/src/platform/process/control-socket.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'

process.umask(0o077) // files of a tool are readable by its owner only

/** Relative to the operator's folder: npm runs scripts in the project's folder. */
export const typedPath = (path: string) => resolve(process.env['INIT_CWD'] ?? process.cwd(), path)

export const openStore = async (config: Config): Promise<Records> => {
  const records = await openRecords({ url: config.DATABASE_URL, dataDir: join(config.dataDir, 'records') })
  await migrate(records)
  return records
}

/** The existing store without migration, or an empty one in memory: for tools that write nothing. */
export const openStoreToRead = async (config: Config): Promise<Records> => {
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
    /** The command may be the first one of a folder. Others refuse a folder without data, because it is the wrong one. */
    isFirst?: boolean
    onServer?: () => void
  },
): AsyncGenerator<Answer> {
  const config = readConfig(process.env)
  if (!how.isFirst && !config.DATABASE_URL && !existsSync(join(config.dataDir, 'records')))
    throw new Error(`${config.dataDir} has no data: set DATA_DIR to the folder of the server`)
  if (how.outside(config) || !isFolderLocked(config.dataDir)) return yield* how.here(config)
  how.onServer?.()
  yield* callServer(config.dataDir, call, request) as AsyncGenerator<Answer> // the server has the same calls
}

export const fail = (text: string) => {
  console.error(text)
  process.exitCode = 1
}

export const print = async (lines: AsyncIterable<OutputLine>): Promise<void> => {
  try {
    for await (const { text, isError } of lines) {
      console.log(text)
      if (isError) process.exitCode = 1
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
}

/** Positional arguments and flags of a command, or null after its usage was printed. */
export const readArguments = (
  argv: readonly string[],
  { usage, count, flags = [] }: { usage: string; count: readonly number[]; flags?: readonly string[] },
): { words: string[]; has: (flag: string) => boolean } | null => {
  try {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }]))
    const { values, positionals } = parseArgs({ args: [...argv], allowPositionals: true, options })
    if (count.includes(positionals.length)) return { words: positionals, has: (flag) => values[flag] === true }
  } catch {
    // an unknown flag
  }
  fail(`Usage: npm run ${usage}`)
  return null
}
