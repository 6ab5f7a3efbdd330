import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { openStores } from './stores.ts'

test('READINGS_RETENTION_DAYS deletes older raw samples', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gridmast-stores-'))
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', READINGS_RETENTION_DAYS: '31' })
  const { records, readings } = await openStores(config, pino({ level: 'silent' }))
  try {
    await readings.insert([{ signalNo: 1, t0Ms: Date.UTC(2025, 0, 15), dtMs: 1000, values: [1, 2, 3] }])
    await readings.rollUp()
    expect(await readings.dropOld()).toEqual(['202501'])
  } finally {
    await readings.close()
    await records.close()
    await rm(dataDir, { recursive: true })
  }
})
