import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from '../tools/chromium.ts'

// One demo world for the whole run, on ports of its own and in a folder that nobody else has.
const folder = (process.env['E2E_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'gridmast-e2e-')))
export const ports = { http: 3917, mqtt: 18917 }

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // Pictures to look at, made when they are asked for: npm run gallery.
  testIgnore: process.env['GALLERY'] ? [] : ['**/gallery.e2e.ts'],
  outputDir: join(folder, 'results'),
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // A busy machine can stall a browser for longer than anybody waits; what passes only at the second try is named in the report.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  use: {
    baseURL: `http://127.0.0.1:${ports.http}`,
    timezoneId: 'America/Los_Angeles',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    launchOptions: {
      executablePath: findChromium(),
      args: chromiumFlags,
    },
    trace: 'retain-on-failure',
  },
  webServer: {
    command: 'node tools/start.ts',
    cwd: join(import.meta.dirname, '..'),
    url: `http://127.0.0.1:${ports.http}/api/health`,
    timeout: 120_000,
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: {
      PORT: String(ports.http),
      MQTT_PORT: String(ports.mqtt),
      METRICS_PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DEMO: 'on',
      // Receivers of webhooks stand on this machine.
      WEBHOOK_PRIVATE: 'on',
      DEMO_HISTORY_DAYS: '1',
      DEMO_PRICE_DAYS: '30',
      LOG_LEVEL: 'warn',
    },
  },
})
