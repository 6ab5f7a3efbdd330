import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, selectRows } from '#platform/records/rows.ts'
import { sealRecord, type Written } from './seal.ts'

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)

export type Subject = {
  subject: string
  /** Current version or score of the subject; a kept file with another value is out of date. */
  madeOf: string
}

export const findMadeOf = async (
  tx: Tx,
  customerId: string,
  subjects: readonly string[],
): Promise<Map<string, string>> => {
  if (subjects.length === 0) return new Map()
  const rows = await selectRows(tx, customerId, 'flight_record_file', { subject: subjects })
    .select(['subject', 'made_of'])
    .orderBy('record_no')
    .execute()
  return new Map(rows.map(({ subject, made_of }) => [subject, made_of]))
}

export const findKept = async (
  tx: Tx,
  customerId: string,
  { subject, madeOf }: Subject,
): Promise<{ no: number; content: string } | null> => {
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
