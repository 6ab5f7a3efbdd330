import { Worker } from 'node:worker_threads'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Upload } from '#platform/http/multipart.ts'
import { openTurns } from '#platform/jobs/fair-queue.ts'

/** Reads the first table of a file that somebody uploaded: text of each cell, row by row, as many as are wanted and no more. */

/** `most` rows below the names of the columns. */
export type ReadTable = { most: number; columns: number }
/** Cells that are one: only the first of them holds a text. Rows and columns from 0, the last ones included. */
export type Merged = { fromRow: number; toRow: number; fromColumn: number; toColumn: number }
/** The sheet that was read; a csv has a delimiter instead. */
export type Table = { sheet: string | null; delimiter: string | null; rows: string[][]; merged: Merged[] }

type Refused = 'unreadable' | 'too-long' | 'too-much-text'
/** What the thread tells: some rows, and at the end the sheet; or why the file cannot be read. */
export type ReadPart = { rows: string[][] } | Omit<Table, 'rows'> | { refused: Refused }

/** Unpacking and reading are seconds of work for a large file, and may take much memory for a malicious one. */
const inTurn = openTurns({ lanes: 2, waiting: 3, bytes: 8 * limits.tableBytes, longestMs: 30_000 })
const resourceLimits = { maxOldGenerationSizeMb: 512 }

const refusalOf = (sentence: string) => new Refusal(400, sentence, { errors: { file: sentence } })

const sentenceOf = (refused: Refused, { most }: ReadTable): string =>
  refused === 'too-long' ? m.tableTooLong(most) : refused === 'too-much-text' ? m.tableTooMuchText : m.tableUnreadable

const read = ({ bytes }: Upload, wanted: ReadTable, signal: AbortSignal): Promise<Table> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = []
    let table: Table | undefined
    const worker = new Worker(new URL('./read-table-worker.ts', import.meta.url), {
      workerData: { bytes: new Uint8Array(bytes), wanted },
      resourceLimits,
    })
    const stop = () => void worker.terminate()
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
    worker.on('message', (part: ReadPart) => {
      if ('rows' in part) for (const row of part.rows) rows.push(row)
      else if ('sheet' in part) table = { ...part, rows }
      else reject(refusalOf(sentenceOf(part.refused, wanted)))
    })
    // Also a thread that ran out of memory or time: nothing of it is believed.
    worker.once('error', () => reject(refusalOf(m.tableUnreadable)))
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      if (table) resolve(table)
      else reject(refusalOf(m.tableUnreadable))
    })
  })

/** Throws a sentence where the file is no table, or holds more than `most` rows. The files of one customer are read one after the other; nothing is read for a caller that left. */
export const readTable = (customerId: string, file: Upload, wanted: ReadTable, signal?: AbortSignal): Promise<Table> =>
  inTurn(customerId, (stop) => read(file, wanted, stop), { signal, bytes: file.bytes.length })

/** The column of each field, by the words that name it in the first row, the best word first; -1 without one. */
export const findColumns = <F extends string>(
  head: readonly string[],
  words: Record<F, readonly string[]>,
): Record<F, number> => {
  const names = head.map((text) => text.toLowerCase())
  const found = Object.entries<readonly string[]>(words).map(([field, named]) => [
    field,
    named.map((word) => names.indexOf(word)).find((column) => column >= 0) ?? -1,
  ])
  return Object.fromEntries(found) as Record<F, number> // the keys are those of `words`
}

const truths = new Map([
  ...['yes', 'ja', 'true', 'sand', '1', 'x', 'active', 'aktiv'].map((word) => [word, true] as const),
  ...['no', 'nej', 'false', 'falsk', '0', 'inactive', 'inaktiv'].map((word) => [word, false] as const),
])
/** Null where it is neither yes nor no. */
export const truthOf = (text: string): boolean | null => truths.get(text.toLowerCase()) ?? null
