import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

/** Processes that tests start take their modules from the folder: half of what a start costs. */
const env = { TZ: 'UTC', NODE_COMPILE_CACHE: join(tmpdir(), 'gridmast-compiled') }

/** Kills, whole starts, backups, full disks, brokers, fuzz: the second tier. */
const slow = '**/*.slow.test.ts'

const node = {
  pool: 'forks',
  maxWorkers: 2,
  // A process per file loads both stores again for each: twice the CPU of the whole (measured).
  isolate: false,
} as const

const server = {
  ...node,
  env,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
} as const

export default defineConfig({
  test: {
    projects: [
      { test: { ...node, name: 'contract', include: ['contract/src/**/*.test.ts'], env: { TZ: 'UTC' } } },
      {
        // A password is worth 90 ms of work, and they are asked for a thousand times.
        resolve: {
          alias: {
            '#platform/security/password-cost.ts': join(import.meta.dirname, 'server/src/testing/password-cost.ts'),
          },
        },
        test: {
          ...server,
          name: 'server',
          include: ['{server/src,tools}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, slow],
        },
      },
      {
        test: {
          ...node,
          name: 'simulators',
          include: ['simulators/**/*.test.ts'],
          exclude: [...configDefaults.exclude, slow],
          env,
          testTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          ...server,
          name: 'slow',
          include: [`{server/src,simulators,tools}/${slow}`],
          // Many of these open an engine of their own, and a process has one at a time.
          setupFiles: ['server/src/testing/no-engine-left.ts'],
        },
      },
      {
        root: join(import.meta.dirname, 'web'),
        test: {
          name: 'web rules',
          include: ['src/**/*.test.ts'],
          // Far from Berlin, so that a time shown in the machine's own zone fails a test.
          env: { TZ: 'America/Los_Angeles' },
          isolate: false,
          maxWorkers: 2,
        },
      },
      './web/vitest.config.ts',
    ],
  },
})
