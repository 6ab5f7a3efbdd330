import { expect, test } from 'vitest'
import {
  addressPrefix,
  countedAs,
  isPublicAddress,
  literalAddress,
  NotPublic,
  publicLookup,
  type Resolve,
} from './address.ts'

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['192.0.2.255', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['::1', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
])('S3 %s is counted under %s', (address, prefix) => expect(addressPrefix(address)).toBe(prefix))

test('L1 addresses of one machine are counted together, those of different machines separately', () => {
  expect(countedAs('2001:db8::1')).toBe(countedAs('2001:db8::ffff:2'))
  expect(countedAs('2001:db8::1')).not.toBe(countedAs('2001:db8:0:1::1'))
  expect(countedAs('::ffff:192.0.2.7')).toBe(countedAs('192.0.2.7'))
  expect(countedAs('192.0.2.7')).not.toBe(countedAs('192.0.2.8'))
})

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '::7f00:1',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '3fff::1',
  '4000::1',
  'localhost',
  '',
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '193.0.0.1',
  '2a00:1450:400f::1',
  '2606:4700::1111',
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

test.each([
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://127.1/', '127.0.0.1'],
  ['https://[::1]/', '::1'],
  ['https://[::ffff:10.0.0.1]/', '::ffff:a00:1'],
  ['https://hooks.example/', null],
])('the address in %s is %s', (url, address) => expect(literalAddress(new URL(url))).toBe(address))

const answering = (...addresses: string[]): Resolve =>
  ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as Resolve // the overload that the lookup uses

const found = (all: boolean, ...addresses: string[]) =>
  new Promise((resolve) =>
    publicLookup(answering(...addresses))('hooks.example', { all }, (error, address) => resolve(error ?? address)),
  )

test('a host name is refused when one of its addresses is not public', async () => {
  expect(await found(false, '1.1.1.1', '2606:4700::1111')).toBe('1.1.1.1')
  expect(await found(true, '1.1.1.1')).toEqual([{ address: '1.1.1.1', family: 4 }])
  for (const addresses of [['10.0.0.1'], ['1.1.1.1', '10.0.0.1'], ['1.1.1.1', '::1'], []])
    expect(await found(true, ...addresses)).toBeInstanceOf(NotPublic)
})
