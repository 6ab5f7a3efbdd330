import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as bare } from '@playwright/test'
import { startDemo } from './demo.ts'

/** One demo per worker: changes of a journey affect journeys of the same worker only, which run one at a time. */
export type Demo = { url: string; mqttPort: number; dataDir: string }

export const test = bare.extend<object, { demo: Demo }>({
  demo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      // Pictures of a demo that has been running for a while.
      const running = process.env['GALLERY_URL']
      if (running) return use({ url: running, mqttPort: 0, dataDir: '' })
      const folder = await mkdtemp(join(tmpdir(), 'gridmast-e2e-'))
      const dataDir = join(folder, 'data')
      try {
        const filled = process.env['E2E_FIRST_DEMO'] // first-demo.ts
        if (filled) await cp(filled, dataDir, { recursive: true })
        const { url, mqttPort, stop } = await startDemo(dataDir)
        await use({ url, mqttPort, dataDir }).finally(stop)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ demo }, use) => use(demo.url),
})
