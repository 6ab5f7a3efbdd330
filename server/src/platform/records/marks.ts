import type { LocalDate } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from './db-types.ts'
import { getPending, type Pending } from './pending.ts'

type Tx = Transaction<DB>

/* Tables of due work: a row is written in the transaction that causes it and deleted by the job that has done it.
   Flagging an existing row changes it, so that a job that read it earlier does not delete it. */

export type Marks = {
  /** Days per instance to settle. */
  settlement_due: { customer_id: string; instance_id: string; day: LocalDate }
  /** Days per operator statement to compare. */
  reconciliation_due: {
    customer_id: string
    statement_id: string
    instance_id: string
    day: LocalDate
    product: string
  }
  /** Days (UTC) per connector whose sessions are to be counted; `evse_no` -1 is an unknown connector. */
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
    // Meter values arrive every few seconds: an existing row is not written again, and the job waits for transactions
    // that may have seen it.
    except: sql`exists (select from charging_due m where m.customer_id = n.customer_id and m.charger_id = n.charger_id
      and m.evse_no = n.evse_no and m.day = n.day and m.marked)`,
  },
}

const names = ['settlement_due', 'reconciliation_due', 'charging_due'] as const

/** Marks work as due; the marks are written with the commit of the transaction, in one statement for each table. */
export const addMarks = <T extends keyof Marks>(tx: Tx, table: T, keys: readonly Marks[T][]): void => {
  const { marks } = getPending(tx)
  for (const key of keys) marks.push({ table, key })
}

/** Marks for the rows of a query, in order of the key, so that two transactions with the same marks wait for one another and never in a circle. */
export const insertMarks = (name: keyof Marks, rows: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { key, renew, except } = tables[name]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  return sql`
    insert into ${sql.table(name)} (${columns})
    select distinct ${columns} from ${rows} n ${except ? sql`where not ${except}` : sql``} order by ${columns}
    on conflict (${columns}) do update set ${renew}`
}

export const writeMarks = async (tx: Tx, pending: Pending): Promise<void> => {
  for (const table of names) {
    const marks = pending.marks.filter((mark) => mark.table === table)
    if (marks.length === 0) continue
    const keys = new Set(marks.map((mark) => JSON.stringify(mark.key)))
    const rows = sql`json_populate_recordset(null::${sql.table(table)}, ${`[${[...keys].join()}]`}::json)`
    await insertMarks(table, rows).execute(tx)
  }
}
