import { createHash, randomBytes } from 'node:crypto'

const hyphenate = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`

/** A UUIDv7: ordered by time, so keys and indexes stay compact. */
export const newId = (nowMs = Date.now()): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  return hyphenate(bytes.toString('hex'))
}

/** A UUIDv8 derived from the parts: provisioning identifies things by key. */
export const idOf = (...parts: string[]): string => {
  const bytes = createHash('sha256').update(parts.join('\u0000')).digest().subarray(0, 16)
  bytes[6] = 0x80 | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  return hyphenate(bytes.toString('hex'))
}
