import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from '../tools/chromium.ts'

// One folder for the whole run, because each worker reads this file.
const folder = (process.env['E2E_RESULTS_DIR'] ??= mkdtempSync(join(tmpdir(), 'gridmast-e2e-')))

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: folder,
  globalSetup: './support/first-demo.ts',
  // Each worker has its own demo (support/test.ts), on which the tests of a file run one at a time.
  workers: 2,
  projects: [
    // The longest first, so that no worker runs it alone at the end.
    { name: 'several processes', testMatch: 'split.e2e.ts' },
    // Pictures are taken on request only: npm run gallery.
    {
      name: 'demo',
      testIgnore: ['split.e2e.ts', ...(process.env['GALLERY'] ? [] : ['gallery.e2e.ts', 'opened.e2e.ts'])],
    },
  ],
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env['CI']),
  use: {
    timezoneId: 'America/Los_Angeles',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    launchOptions: {
      executablePath: findChromium(),
      args: chromiumFlags,
    },
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
  },
})
