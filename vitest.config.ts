import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Processes that tests start take their modules from the folder: half of what a start costs. */
const env = { TZ: 'UTC', NODE_COMPILE_CACHE: join(tmpdir(), 'gridmast-compiled') }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'contract', include: ['contract/src/**/*.test.ts'], env: { TZ: 'UTC' } } },
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          env,
          pool: 'forks',
          maxWorkers: 2,
          // A file a process would load both stores anew each time: twice the work for the whole (measured).
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          retry: 1, // a busy machine, as in the journeys; what needs it is named in the report
        },
      },
      { test: { name: 'simulators', include: ['simulators/**/*.test.ts'], env, testTimeout: 30_000 } },
      './web/vitest.config.ts',
    ],
  },
})
