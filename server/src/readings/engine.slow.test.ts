import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openEngine } from './engine.ts'
import { rows } from './sql.ts'

/** Simulates a platform without the engine's package, such as Windows. */
const script = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve: (name, context, next) => {
      if (name === 'chdb') throw new Error('Cannot find module @chdb/lib-win32-x64\\nRequire stack:')
      return next(name, context)
    },
  })
  const { openReadings } = await import(${JSON.stringify(join(import.meta.dirname, 'readings.ts'))})
  await openReadings({ dataDir: '/nowhere' }).catch((error) => console.log(error.message))`

test('a platform without the embedded engine is told the way in one line', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toMatch(/^[^\n]*set DATABASE_URL to a PostgreSQL and CLICKHOUSE_URL to a ClickHouse server[^\n]*\n$/)
})

test('the embedded engine merges a dozen small parts at a time, so that the large one beside them is seldom rewritten', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gridmast-merges-'))
  const engine = await openEngine({ dataDir })
  const base = `select value from system.merge_tree_settings where name = 'merge_selector_base'`
  expect(await rows<[string]>(engine.control, base)).toEqual([['12']])
  await engine.close()
  await rm(dataDir, { recursive: true, force: true })
})
