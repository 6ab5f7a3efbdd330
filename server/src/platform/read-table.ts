import { inflateRawSync } from 'node:zlib'
import { m } from '@gridmast/contract/messages.ts'
import { parseCsv, readXlsx } from 'hucre'
import { Refusal } from './errors.ts'
import type { Upload } from './multipart.ts'

/** Reads the first table of a file that somebody uploaded: text of each cell, row by row, as many as are wanted and no more. */

export type ReadTable = { most: number; columns: number }

/** A small file can unpack to gigabytes. */
const unpackedBytes = 8_000_000

const unreadable = () => new Refusal(400, m.tableUnreadable, { errors: { file: m.tableUnreadable } })

const [endOfZip, fileOfZip] = [0x06054b50, 0x02014b50]

/** Unpacks each part to see how large it is: what a zip says of itself may be a lie. */
const checkUnpacked = (zip: Buffer) => {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > zip.length || zip.readUInt32LE(end) !== endOfZip) throw unreadable()
  let left = unpackedBytes
  let at = zip.readUInt32LE(end + 16)
  for (let files = zip.readUInt16LE(end + 10); files > 0; files--) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== fileOfZip) throw unreadable()
    const [method, packed, local] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)]
    if (local + 30 > zip.length) throw unreadable()
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    left -= method === 0 ? packed : inflateRawSync(zip.subarray(from), { maxOutputLength: Math.max(1, left) }).length
    if (left < 0) throw unreadable()
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}

const textOf = (cell: unknown): string => {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? String(cell).trim() : ''
}

const columnName = (n: number) => String.fromCodePoint(64 + n)

const readRows = async ({ bytes }: Upload, { most, columns }: ReadTable): Promise<unknown[][]> => {
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))) {
    checkUnpacked(bytes)
    const range = `A1:${columnName(columns)}${most + 1}`
    const { sheets } = await readXlsx(bytes, { sheets: [0], maxRows: most + 1, range })
    return sheets[0]?.rows ?? []
  }
  // Excel in Denmark saves a csv in the code page of Windows unless it is told otherwise.
  const utf8 = new TextDecoder('utf-8').decode(bytes)
  const text = utf8.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : utf8
  if (text.includes('\u0000')) throw unreadable()
  return parseCsv(text, { maxRows: most + 1 })
}

/** Throws a sentence where the file is no table, or holds more than `most` rows. */
export const readTable = async (file: Upload, wanted: ReadTable): Promise<string[][]> => {
  const rows = await readRows(file, wanted).catch((error: unknown) => {
    throw error instanceof Refusal ? error : unreadable()
  })
  const texts = rows.map((row) => row.slice(0, wanted.columns).map(textOf))
  while (texts.at(-1)?.every((text) => text === '')) texts.pop()
  if (texts.length > wanted.most)
    throw new Refusal(400, m.tableTooLong(wanted.most), { errors: { file: m.tableTooLong(wanted.most) } })
  return texts
}
