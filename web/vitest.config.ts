import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags } from '../tools/chromium.ts'
import { browserTemporal } from './temporal-alias.ts'

// Far from Berlin, so that a time shown in the machine's own zone fails a test.
process.env.TZ = 'America/Los_Angeles'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { alias: browserTemporal },
  test: {
    name: 'web',
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
    retry: 1, // a stalled browser, as in the journeys
    setupFiles: ['./src/testing/setup.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1440, height: 900 },
      provider: playwright({
        launchOptions: {
          executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
          args: chromiumFlags,
        },
        contextOptions: { timezoneId: 'America/Los_Angeles', locale: 'en-US' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
