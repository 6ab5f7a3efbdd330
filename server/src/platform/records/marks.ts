import type { LocalDate } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from './db-types.ts'
import { getPending, type Pending } from './pending.ts'

type Tx = Transaction<DB>

/* Tables of due work: a row is written in the transaction that causes it and deleted by the job that has done it. Flagging an existing row
   changes it, so that a job that read it earlier does not delete it. */

export type Marks = {
  settlement_due: { customer_id: string; instance_id: string; day: LocalDate }
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
    // Meter values arrive every few seconds: an existing row is not written again, and the job waits for transactions that may have seen it.
    except: sql`exists (select from charging_due m where m.customer_id = n.customer_id and m.charger_id = n.charger_id
      and m.evse_no = n.evse_no and m.day = n.day and m.marked)`,
  },
}

/** Flags work as due, written at the commit of the transaction, one statement per table. */
export const addMarks = <T extends keyof Marks>(tx: Tx, table: T, keys: readonly Marks[T][]): void => {
  const { marks } = getPending(tx)
  for (const key of keys) marks.push({ table, key })
}

/** Sorted by key, so that two transactions with equal keys wait for each other without a deadlock. */
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
