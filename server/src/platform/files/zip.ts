import { crc32, inflateRawSync } from 'node:zlib'

const [endOfZip, locatorOfZip64, entryOfZip, fileOfZip] = [0x06054b50, 0x07064b50, 0x02014b50, 0x04034b50]
const [endBytes, locatorBytes, entryBytes, fileBytes] = [22, 20, 46, 30]
/** 32-bit and 16-bit field values that refer to the ZIP64 record. */
const [sentinel, shortSentinel] = [0xffffffff, 0xffff]

const unreadable = (why: string) => new Error(`Not a zip that is read here: ${why}`)

/** The last end record whose comment reaches exactly to the end of the file. */
const endOf = (zip: Buffer): number => {
  for (let at = zip.length - endBytes; at >= Math.max(0, zip.length - endBytes - shortSentinel); at--)
    if (zip.readUInt32LE(at) === endOfZip) return at
  throw unreadable('no end of its directory')
}

/**
 * Unpacked `isIncluded` files by name. Throws for ZIP64 (a second directory that other readers would follow), duplicate names, encrypted files,
 * more than `maxFiles` entries and more than `maxBytes` unpacked bytes.
 */
export const unpackZip = (
  zip: Buffer,
  { maxFiles, maxBytes, isIncluded }: { maxFiles: number; maxBytes: number; isIncluded: (name: string) => boolean },
): Map<string, Buffer> => {
  const end = endOf(zip)
  const count = zip.readUInt16LE(end + 10)
  const [size, start] = [zip.readUInt32LE(end + 12), zip.readUInt32LE(end + 16)]
  const hasLocator = end >= locatorBytes && zip.readUInt32LE(end - locatorBytes) === locatorOfZip64
  if (hasLocator || count === shortSentinel || size === sentinel || start === sentinel) throw unreadable('ZIP64')
  if (count > maxFiles) throw unreadable('too many files')
  const files = new Map<string, Buffer>()
  const names = new Set<string>()
  let remaining = maxBytes
  let at = start
  for (let i = 0; i < count; i++) {
    if (at + entryBytes > end || zip.readUInt32LE(at) !== entryOfZip) throw unreadable('a broken directory')
    const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)]
    const [packed, unpacked, local] = [20, 24, 42].map((field) => zip.readUInt32LE(at + field)) as [
      number,
      number,
      number,
    ] // three fields are three numbers
    if ([packed, unpacked, local].includes(sentinel)) throw unreadable('ZIP64')
    if (flags & 1) throw unreadable('encrypted')
    const nameBytes = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + entryBytes, at + entryBytes + nameBytes)
    if (names.has(name)) throw unreadable('a name twice')
    names.add(name)
    at += entryBytes + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    if (!isIncluded(name)) continue
    if (local + fileBytes > zip.length || zip.readUInt32LE(local) !== fileOfZip) throw unreadable('a broken file')
    const from = local + fileBytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const content = zip.subarray(from, from + packed)
    if (method !== 0 && method !== 8) throw unreadable('an unknown method')
    if (packed > remaining) throw unreadable('too large')
    const file = method === 0 ? content : inflateRawSync(content, { maxOutputLength: Math.max(1, remaining) })
    remaining -= file.length
    if (remaining < 0) throw unreadable('too large')
    files.set(name, file)
  }
  return files
}

export const packZip = (files: ReadonlyMap<string, Buffer>): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of files) {
    const nameBytes = Buffer.from(name)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(0x800, 2) // names are UTF-8
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(content.length, 14)
    about.writeUInt32LE(content.length, 18)
    about.writeUInt16LE(nameBytes.length, 22)
    const [head, entry] = [Buffer.alloc(4), Buffer.alloc(entryBytes)]
    head.writeUInt32LE(fileOfZip)
    entry.writeUInt32LE(entryOfZip)
    entry.writeUInt16LE(20, 4)
    about.copy(entry, 6)
    entry.writeUInt32LE(at, 42)
    parts.push(head, about, nameBytes, content)
    directory.push(entry, nameBytes)
    at += fileBytes + nameBytes.length + content.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(endBytes)
  end.writeUInt32LE(endOfZip)
  end.writeUInt16LE(files.size, 8)
  end.writeUInt16LE(files.size, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}
