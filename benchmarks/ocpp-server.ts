import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { hashMachineSecret } from '../server/src/platform/security/token.ts'
import { idOf } from '../server/src/platform/records/ids.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'
import { provisionTwoCustomers } from '../server/src/testing/factories.ts'
import { freePort } from '../server/src/testing/whole-server.ts'

/** The whole server with registered chargers, and the process that simulates them. */

const password = 'a key of the benchmark, long enough'
const root = join(import.meta.dirname, '..')

export const usageOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssKb }
}

/** Of a thread that may end meanwhile. */
const statOfThread = (pid: number, thread: string): string[] => {
  try {
    return [readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')]
  } catch {
    return []
  }
}

/** CPU of one thread by name: `MainThread` answers chargers, `WorkerThread` is the records store. */
export const threadCpuMs = (pid: number, thread: string): number =>
  readdirSync(`/proc/${pid}/task`)
    .flatMap((id) => statOfThread(pid, id))
    .filter((stat) => stat.includes(`(${thread})`))
    .map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '))
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * 10, 0)

export type Load = { ask: <T>(order: object) => Promise<T>; end: () => void }

export const openBench = () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-ocpp-'))
  const children = new Set<ChildProcess>()
  const start = (args: string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...env },
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    })
    children.add(child)
    return child
  }
  const ready = async (child: ChildProcess) => {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('ended before it was ready')))
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ port?: number }]
    child.stdout?.resume()
    return message
  }
  const rows = async <T>(work: (records: Records) => Promise<T>): Promise<T> => {
    const records = await openRecords({ dataDir: join(folder, 'records') })
    try {
      return await work(records)
    } finally {
      await records.close()
    }
  }
  const close = () => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  // A run that exceeds its time is ended by SIGTERM.
  process.once('SIGTERM', () => {
    close()
    process.exit(1)
  })
  return {
    start,
    ready,
    rows,
    seed: (count: number) =>
      rows(async (records) => {
        await migrate(records)
        await provisionTwoCustomers(records)
        const customer_id = idOf('customer', 'north')
        const licence_id = idOf('licence', 'north', 'evCharging')
        const password_hash = hashMachineSecret(password)
        await records.system(async (tx) => {
          const licence = { customer_id, licence_id, type: 'evCharging', name: 'EV', icon: 'bolt', enabled: true }
          await tx.insertInto('licence').values(licence).execute()
          for (let from = 0; from < count; from += 500)
            await tx
              .insertInto('charger')
              .values(
                Array.from({ length: Math.min(500, count - from) }, (_, i) => ({
                  customer_id,
                  charger_id: idOf('charger', `B${from + i}`),
                  identity: `B${from + i}`,
                  licence_id,
                  name: 'Bench',
                  charger_type: 'AC',
                  connectors: 1,
                  max_kw: 22,
                  security_profile: 1,
                  position: from + i,
                  password_hash,
                })),
              )
              .execute()
        })
      }),
    folder,
    serve: async () => {
      const [port, mqttPort] = [await freePort(), await freePort()]
      const engine = JSON.parse(readFileSync(join(root, 'tools/engine.json'), 'utf8')) as Record<string, string>
      const server = start([join(root, 'server/src/main.ts')], {
        ...engine,
        DEMO: 'off',
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        PORT: String(port),
        METRICS_PORT: '0',
        MQTT_PORT: String(mqttPort),
        LOG_LEVEL: 'error',
        // No requests leave this machine.
        EDS_URL: 'http://127.0.0.1:9',
        ENTSOE_URL: 'http://127.0.0.1:9',
        FX_URL: 'http://127.0.0.1:9',
      })
      await ready(server)
      return { port, mqttPort, pid: server.pid ?? 0, child: server }
    },
    openLoad: (url: string, script = 'ocpp-load.ts', settings = ['B', password]): Load => {
      const child = start([join(import.meta.dirname, script), url, ...settings])
      if (!child.stdout || !child.stdin) throw new Error('the load has no pipes')
      const { stdin } = child
      const lines: Interface = createInterface(child.stdout)
      let resolve: (done: unknown) => void = () => {}
      lines.on('line', (line) => {
        resolve((JSON.parse(line) as { done: unknown }).done)
      })
      return {
        ask: <T>(order: object) =>
          new Promise<T>((done) => {
            resolve = done as (value: unknown) => void // the load answers one order at a time
            stdin.write(`${JSON.stringify(order)}\n`)
          }),
        end: () => stdin.write(`${JSON.stringify({ do: 'end' })}\n`),
      }
    },
    close,
  }
}
