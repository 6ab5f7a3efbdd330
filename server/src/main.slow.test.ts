import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const main = join(import.meta.dirname, 'main.ts')
const folder = () => mkdtempSync(join(tmpdir(), 'gridmast-main-'))

/** Makes the server fail with an unhandled rejection on request. */
const faulty = `process.on('message', (text) => void Promise.reject(new Error(text)))`

const settings = (more: Record<string, string>) => ({
  ...process.env,
  DEMO: 'off',
  METRICS_PORT: '0',
  PORT: '0',
  MQTT_PORT: '0',
  LOG_LEVEL: 'silent',
  EDS_URL: 'http://127.0.0.1:9',
  ...more,
})

const refused = (more: Record<string, string>, flags: string[] = []) => {
  const done = spawnSync(process.execPath, [...flags, main], { env: settings(more), encoding: 'utf8', timeout: 60_000 })
  return { status: done.status, lines: done.stderr.trim().split('\n') }
}

const takenPort = async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '0.0.0.0', () => resolve()))
  const { port } = other.address() as AddressInfo // a TCP server's address is never a pipe's name
  return { port: String(port), free: () => other.close() }
}

test.each(['PORT', 'MQTT_PORT', 'METRICS_PORT'])(
  'a %s in use: one line with the setting and exit 1 before a store is created',
  async (setting) => {
    const { port, free } = await takenPort()
    const dataDir = folder()
    expect(refused({ DATA_DIR: dataDir, [setting]: port })).toEqual({
      status: 1,
      lines: [`Port ${port} is taken. Stop what uses it, or set ${setting} to a free one.`],
    })
    expect(existsSync(join(dataDir, 'records'))).toBe(false)
    free()
  },
)

test.each([
  ['HOST', '192.0.2.1', /^HOST: 192\.0\.2\.1 is no address of this machine\.$/],
  ['DATABASE_URL', 'postgres://u:secret-word@127.0.0.1:9/x', /^DATABASE_URL: (?!.*secret-word).*ECONNREFUSED/],
  ['CLICKHOUSE_URL', 'http://127.0.0.1:9', /^CLICKHOUSE_URL: .*ECONNREFUSED/],
  ['DATA_DIR', join(main, 'data'), /^DATA_DIR: /],
])('a wrong %s is named in one line without secrets', (setting, value, line) => {
  const PORT = setting === 'HOST' ? '39999' : '0' // port 0 is not checked in advance
  expect(refused({ DATA_DIR: folder(), PORT, [setting]: value })).toEqual({
    status: 1,
    lines: [expect.stringMatching(line)],
  })
})

test('a data folder is private to one server; a second server on it exits with one line, an uncaught fault is logged before the stores close', async () => {
  const dataDir = folder()
  const first = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(faulty)}`, main], {
    env: settings({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' }),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const logged = text(first.stdout as Readable) // piped above
  try {
    await once(first, 'message')
    // The records engine sets its own modes within its folder, which only the owner can enter.
    const files = globSync('**', { cwd: dataDir, exclude: ['records/**'] }).map((name) =>
      lstatSync(join(dataDir, name)),
    )
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter((file) => !file.isSymbolicLink() && (file.mode & 0o077) !== 0)).toEqual([])
    expect(lstatSync(dataDir).mode & 0o777).toBe(0o700)
    const second = refused({ DATA_DIR: dataDir })
    expect(second.status).toBe(1)
    expect(second.lines).toEqual([
      expect.stringMatching(/^Another Gridmast server is using the data folder .*DATA_DIR/),
    ])
    expect(first.exitCode).toBeNull()
  } finally {
    first.send('a fault')
  }
  const [code] = (await once(first, 'exit')) as [number | null]
  expect(code).toBe(1)
  expect(JSON.parse(await logged)).toMatchObject({
    level: 60,
    err: { message: 'a fault' },
    origin: 'unhandledRejection',
  })
  expect(existsSync(join(dataDir, 'operator.sock'))).toBe(false)
})

test('a first start on a full disk: one line with cause and remedy, exit 1 (needs root for a disk of its own)', ({
  skip,
}) => {
  const disk = folder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    skip()
  }
  try {
    expect(refused({ DATA_DIR: join(disk, 'data') })).toEqual({
      status: 1,
      lines: [
        `DATA_DIR: the disk of ${disk}/data has 104 MB free, a first start needs 200. Make room, or set DATA_DIR to a folder on another disk.`,
      ],
    })
  } finally {
    execFileSync('umount', [disk])
  }
})

test('a platform without the embedded engines: one line with the settings to use instead', () => {
  const without = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => { if (name === 'chdb') throw new Error('no build for this platform'); return next(name, context) } })`
  const { status, lines } = refused({ DATA_DIR: folder() }, [
    '--import',
    `data:text/javascript,${encodeURIComponent(without)}`,
  ])
  expect(status).toBe(1)
  expect(lines).toEqual([
    expect.stringMatching(/^The embedded stores do not run on this platform: set DATABASE_URL .* CLICKHOUSE_URL .*$/),
  ])
})

test('an invalid setting: one line, exit 1', () => {
  expect(refused({ DATA_DIR: folder(), MQTT_URL: 'http://x' })).toEqual({
    status: 1,
    lines: ['Settings that are not valid: MQTT_URL: expected a URL beginning with mqtt:// or mqtts://'],
  })
})

test('npm run serve starts the server only, without installation, build or demo', () => {
  const copy = folder()
  const tools = join(import.meta.dirname, '../../tools')
  for (const name of ['node_modules/.bin', 'tools', 'server/src']) mkdirSync(join(copy, name), { recursive: true })
  for (const name of ['serve.mjs', 'engine.json']) copyFileSync(join(tools, name), join(copy, 'tools', name))
  writeFileSync(join(copy, 'package-lock.json'), '{}')
  const serve = (more: Record<string, string> = {}) => {
    const { DEMO: _, ...env } = { ...process.env, ...more }
    const given = more['DEMO'] ? { ...env, DEMO: more['DEMO'] } : env
    return spawnSync(process.execPath, [join(copy, 'tools/serve.mjs')], { env: given, encoding: 'utf8' })
  }
  expect(serve().stderr).toBe('The packages of this version are not installed. Run npm run build first.\n')
  symlinkSync(process.execPath, join(copy, 'node_modules/.bin/node'))
  writeFileSync(join(copy, 'node_modules/.gridmast-installed'), createHash('sha256').update('{}').digest('hex'))
  writeFileSync(join(copy, 'tools/build.ts'), `console.error('not built'); process.exit(1)`)
  expect([serve().status, serve().stderr]).toEqual([1, 'not built\n'])
  writeFileSync(join(copy, 'tools/build.ts'), '')
  expect(serve({ DEMO: 'on' })).toMatchObject({ status: 1, stderr: expect.stringContaining('makes no demo') })
  writeFileSync(
    join(copy, 'server/src/main.ts'),
    `console.log(process.env.DEMO, process.env.UV_THREADPOOL_SIZE, process.env.MALLOC_ARENA_MAX); process.exit(3)`,
  )
  expect(serve({ UV_THREADPOOL_SIZE: '9' })).toMatchObject({ status: 3, stdout: 'off 9 2\n' })
})
