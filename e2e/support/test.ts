import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test as bare } from '@playwright/test'
import { freePort, root } from '../../tools/run.ts'

/** A demo of the worker's own: what a journey changes is seen by journeys of the same worker only, and these come one after another. */
export type Demo = { url: string; mqttPort: number; dataDir: string }

const ready = async (url: string, process: ChildProcess) => {
  for (;;) {
    const answer = await fetch(`${url}/api/health`).catch(() => null)
    if (answer?.ok) return
    if (process.exitCode !== null) throw new Error('The demo ended before it was ready')
    await pause(250)
  }
}

export const test = bare.extend<object, { demo: Demo }>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      // Pictures of a demo that has been running for a while.
      const running = process.env['GALLERY_URL']
      if (running) return use({ url: running, mqttPort: 0, dataDir: '' })
      const folder = await mkdtemp(join(tmpdir(), 'gridmast-e2e-'))
      const dataDir = join(folder, 'data')
      const [port, mqttPort] = [await freePort(), await freePort()]
      const server = spawn(process.execPath, [join(root, 'tools/start.ts')], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          ...process.env,
          PORT: String(port),
          MQTT_PORT: String(mqttPort),
          METRICS_PORT: '0',
          DATA_DIR: dataDir,
          // Receivers of webhooks stand on this machine.
          WEBHOOK_PRIVATE: 'on',
          // Some hours of yesterday too, just before midnight as well; pictures show settled months and a fleet with a past.
          ...(process.env['GALLERY']
            ? { DEMO_HISTORY_DAYS: '5', DEMO_CHARGING_DAYS: '60', DEMO_PRICE_DAYS: '85' }
            : { DEMO_HISTORY_DAYS: '1.25', DEMO_CHARGING_DAYS: '2', DEMO_PRICE_DAYS: '30' }),
          LOG_LEVEL: 'warn',
        },
      })
      const ended = once(server, 'exit')
      const url = `http://127.0.0.1:${port}`
      try {
        await ready(url, server)
        await use({ url, mqttPort, dataDir })
      } finally {
        server.kill('SIGTERM')
        await ended
        await rm(folder, { recursive: true, force: true })
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ demo }, use) => use(demo.url),
})
