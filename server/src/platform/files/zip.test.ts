import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { packZip, unpackZip } from './zip.ts'

const budget = { maxFiles: 100, maxBytes: 1_000_000, isIncluded: () => true }
const sheet = 'xl/worksheets/sheet1.xml'
const plain = packZip(new Map([[sheet, Buffer.from('<sheet/>')]]))
const endAt = (zip: Buffer) => zip.length - 22
const changed = (zip: Buffer, change: (copy: Buffer) => void) => {
  const copy = Buffer.from(zip)
  change(copy)
  return copy
}
const entryAt = (zip: Buffer) => zip.readUInt32LE(endAt(zip) + 16)

const packed = (content: Buffer) => {
  const deflated = deflateRawSync(content)
  return changed(packZip(new Map([[sheet, deflated]])), (zip) => zip.writeUInt16LE(8, entryAt(zip) + 10))
}

/** A zip with two directories: a small file for readers without ZIP64, a bomb for readers with it. */
const twoDirectories = (() => {
  const bomb = packed(Buffer.alloc(50_000_000))
  const small = Buffer.from(plain.subarray(0, endAt(plain)))
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50)
  record.writeBigUInt64LE(1n, 32)
  record.writeBigUInt64LE(BigInt(small.length + entryAt(bomb)), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50)
  const end = Buffer.from(plain.subarray(endAt(plain)))
  end.writeUInt32LE(0xffffffff, 12)
  const before = Buffer.concat([small, bomb.subarray(0, endAt(bomb)), record])
  locator.writeBigUInt64LE(BigInt(before.length - record.length), 8)
  return Buffer.concat([before, locator, end])
})()

describe('L1 a zip', () => {
  test('a zip is read as it was packed', () => {
    expect(unpackZip(plain, budget)).toEqual(new Map([[sheet, Buffer.from('<sheet/>')]]))
    expect(
      unpackZip(packed(Buffer.from('<sheet/>')), budget)
        .get(sheet)
        ?.toString(),
    ).toBe('<sheet/>')
    expect(unpackZip(plain, { ...budget, isIncluded: () => false }).size).toBe(0)
  })

  test.each([
    ['two directories', twoDirectories, 'ZIP64'],
    [
      'more files than a directory counts',
      changed(plain, (zip) => zip.writeUInt16LE(0xffff, endAt(zip) + 10)),
      'ZIP64',
    ],
    ['a directory further on', changed(plain, (zip) => zip.writeUInt32LE(0xffffffff, endAt(zip) + 16)), 'ZIP64'],
    ['a file further on', changed(plain, (zip) => zip.writeUInt32LE(0xffffffff, entryAt(zip) + 42)), 'ZIP64'],
    ['a file of unknown size', changed(plain, (zip) => zip.writeUInt32LE(0xffffffff, entryAt(zip) + 20)), 'ZIP64'],
    ['an encrypted file', changed(plain, (zip) => zip.writeUInt16LE(1, entryAt(zip) + 8)), 'encrypted'],
    [
      'an unknown compression method',
      changed(plain, (zip) => zip.writeUInt16LE(12, entryAt(zip) + 10)),
      'unknown method',
    ],
    [
      'a directory outside',
      changed(plain, (zip) => zip.writeUInt32LE(zip.length, endAt(zip) + 16)),
      'broken directory',
    ],
    ['a file outside', changed(plain, (zip) => zip.writeUInt32LE(zip.length, entryAt(zip) + 42)), 'broken file'],
    ['50 MB in a few bytes', packed(Buffer.alloc(50_000_000)), /./],
    ['2 MB that are not packed', packZip(new Map([[sheet, Buffer.alloc(2_000_000)]])), 'too large'],
    ['101 files', packZip(new Map(Array.from({ length: 101 }, (_, i) => [`${i}.xml`, Buffer.alloc(1)]))), 'too many'],
    ['no directory', Buffer.from('PK\u0003\u0004 and no more, but longer than an end'), 'no end'],
  ])('a zip with %s is refused', (_, zip, why) => {
    expect(() => unpackZip(zip, budget)).toThrow(why)
  })

  test('a zip with a duplicate name is refused', () => {
    const end = endAt(plain)
    const entry = plain.subarray(entryAt(plain), end)
    const zip = changed(Buffer.concat([plain.subarray(0, end), entry, plain.subarray(end)]), (copy) => {
      copy.writeUInt16LE(2, endAt(copy) + 10)
    })
    expect(() => unpackZip(zip, budget)).toThrow('a name twice')
  })
})
