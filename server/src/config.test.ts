import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'gridmast-config-'))

test('defaults: the portal on 3000, MQTT on 1883, all roles in one process', () => {
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

test('each wrong setting is named in one line', () => {
  expect(() => readConfig({ PORT: 'x', DATABASE_URL: 'mysql://a', ROLES: 'web,cook' })).toThrow(
    /^Settings that are not valid: PORT: .*; DATABASE_URL: expected a URL beginning with postgres.*; ROLES\.1: .*$/,
  )
})

test('files and lists of settings are parsed at startup', () => {
  const wrong = { DATA_DIR: folder(), TRUST_PROXY: 'nonsense', OCPP_TLS_KEY: '/nowhere.pem' }
  expect(() => readConfig(wrong)).toThrow(
    /^Settings that are not valid: TRUST_PROXY: expected addresses.*; OCPP_TLS_KEY: expected a file that can be read$/,
  )
  expect(() => readConfig({ DATA_DIR: folder(), OCPP_TLS_PORT: '8443' })).toThrow(
    'OCPP_TLS_PORT: OCPP_TLS_CERT and OCPP_TLS_KEY are missing',
  )
  expect(readConfig({ DATA_DIR: folder(), TRUST_PROXY: 'loopback, 10.0.0.0/8' }).OCPP_TLS_PORT).toBe(0)
})

test.each([
  [{ READINGS_RETENTION_DAYS: '1000000000' }, 'READINGS_RETENTION_DAYS: '],
  [{ BACKUP_KEEP_DAYS: '1000000000' }, 'BACKUP_KEEP_DAYS: '],
  [{ BACKUP_KEEP_MONTHS: '1000000000' }, 'BACKUP_KEEP_MONTHS: '],
  [{ BACKUP_CRON: '0 0 31 2 *' }, 'BACKUP_CRON: expected a cron pattern'],
  [{ BACKUP_CRON: '* * * * * *' }, 'BACKUP_CRON: expected at least one hour between two runs'],
  [{ BACKUP_CRON: '0,59 2 * * 1' }, 'BACKUP_CRON: expected at least one hour between two runs'],
  [{ BACKUP_DRILL_CRON: 'weekly' }, 'BACKUP_DRILL_CRON: expected a cron pattern'],
  [{ BACKUP_DRILL_CRON: '*/30 * * * *' }, 'BACKUP_DRILL_CRON: expected at least one hour between two runs'],
  [{ BACKUP_KEY: ' '.repeat(24) }, 'BACKUP_KEY: expected a public key'],
  [{ BACKUP_KEY: 'age-secret-key-1qqqqqqqqqqqqqqqqqq' }, 'BACKUP_KEY: expected a public key'],
  [{ DATA_DIR: import.meta.filename }, 'DATA_DIR: '],
])('a value without effect or beyond its bound is refused: %j', (wrong, message) => {
  expect(() => readConfig({ DATA_DIR: folder(), ...wrong })).toThrow(`Settings that are not valid: ${message}`)
})

test('processes with a shared store need a shared SECRET_KEY', () => {
  const part = { DATA_DIR: folder(), ROLES: 'web,jobs' }
  expect(() => readConfig(part)).toThrow(/^Settings that are not valid: SECRET_KEY: /)
  expect(readConfig({ ...part, SECRET_KEY: 'x'.repeat(32) }).ROLES).toEqual(['web', 'jobs'])
})

describe('the demo', () => {
  test('the demo is on in an empty or missing folder or in an earlier demo, off in any other folder', () => {
    const dataDir = folder()
    expect(readConfig({ DATA_DIR: join(dataDir, 'missing') }).demo).toBe(true)
    expect(readConfig({ DATA_DIR: dataDir }).demo).toBe(true)
    // The folder after a first start that failed at a port in use.
    mkdirSync(join(dataDir, 'simulators'))
    expect(readConfig({ DATA_DIR: dataDir }).demo).toBe(true)
    mkdirSync(join(dataDir, 'records'))
    expect(readConfig({ DATA_DIR: dataDir }).demo).toBe(false)
    writeFileSync(join(dataDir, 'demo.json'), '{}')
    expect(readConfig({ DATA_DIR: dataDir }).demo).toBe(true)
    expect(readConfig({ DATA_DIR: dataDir, DEMO: 'off' }).demo).toBe(false)
  })

  test.each([
    ['DATABASE_URL', 'postgres://db.example/gridmast'],
    ['CLICKHOUSE_URL', 'http://readings.example:8123'],
    ['PUBLIC_URL', 'https://portal.example'],
    ['SMTP_URL', 'smtp://mail.example'],
    ['MQTT_URL', 'mqtts://broker.example'],
  ])('a setting %s means no demo unless DEMO=on is set', (setting, value) => {
    expect(readConfig({ DATA_DIR: folder(), [setting]: value }).demo).toBe(false)
    expect(readConfig({ DATA_DIR: folder(), [setting]: value, DEMO: 'on' }).demo).toBe(true)
  })

  test('a demo listens on loopback unless HOST is set, an installation on all addresses', () => {
    expect(readConfig({ DATA_DIR: folder() }).HOST).toBe('127.0.0.1')
    expect(readConfig({ DATA_DIR: folder(), HOST: '10.0.0.7' }).HOST).toBe('10.0.0.7')
    expect(readConfig({ DATA_DIR: folder(), DEMO: 'off' }).HOST).toBe('0.0.0.0')
  })

  test('simulated prices are refused outside a demo', () => {
    expect(() => readConfig({ DATA_DIR: folder(), DEMO: 'off', EDS_SIMULATED: 'on' })).toThrow(/EDS_SIMULATED/)
  })
})

test('MAIL_FROM is an address, or a name and an address', () => {
  const from = (MAIL_FROM: string) => readConfig({ DATA_DIR: folder(), MAIL_FROM }).MAIL_FROM
  expect(from('portal@company.example')).toBe('portal@company.example')
  expect(from('Company <portal@company.example>')).toBe('Company <portal@company.example>')
  for (const wrong of ['Company', 'Company <portal>', 'a@b.example\nBcc: c@d.example'])
    expect(() => from(wrong)).toThrow(/MAIL_FROM: expected an address/)
})
