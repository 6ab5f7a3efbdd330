import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags } from '../tools/chromium.ts'
import packageJson from './package.json' with { type: 'json' }
import { browserTemporal } from './temporal-alias.ts'

// Far from Berlin, so that a time shown in the machine's own zone fails a test.
process.env.TZ = 'America/Los_Angeles'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { alias: browserTemporal },
  // Bundled before the first test. A library that Vite finds later reloads the page amid a test, so it looks for none.
  optimizeDeps: {
    noDiscovery: true,
    include: [
      ...Object.keys(packageJson.dependencies).filter((name) => !/^@(gridmast|fontsource-variable)\//.test(name)),
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react-dom/client',
      'dayjs/locale/da',
      'big.js',
      'temporal-polyfill/global',
      '@testing-library/react',
      'axe-core',
      'fast-check',
    ],
  },
  test: {
    name: 'web',
    include: ['src/**/*.test.tsx'],
    setupFiles: ['./src/testing/setup.ts'],
    // One page for all files: a page of its own loads 600 modules again.
    isolate: false,
    // A busy machine takes seconds for the first screen of a page.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1440, height: 900 },
      provider: playwright({
        launchOptions: {
          executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
          args: chromiumFlags,
        },
        contextOptions: { timezoneId: 'America/Los_Angeles', locale: 'en-US', reducedMotion: 'reduce' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
