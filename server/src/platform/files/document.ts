import { Worker } from 'node:worker_threads'
import { minuteMs } from '@gridmast/contract/time.ts'
import { openFairQueue } from '#platform/jobs/fair-queue.ts'

/** An A4 document, blocks from top to bottom; plain data, because a worker thread draws it. */
export type Document = {
  fileName: string
  title: string
  language: 'en' | 'da'
  /** Creation time: the same content at the same instant gives the same file. */
  madeAt: Date
  foot: string
  landscape?: boolean
  blocks: readonly Block[]
}

export type Block =
  | { kind: 'title'; text: string; under: string }
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string; tone?: 'quiet' | 'warning' }
  | { kind: 'figures'; figures: readonly { label: string; value: string; unit: string }[] }
  | { kind: 'chart'; title: string; points: readonly [number, number | null][]; x: readonly Tick[]; y: readonly Tick[] }
  | { kind: 'table'; columns: readonly TableColumn[]; rows: readonly (readonly string[])[]; isSummed?: boolean }

type Tick = { value: number; text: string }

/** `share` of the page width; numbers are right-aligned. */
export type TableColumn = { header: string; share: number; isNumber?: boolean }

/** A worker thread, because shaping the letters of 500 meters takes seconds; fonts and library stay out of the process. */
const inTurn = openFairQueue({ lanes: 2, waiting: 3, longestMs: minuteMs })
const resourceLimits = { maxOldGenerationSizeMb: 512 }

const draw = (document: Document, signal: AbortSignal): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./document-worker.ts', import.meta.url), {
      workerData: document,
      resourceLimits,
    })
    const stop = () => void worker.terminate()
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
    worker.once('message', (pdf: Uint8Array) => resolve(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)))
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      reject(new Error('The document was not drawn'))
    })
  })

export const drawDocument = (customerId: string, document: Document, signal?: AbortSignal): Promise<Buffer> =>
  inTurn(customerId, (stop) => draw(document, stop), { signal })

export const documentHeaders = ({ fileName }: Pick<Document, 'fileName'>) => ({
  'content-type': 'application/pdf',
  'content-disposition': `attachment; filename="${fileName.replace(/[^\w.-]+/g, '_')}.pdf"`,
})

export type PrintedColumn<Row> = TableColumn & { value: (row: Row) => string }

export const title = (text: string, under: string): Block => ({ kind: 'title', text, under })

export const heading = (text: string): Block => ({ kind: 'heading', text })

export const text = (words: string): Block => ({ kind: 'text', text: words })
export const quiet = (words: string): Block => ({ kind: 'text', text: words, tone: 'quiet' })
export const warning = (words: string): Block => ({ kind: 'text', text: words, tone: 'warning' })

export const figures = (...all: [string, string, string][]): Block => ({
  kind: 'figures',
  figures: all.map(([label, value, unit]) => ({ label, value, unit })),
})

export const column = <Row>(header: string, share: number, value: (row: Row) => string): PrintedColumn<Row> => ({
  header,
  share,
  value,
})

export const number = <Row>(header: string, share: number, value: (row: Row) => string): PrintedColumn<Row> => ({
  ...column(header, share, value),
  isNumber: true,
})

export const table = <Row>(
  rows: readonly Row[],
  columns: readonly PrintedColumn<NoInfer<Row>>[],
  total?: NoInfer<Row>,
): Block => ({
  kind: 'table',
  columns: columns.map(({ value: _, ...heading }) => heading),
  rows: (total === undefined ? rows : [...rows, total]).map((row) => columns.map(({ value }) => value(row))),
  isSummed: total !== undefined,
})
