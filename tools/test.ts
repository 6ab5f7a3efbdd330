// npm test: the first tier; `npm test -- unit` runs one part: format, lint, map, types, build, components, unit, products.
// npm run test:all: everything; `npm run test:all -- second` the second tier only, with the parts checks, stores, faults, slow, journeys. The last
// line is 'N passed, N failed'. docs/testing.md describes the tiers.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findChromium } from './chromium.ts'
import { installPrograms } from './deploy/programs.ts'
import { hasMosquitto } from './mosquitto.ts'
import { startPostgres } from './postgres.ts'
import { root, startNode } from './run.ts'
import { buildWeb } from './build.ts'

type Tally = { passed: number; failed: number; skipped: number }
const total: Tally = { passed: 0, failed: 0, skipped: 0 }
const add = (tally: Tally) => {
  total.passed += tally.passed
  total.failed += tally.failed
  total.skipped += tally.skipped
}

const reports = mkdtempSync(join(tmpdir(), 'gridmast-test-'))
type Run = { program: string; args: string[]; env?: Record<string, string>; quiet?: boolean }

/** `quiet` buffers the output until the end, for parallel runs. */
const run = ({ program, args, env = {}, quiet = false }: Run): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
    })
    const said: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk))
    child.once('error', () => resolve(1))
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said))
      resolve(code ?? 1)
    })
  })

const since = (startedMs: number) => `${((Date.now() - startedMs) / 1000).toFixed(0)} s`

const check = async (name: string, program: string, args: string[], more: Partial<Run> = {}) => {
  const started = Date.now()
  const isRight = (await run({ program, args, quiet: true, ...more })) === 0
  add({ passed: isRight ? 1 : 0, failed: isRight ? 0 : 1, skipped: 0 })
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${name} (${since(started)})`)
}

/** A runner with a JSON report; a failure without a failed test counts as one. */
const suite = async (name: string, how: Run, file: string, read: (report: unknown) => Tally) => {
  const started = Date.now()
  const code = await run(how)
  let tally: Tally = { passed: 0, failed: 1, skipped: 0 }
  try {
    tally = read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    console.error(`${name}: no report was written`)
  }
  if (code !== 0 && tally.failed === 0) tally.failed = 1
  add(tally)
  const { passed, failed } = tally
  console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed (${since(started)})`)
}

