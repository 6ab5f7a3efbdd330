// npm test: format, lint, types, then unit, API, protocol and browser tests. Ends with the line 'N passed, N failed'.
// `npm test -- unit` (or any vitest project) and `npm test -- e2e` run a part.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.ts'
import { hasMosquitto } from './mosquitto.ts'
import { startPostgres } from './postgres.ts'
import { root, startNode } from './run.ts'
import { buildWeb } from './web-build.ts'

type Tally = { passed: number; failed: number; skipped: number }
const total: Tally = { passed: 0, failed: 0, skipped: 0 }
const add = (tally: Tally) => {
  total.passed += tally.passed
  total.failed += tally.failed
  total.skipped += tally.skipped
}

const reports = mkdtempSync(join(tmpdir(), 'gridmast-test-'))
const only = process.argv.slice(2)
const wanted = (part: string) => only.length === 0 || only.includes(part)

const run = (program: string, args: string[], env: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })

/** One check that is right or wrong as a whole. */
const check = async (name: string, program: string, args: string[], env: Record<string, string> = {}) => {
  const started = Date.now()
  const code = await run(program, args, env)
  add({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 })
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}

/** A runner that writes a JSON report; one that ends badly without naming a failed test counts as one failure. */
const suite = async (
  name: string,
  program: string,
  args: string[],
  file: string,
  read: (report: unknown) => Tally,
  env: Record<string, string>,
) => {
  const started = Date.now()
  const code = await run(program, args, env)
  let tally: Tally = { passed: 0, failed: 1, skipped: 0 }
  try {
    tally = read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    console.error(`${name}: no report was written`)
  }
  if (code !== 0 && tally.failed === 0) tally.failed = 1
  add(tally)
  console.log(
    `${tally.failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${tally.passed} passed, ${tally.failed} failed (${((Date.now() - started) / 1000).toFixed(0)} s)`,
  )
}

const count = (value: unknown, key: string): number => {
  const found =
    typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined
  return typeof found === 'number' ? found : 0
}

const vitestTally = (report: unknown): Tally => ({
  passed: count(report, 'numPassedTests'),
  failed:
    count(report, 'numFailedTests') +
    (count(report, 'numFailedTests') === 0 ? count(report, 'numFailedTestSuites') : 0),
  skipped: count(report, 'numPendingTests'),
})

const playwrightTally = (report: unknown): Tally => {
  const stats = typeof report === 'object' && report !== null && 'stats' in report ? report.stats : undefined
  const flaky = count(stats, 'flaky')
  if (flaky > 0) console.log(`${flaky} passed only at the second try`)
  return {
    passed: count(stats, 'expected') + count(stats, 'flaky'),
    failed: count(stats, 'unexpected'),
    skipped: count(stats, 'skipped'),
  }
}

/** The tests of the readings once more, with CLICKHOUSE_URL instead of the engine in the process. */
const readingsThroughHttp = async () => {
  const env = { ...process.env, DATA_DIR: join(reports, 'readings'), READINGS_PORT: '0' }
  const server = startNode('tools/readings-server.ts', [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(server, 'exit')
  const [message] = (await Promise.race([once(server, 'message'), ended])) as [{ port: number } | number | null]
  if (message === null || typeof message === 'number') {
    console.log('skip the readings through ClickHouse’s HTTP interface: the embedded engine does not run here')
    return
  }
  const file = join(reports, 'readings.json')
  const args = ['run', '--project=server', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const url = { TEST_CLICKHOUSE_URL: `http://127.0.0.1:${message.port}` }
  const name = 'the readings through ClickHouse’s HTTP interface'
  await suite(name, 'vitest', [...args, 'server/src/readings/readings.test.ts'], file, vitestTally, url)
  server.kill('SIGTERM')
  await ended
}

const main = async () => {
  const chromium = { CHROMIUM_PATH: findChromium() }
  if (wanted('lint')) {
    await check('format', 'oxfmt', ['--check'])
    await check('lint', 'oxlint', ['--type-aware', '--quiet'])
    await check('unused code', 'knip', [])
  }
  if (wanted('types')) {
    for (const part of ['contract', 'server', 'simulators', 'web', '.'])
      await check(`types of ${part}`, 'tsc', ['-p', part])
    await check('the map of the specification', process.execPath, ['tools/spec-map.ts'])
    await check('row types match the migrations', process.execPath, ['tools/db-types.ts', '--check'])
  }
  if ((wanted('unit') || wanted('e2e')) && !hasMosquitto())
    console.log('skip the tests with an outside MQTT broker: Mosquitto is not installed')
  if (wanted('unit')) {
    const file = join(reports, 'vitest.json')
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    await suite('unit, API, protocol and component tests', 'vitest', args, file, vitestTally, chromium)
  }
  const postgres = wanted('stores') ? await startPostgres() : null
  if (postgres) {
    const file = join(reports, 'stores.json')
    const args = ['run', '--project=server', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const folders = ['server/src/domains', 'server/src/platform', 'server/src/provisioning']
    const env = { ...chromium, TEST_DATABASE_URL: postgres.url }
    const name = 'the same API on a PostgreSQL server'
    await suite(name, 'vitest', [...args, ...folders], file, vitestTally, env).finally(postgres.stop)
  } else if (wanted('stores')) console.log('skip the same API on a PostgreSQL server: PostgreSQL is not installed')
  if (wanted('stores')) await readingsThroughHttp()
  if (only.includes('gallery')) {
    await buildWeb()
    const args = ['test', '-c', 'e2e/playwright.config.ts', 'gallery']
    await check('pictures of each screen, in e2e/gallery', 'playwright', args, { ...chromium, GALLERY: 'on' })
  }
  if (wanted('e2e')) {
    await buildWeb()
    await check('the first load is within its budget', process.execPath, ['tools/web-budget.ts'])
    const file = join(reports, 'playwright.json')
    const env = { ...chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    await suite(
      'journeys in the browser',
      'playwright',
      ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'],
      file,
      playwrightTally,
      env,
    )
  }
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    total.failed++
  })
  .finally(() => {
    rmSync(reports, { recursive: true, force: true })
    console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`)
    process.exitCode = total.failed === 0 ? 0 : 1
  })
