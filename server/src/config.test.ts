import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'gridmast-config-'))

test('without settings the portal is on 3000 and MQTT on 1883, all roles in one process', () => {
  expect(readConfig({ DATA_DIR: folder() })).toMatchObject({
    PORT: 3000,
    MQTT_PORT: 1883,
    ROLES: ['web', 'ingest', 'ocpp', 'jobs'],
  })
})

test('an empty setting counts as unset', () => {
  const config = readConfig({ DATA_DIR: folder(), PORT: '', SMTP_URL: '' })
  expect(config.PORT).toBe(3000)
  expect(config.SMTP_URL).toBeUndefined()
})

test('every wrong setting is named in one line', () => {
  expect(() => readConfig({ PORT: 'x', DATABASE_URL: 'mysql://a', ROLES: 'web,cook' })).toThrow(
    /^Settings that are not valid: PORT: .*; DATABASE_URL: expected a URL beginning with postgres.*; ROLES\.1: .*$/,
  )
})

describe('the demo', () => {
  test('is on in an empty or missing folder, off where something else lives, on again where a demo was made', () => {
    const dataDir = folder()
    expect(readConfig({ DATA_DIR: join(dataDir, 'missing') }).demo).toBe(true)
    expect(readConfig({ DATA_DIR: dataDir }).demo).toBe(true)
    mkdirSync(join(dataDir, 'records'))
    expect(readConfig({ DATA_DIR: dataDir }).demo).toBe(false)
    writeFileSync(join(dataDir, 'demo.json'), '{}')
    expect(readConfig({ DATA_DIR: dataDir }).demo).toBe(true)
    expect(readConfig({ DATA_DIR: dataDir, DEMO: 'off' }).demo).toBe(false)
  })
})
