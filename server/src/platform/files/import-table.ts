import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyReply } from 'fastify'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { type Live, openProgress, type Progress } from '#platform/http/live.ts'
import { abortSignalOf, type Upload } from '#platform/http/multipart.ts'
import { readTable, type Table, type TableLimits } from './read-table.ts'
import type { Mistake } from '@gridmast/contract/table-mistake.ts'
import { atLocalTime, localDate } from '@gridmast/contract/time.ts'
import { colToLetter } from 'hucre'

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
  const signal = abortSignalOf(reply)
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

/** Index of each field's column by the headings of the first row, the best heading first; -1 without a column. */
export const findColumns = <F extends string>(
  head: readonly string[],
  words: Record<F, readonly string[]>,
): Record<F, number> => {
  const names = head.map((text) => text.toLowerCase())
  const columns = Object.entries<readonly string[]>(words).map(([field, named]) => [
    field,
    named.map((word) => names.indexOf(word)).find((column) => column >= 0) ?? -1,
  ])
  return Object.fromEntries(columns) as Record<F, number> // the keys are those of `words`
}

const truths = new Map([
  ...['yes', 'ja', 'true', 'sand', '1', 'x', 'active', 'aktiv'].map((word) => [word, true] as const),
  ...['no', 'nej', 'false', 'falsk', '0', 'inactive', 'inaktiv'].map((word) => [word, false] as const),
])
export const truthOf = (text: string): boolean | null => truths.get(text.toLowerCase()) ?? null

type Columns<F extends string> = { [K in F]?: string | undefined }

/** The given columns; else the columns of the last file, if present; else by their headings. */
export const columnsFor = <F extends string>(
  names: readonly string[],
  headings: Record<F, readonly string[]>,
  { given, last }: { given: Columns<F> | undefined; last: Columns<F> },
): Columns<F> => {
  if (given) return given
  const byHeading = findColumns(names, headings)
  const fields = Object.keys(headings) as F[] // the keys of `headings`
  const columns = fields.flatMap((field): [F, string][] => {
    const before = last[field]
    const name = before !== undefined && names.includes(before) ? before : names[byHeading[field]]
    return name === undefined ? [] : [[field, name]]
  })
  return Object.fromEntries(columns) as Columns<F> // the keys of `headings`
}

/** `24.12.2026` as `2026-12-24`; other text is unchanged. */
export const dateOf = (text: string): string => {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[./-](\d{1,2})[./-](20\d\d)$/.exec(text) ?? []
  return year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** `2026-11-21T09:00:00Z`, or local time of UTC or Berlin; two instants in the repeated hour of Berlin, none for other text. */
export const startsOf = (text: string, isUtc: boolean): number[] => {
  if (/^20\d\d-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    const ms = Date.parse(text.replace(' ', 'T'))
    return Number.isNaN(ms) ? [] : [ms]
  }
  const [date = '', clock = '00:00'] = text.split(/[T ]/)
  const [day, time] = [dateOf(date), /^(\d{1,2}):(\d\d)(:00)?$/.exec(clock)]
  if (!localDate.safeParse(day).success || !time || Number(time[1]) > 23 || Number(time[2]) > 59) return []
  const at = `${time[1]?.padStart(2, '0')}:${time[2]}`
  if (isUtc) return [Date.parse(`${day}T${at}:00Z`)]
  return [...new Set([atLocalTime(day, at, 'start'), atLocalTime(day, at, 'end')])]
}

export const columnIndexes = <F extends string>(
  fields: readonly F[],
  names: readonly string[],
  columns: Columns<F>,
): Record<F, number> =>
  Object.fromEntries(
    fields.map((field) => {
      const name = columns[field]
      return [field, name === undefined ? -1 : names.indexOf(name)]
    }),
  ) as Record<F, number> // the keys are `fields`

/** `row` counts from 1, `column` from 0; a column of -1 is missing. */
export const mistakeAt = (
  names: readonly string[],
  row: number,
  column: number,
  { found, expected }: Pick<Mistake, 'found' | 'expected'>,
): Mistake => ({
  ...mistakeIn(names[column] ?? '', row, { found, expected }),
  cell: column < 0 ? null : `${colToLetter(column)}${row}`,
})

export const mistakeIn = (
  column: string,
  row: number,
  { found, expected }: Pick<Mistake, 'found' | 'expected'>,
): Mistake => ({ row, column, cell: null, found: found.slice(0, 60), expected })
