import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyReply } from 'fastify'
import { invalid, Refusal } from '#platform/http/errors.ts'
import type { Live } from '#platform/http/live.ts'
import { goneOf, type Upload } from '#platform/http/multipart.ts'
import { openProgress, type Progress } from '#platform/http/progress.ts'
import { readTable, type Table, type TableLimits } from './read-table.ts'

export type ImportRun = {
  signal: AbortSignal
  progress: Progress
}
export type UploadedTable = ImportRun & { name: string; sha256: Buffer; table: Table }

type ImportRequest = {
  app: { live: Live }
  viewer: { customerId: string }
  file: Upload | null
  reply: FastifyReply
  body: { save: boolean; watch?: string | undefined }
}

const nameLength = 200

/** Throws a 400 without a file, or for a file that is no table or exceeds the limits. */
export const readUpload = async (
  { app, viewer, file, reply, body }: ImportRequest,
  limits: TableLimits,
): Promise<UploadedTable> => {
  if (!file) throw invalid({ file: m.required })
  const signal = goneOf(reply)
  return {
    signal,
    progress: openProgress(app.live, viewer.customerId, body.watch),
    name: file.name.slice(0, nameLength),
    sha256: createHash('sha256').update(file.bytes).digest(),
    table: await readTable(viewer.customerId, file, limits, signal),
  }
}

/** Rows in order; other requests run after each `rowsPerTurn` rows. */
export async function* inTurns<Row>(
  rows: readonly Row[],
  rowsPerTurn: number,
  { signal, progress }: ImportRun,
): AsyncGenerator<Row> {
  for (const [i, row] of rows.entries()) {
    if (i % rowsPerTurn === 0) {
      progress(i, rows.length)
      await nextTurn()
      signal.throwIfAborted()
    }
    yield row
  }
}

const maxAttempts = 3

/** Checks run outside the transaction of the write; an attempt is null when stored rows have changed in between. Throws a 503 after `maxAttempts`. */
export const untilUnchanged = async <T>(attempt: () => Promise<T | null>): Promise<T> => {
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const result = await attempt()
    if (result !== null) return result
  }
  throw new Refusal(503, m.unavailable, { retryAfterS: 5 })
}
