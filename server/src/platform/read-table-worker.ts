import { parentPort, workerData } from 'node:worker_threads'
import { inflateRawSync } from 'node:zlib'
import { colToLetter, readXlsx } from 'hucre'
import { readCsv } from './read-csv.ts'
import type { Merged, ReadPart, ReadTable } from './read-table.ts'

const port = parentPort
if (!port) throw new Error('Runs as a worker only')
const given = workerData as { bytes: Uint8Array; wanted: ReadTable } // what read-table.ts gives it
const { columns } = given.wanted
/** With the names of the columns. */
const most = given.wanted.most + 1
const bytes = Buffer.from(given.bytes.buffer, given.bytes.byteOffset, given.bytes.byteLength)

/** More of a cell nobody reads, and one text of a sheet can stand in millions of cells. */
const longestText = 500
const mostText = 32_000_000

/** A small file can unpack to gigabytes. 10,000 requests of 24 slots are some 25 MB. */
const unpackedBytes = 64_000_000

const tell = (part: ReadPart) => port.postMessage(part) // oxlint-disable-line require-post-message-target-origin -- the port of a thread, not a window

class Unreadable extends Error {}

const [endOfZip, fileOfZip] = [0x06054b50, 0x02014b50]

/** Unpacks each part to see how large it is: what a zip says of itself may be a lie. */
const checkUnpacked = (zip: Buffer) => {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > zip.length || zip.readUInt32LE(end) !== endOfZip) throw new Unreadable()
  let left = unpackedBytes
  let at = zip.readUInt32LE(end + 16)
  for (let files = zip.readUInt16LE(end + 10); files > 0; files--) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== fileOfZip) throw new Unreadable()
    const [method, packed, local] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)]
    if (local + 30 > zip.length) throw new Unreadable()
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    left -= method === 0 ? packed : inflateRawSync(zip.subarray(from), { maxOutputLength: Math.max(1, left) }).length
    if (left < 0) throw new Unreadable()
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}

const textOf = (cell: unknown): string => {
  // A time of day is kept: the operator's files name hours.
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace(/\.000Z$/, '')
      .replace('T', ' ')
  // What a formula left behind the 15 digits that Excel itself shows: 0.30000000000000004 is 0.3.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)))
  return typeof cell === 'string' || typeof cell === 'boolean' ? String(cell).slice(0, longestText).trim() : ''
}

type Cells = { sheet: string | null; rows: unknown[][]; merged: Merged[] }

const readCells = async (): Promise<Cells> => {
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))) {
    checkUnpacked(bytes)
    const range = `A1:${colToLetter(columns - 1)}${most + 1}`
    const { sheets } = await readXlsx(bytes, { sheets: [0], maxRows: most + 1, range })
    const merged = (sheets[0]?.merges ?? []).slice(0, most).map(({ startRow, endRow, startCol, endCol }) => ({
      fromRow: startRow,
      toRow: endRow,
      fromColumn: startCol,
      toColumn: endCol,
    }))
    return { sheet: sheets[0]?.name ?? '', rows: sheets[0]?.rows ?? [], merged }
  }
  // Excel in Denmark saves a csv in the code page of Windows unless it is told otherwise.
  const utf8 = new TextDecoder('utf-8').decode(bytes)
  const text = utf8.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : utf8
  if (text.includes('\u0000')) throw new Unreadable()
  return { sheet: null, rows: readCsv(text, { rows: most, columns, cellLength: longestText }), merged: [] }
}

/** So many rows at a time, that taking them over holds up nobody. */
const batch = 500

try {
  const { sheet, rows, merged } = await readCells()
  let left = mostText
  const texts: string[][] = []
  for (const row of rows) {
    const cells = row.slice(0, columns).map(textOf)
    left = cells.reduce((rest, { length }) => rest - length, left)
    if (left < 0) break
    texts.push(cells)
  }
  // A csv has no blank rows at its end any more: what is left are rows between others.
  const isTooLong = sheet === null && texts.length > most
  while (texts.at(-1)?.every((text) => text === '')) texts.pop()
  if (left < 0) tell({ refused: 'too-much-text' })
  else if (isTooLong || texts.length > most) tell({ refused: 'too-long' })
  else {
    for (let i = 0; i < texts.length; i += batch) tell({ rows: texts.slice(i, i + batch) })
    tell({ sheet, merged })
  }
} catch {
  tell({ refused: 'unreadable' })
}
