import { expect, test, vi } from 'vitest'

vi.mock('chdb', () => {
  throw new Error('Cannot find module @chdb/lib-win32-x64\nRequire stack:')
})

test('a platform without the embedded engine is told the way in one line', async () => {
  const { openReadings } = await import('./readings.ts')
  const failure = await openReadings({ dataDir: '/nowhere' }).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(failure).toMatch(/^[^\n]*set DATABASE_URL to a PostgreSQL and CLICKHOUSE_URL to a ClickHouse server[^\n]*$/)
})
