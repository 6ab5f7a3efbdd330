// npm run readings-server: the embedded readings engine as a server, shared by several processes of one machine (ROLES). Settings:
// READINGS_PORT (8123), READINGS_HOST (127.0.0.1), READINGS_PASSWORD, DATA_DIR (./data); CLICKHOUSE_URL then has its address and password.
// Without READINGS_PASSWORD one is created in DATA_DIR/readings-password, readable by its owner only. For tests and one machine; use a
// ClickHouse server for more, which is the same to the portal.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { lockDataFolder } from '../server/src/platform/process/data-folder.ts'
import { openLog } from '../server/src/platform/process/log.ts'
import { isLoopback, serveReadings } from '../server/src/readings/serve.ts'
import { startNode } from './run.ts'

/** Read before the first line of a process runs: one thread per session, and memory returned to the system (tools/start.ts). */
const engineSettings = { UV_THREADPOOL_SIZE: '10', MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }

const keptPassword = async (file: string): Promise<string> => {
  const password = randomBytes(32).toString('base64url')
  const isNew = await writeFile(file, `${password}\n`, { mode: 0o600, flag: 'wx' }).then(
    () => true,
    () => false,
  )
  return isNew ? password : (await readFile(file, 'utf8')).trim()
}

const serve = async () => {
  process.umask(0o077)
  const { READINGS_PORT: port = '8123', READINGS_HOST: host = '127.0.0.1', READINGS_PASSWORD: given } = process.env
  if (!given && !isLoopback(host))
    throw new Error('READINGS_HOST opens the readings to the network: set READINGS_PASSWORD too')
  const folder = resolve(process.env['DATA_DIR'] ?? './data')
  const dataDir = join(folder, 'readings')
  await mkdir(dataDir, { recursive: true })
  await lockDataFolder(dataDir)
  const passwordFile = join(folder, 'readings-password')
  const password = given ?? (await keptPassword(passwordFile))
  const log = openLog('info', ['readings'])
  const server = await serveReadings({ dataDir, port: Number(port), host, password, log })
  log.info({ port: server.port, host, ...(given ? {} : { passwordFile }) }, 'readings server ready')
  process.send?.({ ready: true, port: server.port })
  const stop = () => void server.close().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.once('disconnect', stop) // the parent process has ended
}

const launch = () => {
  const child = startNode('tools/readings-server.ts', [], {
    env: { ...engineSettings, ...process.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.on('message', (message: object) => process.send?.(message))
  child.once('exit', (code) => process.exit(code ?? 1))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
}

if (!process.env['UV_THREADPOOL_SIZE']) launch()
else
  serve().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  })
