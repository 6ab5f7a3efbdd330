import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a zip. */
export type ZipEntry = { name: string; content: Buffer }

const [endOfZip, entryOfZip, fileOfZip] = [0x06054b50, 0x02014b50, 0x04034b50]
const [version, utf8Names, deflated] = [20, 0x0800, 8]
const maxBytes = 0xffffffff
const maxFiles = 0xffff

/** 1980-01-01, the first date of the format: equal contents give equal files. */
const noDate = 0x00210000

/** Parts of a zip without ZIP64, one file at a time. Throws above 65,535 files or 4 GiB. */
export const packZip = async function* (
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Buffer, void> {
  const directory: Buffer[] = []
  let at = 0
  for await (const { name, content } of entries) {
    const nameBytes = Buffer.from(name)
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(version, 0)
    common.writeUInt16LE(utf8Names, 2)
    common.writeUInt16LE(deflated, 4)
    common.writeUInt32LE(noDate, 6)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const head = Buffer.alloc(4)
    head.writeUInt32LE(fileOfZip)
    const file = Buffer.concat([head, common, nameBytes, packed])
    const [entryHead, entryTail] = [Buffer.alloc(6), Buffer.alloc(14)]
    entryHead.writeUInt32LE(entryOfZip)
    entryHead.writeUInt16LE(version, 4)
    entryTail.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([entryHead, common, entryTail, nameBytes]))
    at += file.length
    if (directory.length > maxFiles || at > maxBytes) throw new Error('The data exceeds a zip of 4 GiB')
    yield file
  }
  const bytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(endOfZip)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(bytes.length, 12)
  end.writeUInt32LE(at, 16)
  yield Buffer.concat([bytes, end])
}
