import type { App } from '#context.ts'
import { keepParts } from '#operator/backup/archive.ts'
import { packZip, type ZipEntry } from '#platform/files/write-zip.ts'
import { appendEntry } from '#platform/records/audit.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { findPerson, findRows, openReplacer, type Person, readableRow, type Row } from './find-person.ts'
import { personTables, type Table } from './person-tables.ts'

const tables = Object.keys(personTables) as Table[] // the keys of the list

/** Without a pseudonym in use: an export only asks which values would change. */
const nobody = { name: '\0', address: '\0', userId: newId(0), tagOf: () => '\0' }

const rowsOf = async (tx: Tx, table: Table, person: Person): Promise<Row[]> => {
  const replace = openReplacer(person, nobody)
  const rows = await findRows(tx, table, person)
  return rows.filter((row) => {
    const { changed, isOfPerson } = replace(table, row)
    return isOfPerson || Object.keys(changed).length > 0
  })
}

/** 'created_at' as 'Created at'. */
const headingOf = (column: string) => {
  const words = column.replaceAll('_', ' ')
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

type Part = { file: string; heading: string; columns: Record<string, string>; rows: number }

const entriesOf = (email: string, nowMs: number, found: ReadonlyMap<Table, Row[]>): ZipEntry[] => {
  const parts: Part[] = []
  const files: ZipEntry[] = []
  for (const [table, rows] of found) {
    const readable = rows.map((row) => readableRow(table, row))
    const columns = Object.fromEntries(Object.keys(readable[0] ?? {}).map((column) => [column, headingOf(column)]))
    const heading = personTables[table]?.heading ?? table
    const file = `${table}.json`
    parts.push({ file, heading, columns, rows: rows.length })
    files.push({ name: file, content: json({ heading, columns, rows: readable }) })
  }
  const exportedAt = new Date(nowMs).toISOString()
  const lines = parts.map(({ file, heading, rows }) => `${heading}: ${rows} ${rows === 1 ? 'row' : 'rows'} in ${file}`)
  const index = `Data of ${email}, exported ${exportedAt}\n\n${lines.join('\n')}\n\nThe times are UTC. Passwords, keys and codes are stored as hashes or sealed, and are not part of the files.\n`
  return [
    { name: 'index.txt', content: Buffer.from(index) },
    { name: 'index.json', content: json({ person: email, exportedAt, files: parts }) },
    ...files,
  ]
}

export type ExportAnswer = { part: string } | { rows: number; tables: number }

export const nothingHeld = (email: string) => `Nothing is stored about ${email}`

/** The zip in parts; the trail of the company records the export. */
export const exportPerson = async function* (
  app: Pick<App, 'records' | 'clock'>,
  email: string,
): AsyncGenerator<ExportAnswer> {
  const nowMs = app.clock.now()
  const found = await app.records.system(async (tx) => {
    const person = await findPerson(tx, email)
    const found = new Map<Table, Row[]>()
    for (const table of tables) {
      const rows = await rowsOf(tx, table, person)
      if (rows.length > 0) found.set(table, rows)
    }
    if (found.size === 0) throw new Error(nothingHeld(email))
    if (person.account)
      await appendEntry(tx, person.account.customerId, nowMs, {
        who: 'operator',
        action: 'user.export',
        subject: email,
      })
    return found
  })
  for await (const part of packZip(entriesOf(email, nowMs, found))) yield { part: part.toString('base64') }
  const rows = [...found.values()].reduce((sum, one) => sum + one.length, 0)
  yield { rows, tables: found.size }
}

/** Writes the zip under its final name only when it is complete. */
export const keepExport = async function* (
  answers: AsyncIterable<ExportAnswer>,
  file: string,
): AsyncGenerator<{ text: string }> {
  const { bytes, last } = await keepParts(answers, file, 'export')
  yield { text: `${file}: ${bytes} bytes, ${last.rows} rows of ${last.tables} tables` }
}
