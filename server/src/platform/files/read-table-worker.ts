import { parentPort, workerData } from 'node:worker_threads'
import { colToLetter, readXlsx } from 'hucre'
import { readCsv } from './read-csv.ts'
import type { Merged, ReadPart, TableTask } from './read-table.ts'
import { packZip, unpackZip } from './zip.ts'

const port = parentPort
if (!port) throw new Error('Runs as a worker only')
const { bytes: data, limits } = workerData as TableTask // the shape that read-table.ts sends
const { columns } = limits
const most = limits.most + 1
const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)

/** Longest text of a cell: one shared string of a sheet can occur in millions of cells. */
const longestText = 500
const maxTextLength = 32_000_000

/** A small file can unpack to gigabytes; 10,000 requests of 24 slots are about 25 MB. */
const unpackedBytes = 64_000_000

const post = (part: ReadPart) => port.postMessage(part) // oxlint-disable-line require-post-message-target-origin -- the port of a thread, not a window

const isPart = (name: string) => /\.(xml|rels)$/i.test(name)

const textOf = (cell: unknown): string => {
  // The time of day is kept: files of the operator contain hours.
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace(/\.000Z$/, '')
      .replace('T', ' ')
  // 15 digits, as in Excel: 0.30000000000000004 is 0.3. Exactly three decimals would be read as a thousands group, so a fourth is added.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15))).replace(/\.\d{3}$/, '$&0')
  return typeof cell === 'string' || typeof cell === 'boolean' ? String(cell).slice(0, longestText).trim() : ''
}

type Cells = { sheet: string | null; delimiter: string | null; rows: unknown[][]; merged: Merged[] }

const readCells = async (): Promise<Cells> => {
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))) {
    const checked = packZip(unpackZip(bytes, { maxFiles: 1000, maxBytes: unpackedBytes, isIncluded: isPart }))
    const range = `A1:${colToLetter(columns - 1)}${most + 1}`
    const { sheets } = await readXlsx(checked, { sheets: [0], maxRows: most + 1, range })
    const merged = (sheets[0]?.merges ?? []).slice(0, most).map(({ startRow, endRow, startCol, endCol }) => ({
      fromRow: startRow,
      toRow: endRow,
      fromColumn: startCol,
      toColumn: endCol,
    }))
    return { sheet: sheets[0]?.name ?? '', delimiter: null, rows: sheets[0]?.rows ?? [], merged }
  }
  // Danish Excel saves a csv in the Windows code page by default.
  const utf8 = new TextDecoder('utf-8').decode(bytes)
  const text = utf8.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : utf8
  if (text.includes('\u0000')) throw new Error('Not a text')
  return { sheet: null, ...readCsv(text, { rows: most, columns, cellLength: longestText }), merged: [] }
}

const batch = 500

try {
  const { sheet, delimiter, rows, merged } = await readCells()
  let remaining = maxTextLength
  const texts: string[][] = []
  for (const row of rows) {
    const cells = row.slice(0, columns).map(textOf)
    remaining = cells.reduce((rest, { length }) => rest - length, remaining)
    if (remaining < 0) break
    texts.push(cells)
  }
  // Trailing blank rows of a csv are removed already; those of a sheet do not count.
  const isTooLong = sheet === null && texts.length > most
  while (texts.at(-1)?.every((text) => text === '')) texts.pop()
  if (remaining < 0) post({ refused: 'too-much-text' })
  else if (isTooLong || texts.length > most) post({ refused: 'too-long' })
  else {
    for (let i = 0; i < texts.length; i += batch) post({ rows: texts.slice(i, i + batch) })
    post({ sheet, delimiter, merged })
  }
} catch {
  post({ refused: 'unreadable' })
}
