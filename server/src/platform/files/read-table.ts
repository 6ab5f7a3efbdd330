import { Worker } from 'node:worker_threads'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Upload } from '#platform/http/multipart.ts'
import { openFairQueue } from '#platform/jobs/fair-queue.ts'

/** Rows below the header row. */
export type TableLimits = { most: number; columns: number }
/** Merged cells: only the first has a text. Rows and columns from 0, the last ones included. */
export type Merged = { fromRow: number; toRow: number; fromColumn: number; toColumn: number }
export type Table = { sheet: string | null; delimiter: string | null; rows: string[][]; merged: Merged[] }

export type TableTask = { bytes: Uint8Array; limits: TableLimits }
type Refused = 'unreadable' | 'too-long' | 'too-much-text'
export type ReadPart = { rows: string[][] } | Omit<Table, 'rows'> | { refused: Refused }

/** Unpacking and reading are seconds of work for a large file, and may take much memory for a malicious one. */
const inTurn = openFairQueue({ lanes: 2, waiting: 3, bytes: 8 * limits.tableBytes, longestMs: 30_000 })
const resourceLimits = { maxOldGenerationSizeMb: 512 }

const refusalOf = (sentence: string) => new Refusal(400, sentence, { errors: { file: sentence } })

const sentenceOf = (refused: Refused, { most }: TableLimits): string =>
  refused === 'too-long' ? m.tableTooLong(most) : refused === 'too-much-text' ? m.tableTooMuchText : m.tableUnreadable

const read = ({ bytes }: Upload, tableLimits: TableLimits, signal: AbortSignal): Promise<Table> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = []
    let table: Table | undefined
    const worker = new Worker(new URL('./read-table-worker.ts', import.meta.url), {
      workerData: { bytes: new Uint8Array(bytes), limits: tableLimits } satisfies TableTask,
      resourceLimits,
    })
    const stop = () => void worker.terminate()
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
    worker.on('message', (part: ReadPart) => {
      if ('rows' in part) for (const row of part.rows) rows.push(row)
      else if ('sheet' in part) table = { ...part, rows }
      else reject(refusalOf(sentenceOf(part.refused, tableLimits)))
    })
    worker.once('error', () => reject(refusalOf(m.tableUnreadable)))
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      if (table) resolve(table)
      else reject(refusalOf(m.tableUnreadable))
    })
  })

/** Throws a 400 for a file that is no table or exceeds the limits. Files of one customer are read one at a time. */
export const readTable = (
  customerId: string,
  file: Upload,
  tableLimits: TableLimits,
  signal?: AbortSignal,
): Promise<Table> => inTurn(customerId, (stop) => read(file, tableLimits, stop), { signal, bytes: file.bytes.length })
