import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { hourMs } from '@gridmast/contract/time.ts'
import { canonical } from '#platform/records/audit.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, type RowOf, selectRows } from '#platform/records/rows.ts'

/** Flight records are sealed files, chained per customer; format and manual verification: docs/flight-record.md. */

export type Part = { part: string } & Record<string, unknown>

export const format = 'gridmast-flight-record/1'

type Series = { readonly x: ArrayLike<number>; readonly y: ArrayLike<number | null> }

const evenStep = (x: readonly number[]): number | null => {
  const step = (x[1] ?? NaN) - (x[0] ?? NaN)
  return x.length > 2 && x.every((at, i) => i === 0 || at - (x[i - 1] ?? 0) === step) ? step : null
}

/** One part per hour of UTC; evenly spaced samples have their first instant and the step, others the milliseconds after it. */
export const seriesParts = (name: string, unit: string, { x, y }: Series): Part[] => {
  const hours = new Map<number, { x: number[]; y: (number | null)[] }>()
  for (let i = 0; i < x.length; i++) {
    const at = x[i] ?? 0
    const hour = Math.floor(at / hourMs) * hourMs
    const hourSeries = hours.get(hour) ?? { x: [], y: [] }
    hourSeries.x.push(at)
    hourSeries.y.push(y[i] ?? null)
    hours.set(hour, hourSeries)
  }
  return [...hours].map(([hour, of]) => {
    const [first = hour] = of.x
    const stepMs = evenStep(of.x)
    return {
      part: `${name} ${new Date(hour).toISOString().slice(0, 16)}Z`,
      unit,
      from: new Date(first).toISOString(),
      ...(stepMs === null ? { ms: of.x.map((at) => at - first) } : { stepMs }),
      values: of.y,
    }
  })
}

const maxLinks = 500

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Previous hash of a customer's first record, so that no chain passes for another customer's. */
const genesisOf = (customerId: string): Buffer => sha256(`gridmast flight records ${customerId}`)

type Link = Omit<RowOf<'flight_record'>, 'customer_id'>

const linkText = ({ record_no, sealed_at, subject, content_sha256, previous_sha256 }: Omit<Link, 'sha256'>): string =>
  `${record_no}\n${sealed_at.toISOString()}\n${subject}\n${content_sha256.toString('hex')}\n${previous_sha256.toString('hex')}\n`

export type Written = { lines: string[]; manifest: string; contentSha256: Buffer }

export const writeParts = async (parts: Iterable<Part> | AsyncIterable<Part>): Promise<Written> => {
  const lines: string[] = []
  const sums: [name: string, sum: string][] = []
  for await (const { part, ...content } of parts) {
    const line = `{"part":${JSON.stringify(part)},${canonical(content).slice(1)}`
    lines.push(line)
    sums.push([part, sha256(line).toString('hex')])
    await setImmediate() // a day of seconds is some megabytes: other work runs between the parts
  }
  const contentSha256 = sha256(sums.map(([part, sum]) => `${sum}  ${part}\n`).join(''))
  return { lines, manifest: JSON.stringify(sums), contentSha256 }
}

const links = (tx: Tx, customerId: string) => selectRows(tx, customerId, 'flight_record').selectAll()

const append = async (tx: Tx, customerId: string, subject: string, content: Buffer, nowMs: number): Promise<number> => {
  const rows = await sqlRows<Pick<Link, 'record_no' | 'sha256'>>(tx)`select * from flight_record_tail(${customerId})`
  const newest = await links(tx, customerId)
    .where('subject', '=', subject)
    .orderBy('record_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest?.content_sha256.equals(content)) return newest.record_no
  const [tail] = rows
  const link = {
    record_no: (tail?.record_no ?? 0) + 1,
    sealed_at: new Date(nowMs),
    subject,
    content_sha256: content,
    previous_sha256: tail ? Buffer.from(tail.sha256) : genesisOf(customerId),
  }
  await insertRow(tx, customerId, 'flight_record', { ...link, sha256: sha256(linkText(link)) }).execute()
  return link.record_no
}

/** The file of a subject: its parts, their hashes, and the chain up to its own link; identical bytes as long as the parts are unchanged. */
export const sealRecord = async (
  tx: Tx,
  customerId: string,
  { subject, written, nowMs }: { subject: string; written: Written; nowMs: number },
): Promise<{ no: number; content: string }> => {
  const no = await append(tx, customerId, subject, written.contentSha256, nowMs)
  const chain = await links(tx, customerId)
    .where('record_no', '<=', no)
    .where('record_no', '>', no - maxLinks)
    .orderBy('record_no')
    .execute()
  const chained = chain.map((link) =>
    JSON.stringify({
      link: link.record_no,
      at: link.sealed_at.toISOString(),
      subject: link.subject,
      content: link.content_sha256.toString('hex'),
      previous: link.previous_sha256.toString('hex'),
      sha256: link.sha256.toString('hex'),
    }),
  )
  const seal = `{"seal":${no},"content":"${written.contentSha256.toString('hex')}","parts":${written.manifest}}`
  return { no, content: `${[...written.lines, seal, ...chained].join('\n')}\n` }
}

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)

export type Subject = {
  subject: string
  madeOf: string
}

export const findMadeOf = async (tx: Tx, customerId: string, subjects: readonly string[]) => {
  if (subjects.length === 0) return new Map()
  const rows = await selectRows(tx, customerId, 'flight_record_file', { subject: subjects })
    .select(['subject', 'made_of'])
    .orderBy('record_no')
    .execute()
  return new Map(rows.map(({ subject, made_of }) => [subject, made_of]))
}

export const findKept = async (tx: Tx, customerId: string, { subject, madeOf }: Subject) => {
  const newest = await selectRows(tx, customerId, 'flight_record_file', { subject })
    .select(['record_no', 'made_of', 'content'])
    .orderBy('record_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest?.made_of !== madeOf) return null
  return { no: newest.record_no, content: (await unpack(newest.content)).toString() }
}

export const keepRecord = async (
  tx: Tx,
  customerId: string,
  { subject, madeOf }: Subject,
  { written, nowMs }: { written: Written; nowMs: number },
): Promise<void> => {
  const { no, content } = await sealRecord(tx, customerId, { subject, written, nowMs })
  await insertRow(tx, customerId, 'flight_record_file', {
    record_no: no,
    subject,
    made_of: madeOf,
    content: await pack(content),
  })
    .onConflict((conflict) => conflict.columns(['customer_id', 'record_no']).doUpdateSet({ made_of: madeOf }))
    .execute()
}
