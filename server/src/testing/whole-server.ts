import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecords, type Records } from '#platform/records/records.ts'
import { layTestWorld } from './data-folder.ts'
import { shortLife } from './scripts.ts'

export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** A data folder with two customers for a whole server process that can be killed and restarted. `hook` is loaded first. */
export const openWholeServer = async (hook: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-whole-'))
  await layTestWorld(folder)
  const [port, mqttPort] = [await freePort(), await freePort()]
  const children = new Set<ChildProcess>()
  return {
    folder,
    port,
    mqttPort,
    /** The records while no server has them open. */
    rows: async <T>(work: (records: Records) => Promise<T>): Promise<T> => {
      const records = await openRecords({ dataDir: join(folder, 'records') })
      try {
        return await work(records)
      } finally {
        await records.close()
      }
    },
    serve: async (killAt: string) => {
      const child = spawn(process.execPath, [...shortLife, '--import', hook, join(import.meta.dirname, '../main.ts')], {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          TZ: 'UTC',
          DEMO: 'off',
          DATA_DIR: folder,
          HOST: '127.0.0.1',
          PORT: String(port),
          MQTT_PORT: String(mqttPort),
          METRICS_PORT: '0',
          LOG_LEVEL: 'silent',
          KILL_AT: killAt,
          // No requests leave this machine.
          EDS_URL: 'http://127.0.0.1:9',
          ENTSOE_URL: 'http://127.0.0.1:9',
          FX_URL: 'http://127.0.0.1:9',
          VIPPS_URL: 'http://127.0.0.1:9',
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      children.add(child)
      const ended = once(child, 'exit').finally(() => children.delete(child))
      const early = ended.then(() => Promise.reject(new Error('ended before it was ready')))
      await Promise.race([once(child, 'message'), early])
      return { child, ended }
    },
    close: async () => {
      for (const child of children) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
