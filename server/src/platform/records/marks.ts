import type { LocalDate } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from './db-types.ts'
import { getPending, type Pending } from './pending.ts'

type Tx = Transaction<DB>

/*
 * Mark tables: rows of work that is due, each written in the transaction that causes it and removed by the job that has done it.
 * A mark that exists is renewed, so that a job which has read it before does not remove it.
 */

export type Marks = {
  /** Days of instances to be settled. */
  settlement_due: { customer_id: string; instance_id: string; day: LocalDate }
  /** Days of operator statements to be compared. */
  reconciliation_due: {
    customer_id: string
    statement_id: string
    instance_id: string
    day: LocalDate
    product: string
  }
  /** Connectors and days (UTC) whose sessions are to be counted; connector -1 is unknown. */
  charging_due: { customer_id: string; charger_id: string; evse_no: number; day: LocalDate }
}

type Table = { key: readonly string[]; renew: RawBuilder<unknown>; except?: RawBuilder<unknown> }

const tables: Record<keyof Marks, Table> = {
  settlement_due: {
    key: ['customer_id', 'instance_id', 'day'],
    renew: sql`mark = nextval('settlement_mark'), marked_at = now()`,
  },
  reconciliation_due: {
    key: ['customer_id', 'statement_id', 'instance_id', 'day', 'product'],
    renew: sql`marked_at = now()`,
  },
  charging_due: {
    key: ['customer_id', 'charger_id', 'evse_no', 'day'],
    renew: sql`marked = true`,
    // Meter values arrive every few seconds: an existing mark is not written again, and the job waits for all that may have seen it.
    except: sql`exists (select from charging_due m where m.customer_id = n.customer_id and m.charger_id = n.charger_id
      and m.evse_no = n.evse_no and m.day = n.day and m.marked)`,
  },
}

/** Marks work as due; the marks are written with the commit of the transaction, in one statement for each table. */
export const addMarks = <T extends keyof Marks>(tx: Tx, table: T, keys: readonly Marks[T][]): void => {
  const { marks } = getPending(tx)
  for (const key of keys) marks.push({ table, key })
}

/** In order of the key, so that two transactions with the same marks wait for one another and never in a circle. */
export const writeMarks = async (tx: Tx, pending: Pending): Promise<void> => {
  for (const [table, { key, renew, except }] of Object.entries(tables)) {
    const marks = pending.marks.filter((mark) => mark.table === table)
    if (marks.length === 0) continue
    const keys = new Set(marks.map((mark) => JSON.stringify(mark.key)))
    const columns = sql.join(key.map((column) => sql.ref(column)))
    await sql`
      insert into ${sql.table(table)} (${columns})
      select distinct ${columns} from json_populate_recordset(null::${sql.table(table)}, ${`[${[...keys].join()}]`}::json) n
      ${except ? sql`where not ${except}` : sql``} order by ${columns}
      on conflict (${columns}) do update set ${renew}`.execute(tx)
  }
}
