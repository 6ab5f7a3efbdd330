import { expect, test } from 'vitest'
import { addressPrefix, countedAs } from './address.ts'

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

test('L1 the addresses that one machine may take are counted together, those of different machines are not', () => {
  expect(countedAs('2001:db8::1')).toBe(countedAs('2001:db8::ffff:2'))
  expect(countedAs('2001:db8::1')).not.toBe(countedAs('2001:db8:0:1::1'))
  expect(countedAs('::ffff:192.0.2.7')).toBe(countedAs('192.0.2.7'))
  expect(countedAs('192.0.2.7')).not.toBe(countedAs('192.0.2.8'))
})
