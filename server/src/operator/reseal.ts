import { sql } from 'kysely'
import type { App } from '#context.ts'
import type { OutputLine } from './output-line.ts'

/** Every column of the records with secrets that the server must be able to read; a test compares it with the schema. */
export const sealedColumns = {
  app_user: ['totp_sealed', 'totp_pending_sealed'],
  connector_token: ['refresh_sealed', 'access_sealed'],
  payment_account: ['client_secret_sealed', 'subscription_key_sealed', 'webhook_secret_sealed'],
  webhook: ['secret_sealed'],
}

const batchRows = 500

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
        last = await records.system(async (tx) => {
          const { rows } = await sql<{ sealed: Buffer }>`
            select ${name} as sealed from ${from} where ${name} > ${after} order by 1 limit ${batchRows}
          `.execute(tx)
          for (const { sealed } of rows)
            try {
              const next = secret.reseal(sealed)
              if (!next) continue
              await sql`update ${from} set ${name} = ${next} where ${name} = ${sealed}`.execute(tx)
              resealed += 1
            } catch {
              unreadable += 1
            }
          return rows.length < batchRows ? null : (rows.at(-1)?.sealed ?? null)
        })
      }
      const trouble = unreadable > 0 ? `, ${unreadable} sealed under a key that is not accepted` : ''
      yield { text: `${table}.${column}: ${resealed} resealed${trouble}`, isError: unreadable > 0 }
    }
}
