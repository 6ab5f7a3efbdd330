import { sql } from 'kysely'
import type { App } from '#context.ts'
import type { OutputLine } from './output-line.ts'

/** Every column of the records with secrets that the server must be able to read; a test compares it with the schema. */
export const sealedColumns = {
  app_user: ['totp_sealed', 'totp_pending_sealed'],
  connector_token: ['refresh_sealed', 'access_sealed'],
  payment_account: ['client_secret_sealed', 'subscription_key_sealed', 'webhook_secret_sealed'],
  push_key: ['private_sealed'],
  webhook: ['secret_sealed'],
}

const batchRows = 500

const resealedOf = (secret: App['secret'], sealed: Buffer): Buffer | 'current' | 'unreadable' => {
  try {
    return secret.reseal(sealed) ?? 'current'
  } catch {
    return 'unreadable'
  }
}

/** Seals every secret under the current key, while servers run. A row that is changed in the meantime keeps its new value. */
export const reseal = async function* ({
  records,
  secret,
}: Pick<App, 'records' | 'secret'>): AsyncGenerator<OutputLine> {
  for (const [table, columns] of Object.entries(sealedColumns))
    for (const column of columns) {
      const [from, name] = [sql.table(table), sql.ref(column)]
      let [resealed, unreadable] = [0, 0]
      let last: Buffer | null = Buffer.alloc(0)
      while (last) {
        const after: Buffer = last
        const batch = await records.system(async (tx) => {
          const { rows } = await sql<{ sealed: Buffer }>`
            select ${name} as sealed from ${from} where ${name} > ${after} order by 1 limit ${batchRows}
          `.execute(tx)
          const nexts = rows.map(({ sealed }) => ({ sealed, next: resealedOf(secret, sealed) }))
          for (const { sealed, next } of nexts)
            if (Buffer.isBuffer(next))
              await sql`update ${from} set ${name} = ${next} where ${name} = ${sealed}`.execute(tx)
          return {
            resealed: nexts.filter(({ next }) => Buffer.isBuffer(next)).length,
            unreadable: nexts.filter(({ next }) => next === 'unreadable').length,
            last: rows.length < batchRows ? null : (rows.at(-1)?.sealed ?? null),
          }
        })
        resealed += batch.resealed
        unreadable += batch.unreadable
        last = batch.last
      }
      const trouble = unreadable > 0 ? `, ${unreadable} sealed under a key that is not accepted` : ''
      yield { text: `${table}.${column}: ${resealed} resealed${trouble}`, isError: unreadable > 0 }
    }
}
