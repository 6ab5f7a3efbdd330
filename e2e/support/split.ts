import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMosquitto } from '../../tools/mosquitto.ts'
import { startPostgres } from '../../tools/postgres.ts'
import { freePort, root } from '../../tools/run.ts'

const edges = ['edge-nord-01', 'edge-nord-02', 'edge-esb-01', 'edge-lab']

/** A process of the installation; `health` is its health address, whatever its roles. */
export type Part = { process: ChildProcess; health: string; portal: string }

export type Split = {
  urlOf: (name: string) => string
  web: Part
  otherWeb: Part
  ingest: Part
  startIngest: () => Promise<Part>
  stop: () => Promise<void>
}

/**
 * An installation in several processes: PostgreSQL, Mosquitto with passwords and access list, a readings server, two of `ROLES=web,jobs` and
 * `web`, one of `ingest` (a second one is its standby), and the edges of the demo world. Null without PostgreSQL or Mosquitto.
 */
export const startSplit = async (): Promise<Split | null> => {
  const [postgres, mosquitto] = await Promise.all([
    startPostgres(),
    startMosquitto({ server: 'the-server', ...Object.fromEntries(edges.map((edge) => [edge, 'gridmast-demo'])) }),
  ])
  const stopOutside = async () => {
    await postgres?.stop()
    await mosquitto?.stop()
  }
  if (!postgres || !mosquitto) {
    await stopOutside()
    return null
  }
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-split-'))
  const children = new Set<ChildProcess>()

  const run = (script: string, env: Record<string, string>, args: string[] = []) => {
    const child = spawn(process.execPath, [join(root, script), ...args], {
      env: { PATH: process.env['PATH'], TZ: 'UTC', DEMO: 'off', ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }
  /** The first message is readiness; a server that ends earlier has written the reason to stderr. */
  const ready = async (child: ChildProcess): Promise<{ port: number }> => {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('ended before it was ready')))
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }]
    return message
  }
  const stop = async () => {
    const all = [...children]
    for (const child of all) child.kill('SIGTERM')
    for (const child of all) if (children.has(child)) await once(child, 'exit')
    await stopOutside()
    await rm(folder, { recursive: true, force: true })
  }

  try {
    const engine = { UV_THREADPOOL_SIZE: '10', READINGS_PORT: '0', READINGS_PASSWORD: 'readings', DATA_DIR: folder }
    const readings = await ready(run('tools/readings-server.ts', engine))
    const shared = {
      DATABASE_URL: postgres.url,
      CLICKHOUSE_URL: `http://default:readings@127.0.0.1:${readings.port}`,
      MQTT_URL: mosquitto.urlOf('server'),
      SECRET_KEY: 'the one secret of this installation',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      // No requests leave this machine.
      EDS_URL: 'http://127.0.0.1:9',
      ENTSOE_URL: 'http://127.0.0.1:9',
      FX_URL: 'http://127.0.0.1:9',
      VIPPS_URL: 'http://127.0.0.1:9',
    }
    const part = async (name: string, roles: string): Promise<Part> => {
      const [port, own] = [await freePort(), await freePort()]
      const env = {
        ...shared,
        DATA_DIR: join(folder, name),
        ROLES: roles,
        PORT: String(port),
        METRICS_PORT: String(own),
      }
      const child = run('server/src/main.ts', env)
      await ready(child)
      return { process: child, health: `http://127.0.0.1:${own}`, portal: `http://127.0.0.1:${port}` }
    }
    let ingests = 0
    const startIngest = () => part(`ingest-${++ingests}`, 'ingest')
    const [web, otherWeb, ingest] = await Promise.all([part('web', 'web,jobs'), part('web-2', 'web'), startIngest()])
    // While all of them run: the ingest is notified of its edges by PostgreSQL.
    const provision = run('tools/operator.ts', { ...shared, DATA_DIR: join(folder, 'web') }, [
      'provision',
      'demo/world.yaml',
    ])
    const [code] = (await once(provision, 'exit')) as [number | null]
    if (code !== 0) throw new Error('provisioning failed')
    return { urlOf: mosquitto.urlOf, web, otherWeb, ingest, startIngest, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
