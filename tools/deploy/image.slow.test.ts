import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort, root, startNode } from '../run.ts'
import { environmentOf, linesOf, pathIn, runLine, runSteps, type Stage } from './dockerfile.ts'

const dockerfile = join(root, 'deploy/Dockerfile')
// The files of the image belong to root, its process is another user's.
const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('skip the steps of the image: they need root\n')

const folder = mkdtempSync(join(tmpdir(), 'gridmast-image-'))
let image: Stage
beforeAll(() => {
  if (!isRoot) return
  chmodSync(folder, 0o755)
  const context = join(folder, 'context')
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, context], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  image = runSteps(dockerfile, context, folder, { READINGS: 'embedded' })
  chmodSync(image.folder, 0o755)
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const megabytes = (...paths: string[]) =>
  Number(
    execFileSync('du', ['-smc', ...paths.map((path) => pathIn(image, path))], { encoding: 'utf8' }).match(
      /(\d+)\ttotal/,
    )?.[1],
  )

/** The command of the image, as its user. */
const start = async (more: Record<string, string>) => {
  const [port, mqttPort, metricsPort] = await Promise.all([freePort(), freePort(), freePort()])
  const env = {
    ...environmentOf(image),
    PORT: String(port),
    MQTT_PORT: String(mqttPort),
    METRICS_PORT: String(metricsPort),
    HOST: '127.0.0.1',
    METRICS_HOST: '127.0.0.1',
    DATA_DIR: pathIn(image, image.env['DATA_DIR'] ?? ''),
    ...more,
  }
  const how = { cwd: pathIn(image, '.'), env, uid: image.user, gid: image.user }
  const run = ([program = '', ...args]: string[], stdio: 'inherit' | 'ignore') =>
    spawn(program, args, { ...how, stdio: ['ignore', 'ignore', stdio] })
  const server = run(image.command, 'inherit')
  const statusOf = (address: string) =>
    fetch(address).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(() => statusOf(`http://127.0.0.1:${metricsPort}/ready`), { timeout: 100_000 }).toBe(200)
  return {
    portal: `http://127.0.0.1:${port}`,
    health: async () => (await once(run(image.health, 'ignore'), 'exit'))[0] as number,
    /** Exit code of a tool of the operator. */
    tool: async (...args: string[]) => (await once(run(['node', ...args], 'inherit'), 'exit'))[0] as number,
    stop: () => stop(server),
  }
}

const stop = async (child: ChildProcess): Promise<number | null> => {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = (await ended) as [number | null]
  return code
}

test('the settings of the process are those of tools/engine.json', () => {
  const engine = JSON.parse(readFileSync(join(root, 'tools/engine.json'), 'utf8')) as Record<string, string>
  const env = Object.fromEntries(
    linesOf(dockerfile)
      .filter((line) => line.getKeyword() === 'ENV')
      .flatMap((line) => line.getArguments().map((argument) => argument.getValue().split('='))),
  ) as Record<string, string>
  expect(env).toMatchObject(engine)
})

test.skipIf(!isRoot)('the image has the server alone: no development package, no simulator, no test', () => {
  expect(readdirSync(pathIn(image, '.')).toSorted()).toEqual([
    'contract',
    'node_modules',
    'package-lock.json',
    'package.json',
    'releases.yaml',
    'server',
    'tools',
    'web',
  ])
  for (const name of ['typescript', 'vite', 'vitest', 'node', 'playwright', 'react'])
    expect([name, existsSync(pathIn(image, `node_modules/${name}`))]).toEqual([name, false])
  const tests = readdirSync(pathIn(image, 'server'), { recursive: true, encoding: 'utf8' })
  expect(tests.filter((file) => /\.(test|fixture)\.ts$/.test(file))).toEqual([])
  const [engine, rest] = [megabytes('node_modules/@chdb'), megabytes('.') - megabytes('node_modules/@chdb')]
  console.log(`the folder of the image: ${rest} MB, and ${engine} MB of the embedded engine`)
  // Next to it are Node (127 MB) and Debian slim (75 MB).
  expect(rest).toBeLessThan(170)
})

test.skipIf(!isRoot)('its command is ready, shows the sign-in page, is healthy, and ends on SIGTERM', async () => {
  const { portal, health, tool, stop } = await start({})
  const page = await fetch(`${portal}/signin`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')])
  expect(await health()).toBe(0)
  expect(await tool('tools/operator.ts', 'audit-verify')).toBe(0)
  expect(await tool('tools/backup.ts', pathIn(image, '/data/gridmast.tar.gz'))).toBe(0)
  expect(await stop()).toBe(0)
  expect(await health()).toBe(1)
  const stored = ['gridmast.tar.gz', 'readings', 'records', 'secret.key']
  expect(readdirSync(pathIn(image, '/data'))).toEqual(expect.arrayContaining(stored))
})

test.skipIf(!isRoot)('without the embedded engine it runs with CLICKHOUSE_URL only', async () => {
  const line = linesOf(dockerfile).find((each) => each.getArgumentsContent()?.includes('$READINGS'))
  runLine(image, line?.getArgumentsContent() ?? 'false', { READINGS: 'server' })
  expect(existsSync(pathIn(image, 'node_modules/@chdb'))).toBe(false)
  const env = { ...process.env, DATA_DIR: join(folder, 'store'), READINGS_PORT: '0', READINGS_PASSWORD: 'readings' }
  const store = startNode('tools/readings-server.ts', [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  onTestFinished(async () => void (await stop(store)))
  const [{ port }] = (await once(store, 'message')) as [{ port: number }]
  rmSync(pathIn(image, '/data/records'), { recursive: true })
  const { portal, stop: stopServer } = await start({ CLICKHOUSE_URL: `http://default:readings@127.0.0.1:${port}` })
  expect((await fetch(`${portal}/signin`)).status).toBe(200)
  expect(await stopServer()).toBe(0)
})
