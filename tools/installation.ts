import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort, root } from './run.ts'

/** A process of the installation; `health` is its health address, in every role. */
export type Part = { process: ChildProcess; health: string; portal: string }

type ReadingsServer = { process: ChildProcess; url: string }

/** `sources` are those of another version, `through` a program that starts the process. */
type Started = { sources?: string; through?: readonly string[] }

export type Installation = {
  readings: ReadingsServer
  /** Another one, with the readings of a process that has ended. */
  serveReadings: (dataDir: string) => Promise<ReadingsServer>
  /** Rejects with the text of stderr when the process ends before it is ready. */
  start: (name: string, roles: string, settings?: Record<string, string>, of?: Started) => Promise<Part>
  /** By `tool` of `sources`. */
  provision: (file: string, sources?: string, tool?: string[]) => Promise<void>
  /** The last lines of each log, by name of the process. */
  logs: (lines: number) => string
  stop: () => Promise<void>
}

/** Processes of one installation on this machine: a readings server, and servers by role. The records and the broker are given. */
export const openInstallation = async (stores: { DATABASE_URL: string; MQTT_URL?: string }): Promise<Installation> => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-installation-'))
  const children = new Set<ChildProcess>()

  const run = (
    name: string,
    script: string,
    env: Record<string, string>,
    { args = [], sources = root, through = [] }: Started & { args?: readonly string[] } = {},
  ) => {
    const [program = process.execPath, ...rest] = [...through, process.execPath, join(sources, script), ...args]
    const child = spawn(program, rest, {
      env: { PATH: process.env['PATH'], TZ: 'UTC', DEMO: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child.stdout?.pipe(createWriteStream(join(folder, `${name}.log`), { flags: 'a' }))
    children.add(child)
    child.once('exit', () => children.delete(child))
    const ended = once(child, 'exit')
    const complaint = child.stderr ? text(child.stderr) : Promise.resolve('')
    return { child, ended, complaint }
  }
  /** The first message is readiness. */
  const ready = async ({ child, ended, complaint }: ReturnType<typeof run>): Promise<{ port: number }> => {
    const early = ended.then(async () => {
      throw new Error((await complaint).trim() || 'ended before it was ready')
    })
    const [message] = (await Promise.race([once(child, 'message'), early])) as [{ port: number }]
    early.catch(() => {})
    return message
  }
  const logs = (lines: number) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => `${name}\n${readFileSync(join(folder, name), 'utf8').trim().split('\n').slice(-lines).join('\n')}`)
      .join('\n\n')
  const stop = async () => {
    const all = [...children]
    for (const child of all) child.kill('SIGTERM')
    for (const child of all) if (children.has(child)) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }

  try {
    const serveReadings = async (dataDir: string) => {
      const engine = { UV_THREADPOOL_SIZE: '10', READINGS_PORT: '0', READINGS_PASSWORD: 'readings', DATA_DIR: dataDir }
      const server = run('readings', 'tools/readings-server.ts', engine)
      const { port } = await ready(server)
      return { process: server.child, url: `http://default:readings@127.0.0.1:${port}` }
    }
    const readings = await serveReadings(folder)
    const shared = {
      ...stores,
      CLICKHOUSE_URL: readings.url,
      SECRET_KEY: 'the one secret of this installation',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      // No requests leave this machine.
      EDS_URL: 'http://127.0.0.1:9',
      ENTSOE_URL: 'http://127.0.0.1:9',
      FX_URL: 'http://127.0.0.1:9',
      VIPPS_URL: 'http://127.0.0.1:9',
    }
    const start: Installation['start'] = async (name, roles, settings = {}, of = {}) => {
      const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()), ...settings }
      const env = { ...shared, DATA_DIR: join(folder, name), ROLES: roles, ...ports }
      const server = run(name, 'server/src/main.ts', env, of)
      await ready(server)
      return {
        process: server.child,
        health: `http://127.0.0.1:${ports.METRICS_PORT}`,
        portal: `http://127.0.0.1:${ports.PORT}`,
      }
    }
    const provision = async (file: string, sources = root, tool = ['tools/operator.ts', 'provision']) => {
      const env = { ...shared, DATA_DIR: join(folder, 'provision') }
      const [script = '', ...args] = tool
      const { ended, complaint } = run('provision', script, env, { args: [...args, file], sources })
      const [code] = (await ended) as [number | null]
      if (code !== 0) throw new Error(`provisioning failed: ${await complaint}`)
    }
    return { readings, serveReadings, start, provision, logs, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
