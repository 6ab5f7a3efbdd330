import { expect, test } from 'vitest'
import { hashMachineSecret } from '#platform/security/token.ts'
import { chooseVersion, type Credentials, judge, keyText, openParking, readBasic, readPath } from './admission.ts'
import { errorFrame, readFrame, resultFrame } from './frames.ts'

test.each([
  ['/ocpp/CP-1', { identity: 'CP-1', customerKey: null }],
  ['/ocpp/CP-1/', { identity: 'CP-1', customerKey: null }],
  ['/ocpp/CP-1?token=x', { identity: 'CP-1', customerKey: null }],
  ['/ocpp/vestkyst/CP%7C1', { identity: 'CP|1', customerKey: 'vestkyst' }],
  ['/ocpp/', null],
  ['/ocpp', null],
  ['/ocpp/a/b/c', null],
  ['/ocpp/%', null],
  ['/ocpp/%E0%A4%A', null],
  ['/ocpp/%00', null],
  ['/ocpp/..%2F..%2Fetc', null],
  ['/ocpp/æøå', null],
  [`/ocpp/${'x'.repeat(49)}`, null],
  [`/ocpp/${'x'.repeat(4096)}`, null],
  ['/api/CP-1', null],
  [undefined, null],
])('D2 the address %s', (url, expected) => expect(readPath(url)).toEqual(expected))

test('the version is the newest that both speak, whatever order they are offered in', () => {
  expect(chooseVersion(['ocpp1.6', 'ocpp2.0.1'])).toBe('ocpp2.0.1')
  expect(chooseVersion(['ocpp2.1', 'ocpp1.6'])).toBe('ocpp1.6')
  expect(chooseVersion(['ocpp1.5'])).toBeNull()
})

const basic = (user: string, password: string | Buffer) =>
  readBasic(`Basic ${Buffer.concat([Buffer.from(`${user}:`), Buffer.from(password)]).toString('base64')}`)
const hex = 'A1B2C3D4E5F6A7B8C9D0E1F2A3B4C5D6E7F8A9B0'
const known = (more: Partial<Credentials> = {}): Credentials => ({
  chargerId: 'id of CP-1',
  identity: 'CP-1',
  securityProfile: 1,
  passwordHash: hashMachineSecret(keyText(hex)),
  previousHash: null,
  customerKey: 'north',
  claim: 'free' as const,
  ...more,
})
const shown = { basic: basic('CP-1', hex), isEncrypted: true, mayBePlain: false, certificate: null, isAddressed: true }

test('D2 a key of 40 hex digits opens as its 20 bytes and as its digits, of either case, and for its own charger only', () => {
  for (const password of [hex, hex.toLowerCase(), Buffer.from(hex, 'hex')])
    expect(judge(known(), { ...shown, basic: basic('CP-1', password) })).toBe('welcome')
  expect(judge(known(), { ...shown, basic: basic('CP-2', hex) })).toBe('wrong-key')
  expect(judge(known(), { ...shown, basic: basic('CP-1', 'another') })).toBe('wrong-key')
  expect(judge(known(), { ...shown, basic: null })).toBe('wrong-key')
  expect(judge(null, shown)).toBe('wrong-key')
  const before = hashMachineSecret('the key before')
  expect(judge(known({ previousHash: before }), { ...shown, basic: basic('CP-1', 'the key before') })).toBe('welcome')
})

test('D2 never less than the profile of the charger: no TLS, no entry; a certificate must be the charger’s own', () => {
  const plain = { ...shown, isEncrypted: false }
  expect(judge(known(), plain)).toBe('too-plain')
  expect(judge(known(), { ...plain, mayBePlain: true })).toBe('welcome')
  expect(judge(known({ securityProfile: 2 }), { ...plain, mayBePlain: true })).toBe('too-plain')
  expect(judge(known({ securityProfile: 2 }), shown)).toBe('welcome')
  const third = known({ securityProfile: 3 })
  expect(judge(third, shown)).toBe('wrong-certificate')
  const certificate = (name: string, organisation: string | null = null) => ({ certificate: { name, organisation } })
  expect(judge(third, { ...shown, ...certificate('CP-2') })).toBe('wrong-certificate')
  expect(judge(third, { ...shown, basic: null, ...certificate('CP-1') })).toBe('welcome')
  expect(judge(third, { ...plain, mayBePlain: true, ...certificate('CP-1') })).toBe('too-plain')
})

test.each([
  ['names the customer', 'north', 'elsewhere', false, 'welcome'],
  ['names another customer', 'west', 'elsewhere', true, 'wrong-certificate'],
  ['names no customer, and this company used it last', null, 'own', false, 'welcome'],
  ['names no customer, and another company used it last', null, 'elsewhere', true, 'wrong-certificate'],
  ['names no customer, no company used it, at the address of the customer', 'A name', 'free', true, 'welcome'],
  ['names no customer, no company used it, at an address of several', null, 'free', false, 'wrong-certificate'],
] as const)('D2 T1 a certificate that %s', (_what, organisation, claim, isAddressed, verdict) => {
  const presented = { ...shown, basic: null, certificate: { name: 'CP-1', organisation }, isAddressed }
  expect(judge(known({ securityProfile: 3, claim }), presented)).toBe(verdict)
})

test('a charger that connects more than 60 times in an hour waits for an hour', () => {
  let nowMs = 0
  const parking = openParking(() => nowMs)
  for (let i = 0; i < 60; i++) expect(parking.waitS('CP-1')).toBe(0)
  expect(parking.waitS('CP-1')).toBe(3600)
  nowMs += 1_800_000
  expect([parking.waitS('CP-1'), parking.waitS('CP-2')]).toEqual([1800, 0])
  nowMs += 1_800_001
  expect(parking.waitS('CP-1')).toBe(0)
})

test('frames: what is none is told apart from what is not known yet, and errors are spelt as each version spells them', () => {
  for (const text of [
    '',
    '{',
    '{}',
    '[]',
    '["2","a"]',
    '[2]',
    '[2,"a"]',
    '[2,{},"Heartbeat",{}]',
    '[2,"a","b",[]]',
    '[2,"a","b","c"]',
  ])
    expect(readFrame(text).kind).toBe('broken')
  expect(readFrame('[5,"a","b",{}]').kind).toBe('unknown')
  expect(readFrame('[2,"a","Heartbeat"]')).toEqual({ kind: 'call', id: 'a', action: 'Heartbeat', payload: {} })
  expect(readFrame('[2,7,"Heartbeat",null]')).toMatchObject({ kind: 'call', id: '7' })
  expect(readFrame(`[2,"${'x'.repeat(256)}","Heartbeat",{}]`).kind).toBe('broken')
  expect(errorFrame('ocpp1.6', 'a', 'missing')).toContain('OccurenceConstraintViolation')
  expect(errorFrame('ocpp2.0.1', 'a', 'missing')).toContain('OccurrenceConstraintViolation')
  expect(errorFrame('ocpp1.6', 'a', 'notUnderstood')).toContain('FormationViolation')
  expect(resultFrame('a"b', '{"x":1}')).toBe(String.raw`[3,"a\"b",{"x":1}]`)
})