const vitest = (name: string, how: Omit<Run, 'program'>) => {
  const file = join(reports, `${randomUUID()}.json`)
  const args = ['run', ...how.args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return suite(name, { ...how, program: 'vitest', args }, file, vitestTally)
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
  return {
    passed: count(stats, 'expected'),
    failed: count(stats, 'unexpected'),
    skipped: count(stats, 'skipped'),
  }
}

/** Repeats the tests of the readings with CLICKHOUSE_URL instead of the embedded engine. */
const readingsThroughHttp = async () => {
  const env = { ...process.env, DATA_DIR: join(reports, 'readings'), READINGS_PORT: '0', READINGS_PASSWORD: 'readings' }
  const server = startNode('tools/readings-server.ts', [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(server, 'exit')
  const [message] = (await Promise.race([once(server, 'message'), ended])) as [{ port: number } | number | null]
  if (message === null || typeof message === 'number') {
    console.log('skip the readings through ClickHouse’s HTTP interface: the embedded engine does not run here')
    return
  }
  await vitest('the readings through ClickHouse’s HTTP interface', {
    args: ['--project=server', 'server/src/readings/readings.test.ts'],
    env: { TEST_CLICKHOUSE_URL: `http://default:readings@127.0.0.1:${message.port}` },
    quiet: true,
  })
  server.kill('SIGTERM')
  await ended
}

/**
 * Test files that open the records, directly or in a fixture; only these can also run on a PostgreSQL server. Processes that are killed use
 * the embedded store.
 */
const filesWithRecords = () => {
  const opensRecords = (name: string): boolean => {
    const source = readFileSync(join(root, name), 'utf8')
    const fixtures = [...source.matchAll(/from '\.\/(.+\.fixture\.ts)'/g)]
    return (
      /#testing\/(app|records)\.ts/.test(source) ||
      fixtures.some(([, fixture = '']) => opensRecords(join(dirname(name), fixture)))
    )
  }
  return globSync('server/src/*/**/*.test.ts', { cwd: root }).filter(
    (name) => !name.endsWith('-kill.slow.test.ts') && opensRecords(name),
  )
}

const otherStores = async () => {
  const postgres = await startPostgres()
  if (!postgres) console.log('skip the same API on a PostgreSQL server: PostgreSQL is not installed')
  else
    await vitest('the same API on a PostgreSQL server', {
      args: ['--project=server', '--project=slow', '--maxWorkers=1', ...filesWithRecords()],
      env: { TEST_DATABASE_URL: postgres.url },
      quiet: true,
    }).finally(postgres.stop)
  await readingsThroughHttp()
}

const journeys = async (name: string, args: string[]) => {
  const file = join(reports, `${randomUUID()}.json`)
  const env = { CHROMIUM_PATH: findChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const how = { program: 'playwright', env, args: ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'] }
  await suite(name, { ...how, args: [...how.args, ...args] }, file, playwrightTally)
}

const build = async () => {
  await buildWeb()
  await check('the first load is within its budget', process.execPath, ['tools/web-budget.ts'])
}

type Part = () => Promise<void>

const first: Record<string, Part>[] = [
  {
    format: () => check('format', 'oxfmt', ['--check']),
    lint: () => check('lint', 'oxlint', ['--quiet']),
    map: () => check('the map of the specification', process.execPath, ['tools/spec-map.ts']),
    pictures: () => check('pictures of the README', process.execPath, ['tools/readme-pictures.ts']),
    build,
    products: () => journeys('a journey for each product', ['--grep=@product', '--workers=1']),
    components: () => vitest('components', { args: ['--project=web'], env: { CHROMIUM_PATH: findChromium() } }),
  },
  // As long as the other lane (docs/testing.md).
  {
    unit: () =>
      vitest('rules, calls and protocols', {
        args: ['--project=contract', '--project=server', '--project=simulators', '--project=web rules'],
      }),
    types: async () => {
      // Each checker computes the shared types again: 39 s of CPU for web with the default of four, 19 with one.
      await check('types of what Node runs', 'tsc', ['-p', '.', '--checkers', '1'])
      await check('types of web', 'tsc', ['-p', 'web', '--checkers', '1'])
    },
  },
]

const second: Record<string, Part>[] = [
  {
    checks: async () => {
      await check('lint with types', 'oxlint', ['--type-aware', '--quiet'])
      await check('unused code', 'knip', [])
      await check('row types match the migrations', process.execPath, ['tools/db-types.ts', '--check'])
    },
    stores: otherStores,
    faults: () => check('failover drills, short', process.execPath, ['tools/faults.ts', '--short']),
  },
  {
    slow: async () => {
      installPrograms()
      if (!hasMosquitto()) console.log('skip the tests with an outside MQTT broker: Mosquitto is not installed')
      await vitest('kills, whole starts, backups, disks, brokers, fuzz, deploy', { args: ['--project=slow'] })
    },
  },
]

const inLanes = async (lanes: Record<string, Part>[], only: string[]) => {
  const chosen = (lane: Record<string, Part>) =>
    Object.entries(lane).filter(([name]) => only.length === 0 || only.includes(name))
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [, part] of chosen(lane)) await part()
    }),
  )
}

const gallery = () =>
  check(
    'pictures of each screen in e2e/gallery, axe with everything open, and all widths',
    'playwright',
    ['test', '-c', 'e2e/playwright.config.ts', 'gallery', 'opened', 'narrow'],
    {
      env: { CHROMIUM_PATH: findChromium(), GALLERY: 'on' },
      quiet: false,
    },
  )

const isAll = process.argv[2] === 'all'
const only = process.argv.slice(isAll ? 3 : 2)

const main = async () => {
  findChromium()
  if (only.includes('gallery')) {
    await buildWeb()
    return gallery()
  }
  if (!only.includes('second')) await inLanes(first, only)
  if (!isAll) return
  const rest = only.filter((name) => name !== 'second')
  await inLanes(second, rest)
  if (rest.length > 0 && !rest.includes('journeys')) return
  await buildWeb()
  await journeys('all other journeys', ['--grep-invert=@product'])
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
