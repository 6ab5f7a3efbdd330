import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from './postgres.ts'
import { root } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'gridmast-wrong-'))
const closes: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closes.toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** Of a server, or a tool with arguments, that ends by itself: its exit code and lines of stderr. */
const refused = async (settings: Record<string, string>, script = 'server/src/main.ts', args: string[] = []) => {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'data'),
      DEMO: 'off',
      METRICS_PORT: '0',
      PORT: '0',
      MQTT_PORT: '0',
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  child.stderr.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: text.trim().split('\n') }
}
const oneLine = (line: RegExp) => ({ code: 1, lines: [expect.stringMatching(line)] })

test('PostgreSQL: a wrong password, database or role is one line with the setting, for the server and its tools', async () => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is needed for this test')
  closes.push(postgres.stop)
  writeFileSync(
    join(postgres.folder, 'data/pg_hba.conf'),
    'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  )
  const owner = new pg.Client({ connectionString: postgres.ownerUrl })
  await owner.connect()
  await owner.query("alter role gridmast password 'right-word'; select pg_reload_conf()")
  await owner.end()
  const url = (change: Partial<Record<'username' | 'password' | 'pathname', string>>) =>
    Object.assign(new URL(postgres.url), { password: 'right-word', ...change }).href
  expect(await refused({ DATABASE_URL: url({ password: 'wrong-word' }) })).toEqual(
    oneLine(/^DATABASE_URL: password authentication failed for user "gridmast"$/),
  )
  expect(await refused({ DATABASE_URL: url({ pathname: '/other' }) })).toEqual(
    oneLine(/^DATABASE_URL: database "other" does not exist$/),
  )
  expect(await refused({ DATABASE_URL: url({ username: 'other' }) })).toEqual(
    oneLine(/^DATABASE_URL: password authentication failed for user "other"$/),
  )
  const world = join(root, 'demo/world.yaml')
  expect(
    await refused({ DATABASE_URL: url({ password: 'wrong-word' }) }, 'tools/operator.ts', ['provision', world]),
  ).toEqual(oneLine(/^(DATABASE_URL: )?password authentication failed for user "gridmast"$/))
})

test('ClickHouse: a wrong password, and another web server at its address, are one line with the setting', async () => {
  const server = spawn(process.execPath, [join(root, 'tools/readings-server.ts')], {
    env: { ...process.env, DATA_DIR: join(folder, 'readings'), READINGS_PORT: '0', READINGS_PASSWORD: 'right-word' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  closes.push(async () => {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  })
  expect(await refused({ CLICKHOUSE_URL: `http://default:wrong-word@127.0.0.1:${port}` })).toEqual(
    oneLine(/^CLICKHOUSE_URL: (?!.*-word).+$/),
  )
  const other = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' })
    response.end('<html>\n<body>\nNot found\n</body>\n</html>')
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  closes.push(() => other.close())
  const { port: otherPort } = other.address() as AddressInfo // it listens on TCP
  expect(await refused({ CLICKHOUSE_URL: `http://127.0.0.1:${otherPort}` })).toEqual(
    oneLine(/^CLICKHOUSE_URL: a web page was answered: another server has this address$/),
  )
})
