import { createHash } from 'node:crypto'
import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import {
  addDays,
  addMonths,
  datesBetween,
  formatDate,
  localDateOf,
  type LocalDate,
  localMonthOf,
  type LocalMonth,
  minuteMs,
  monthBounds,
} from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { idOf } from '#platform/ids.ts'
import type { Job } from '#platform/jobs.ts'
import type { Tx } from '#platform/records.ts'
import { compareDay, type Settlement, type StatementRow, type Theirs } from './compare.ts'
import { findDaySettlements } from './day-queries.ts'
import { addStatement, type DayLine } from './queries.ts'

/**
 * A demo's statement of the operator for the last month: most of it agrees, and of each cause of a difference there are some. It is made of what
 * is settled, once the month is, and only where nobody has taken or removed a statement by hand.
 */

const restMs = 5 * minuteMs
type Span = { first: LocalDate; last: LocalDate }

type DemoApp = Pick<App, 'records' | 'clock' | 'config' | 'log'>

const whole = { starts: [], slot: null }
const unsaid: Theirs = {
  mw: null,
  priceEur: null,
  availability: null,
  share: null,
  grossEur: null,
  customerEur: null,
}

/** What the operator says otherwise: a factor of one figure, or of the amount alone. */
const others = [
  { mw: '0.9' },
  { priceEur: '0.97' },
  { availability: '0.95' },
  { share: '0.98' },
  { customerEur: '1.02' },
] as const satisfies Partial<Record<keyof Theirs, string>>[]
/** One row in so many, and after all of these one is left out. */
const every = 7

/** The row of a day as the settlement has it, with what the `n`th one says otherwise; null where it is left out, or was worth nothing. */
const rowOf = (settlement: Settlement, n: number): Theirs | null => {
  const [line] = compareDay([{ row: 0, auction: null, period: whole, theirs: unsaid }], settlement, 'customer')
  const { mw, priceEur, availability, share } = line?.ours ?? {}
  if (!line?.oursEur || !mw || !priceEur || !availability || !share) return null
  const nth = n % every === every - 1 ? Math.floor(n / every) % (others.length + 1) : null
  if (nth === others.length) return null
  const said: Partial<Record<keyof Theirs, string>> = nth === null ? {} : (others[nth] ?? {})
  const times = (field: keyof Theirs, text: string, decimals: number) =>
    roundDecimal(multiplyDecimals(text, said[field] ?? '1'), decimals)
  const figures = {
    mw: times('mw', mw, 3),
    priceEur: times('priceEur', priceEur, 6),
    availability: times('availability', multiplyDecimals(availability, '0.01'), 6),
    share: times('share', multiplyDecimals(share, '0.01'), 6),
  }
  const amount = [figures.priceEur, figures.availability, figures.share].reduce(multiplyDecimals, figures.mw)
  return {
    ...figures,
    grossEur: null,
    customerEur: nth === null ? line.oursEur : times('customerEur', amount, 2),
  }
}

/** Products of a month, once nothing of it has been settled for a while: a demo's past comes week by week. Null before. */
const findSettled = async (
  tx: Tx,
  customerId: string,
  { first, last }: Span,
  nowMs: number,
): Promise<string[] | null> => {
  const { rows } = await sql<{
    all: number
    final: number
    days: number
    newest: Date | null
    products: string[] | null
  }>`
    select count(*)::int as all, count(*) filter (where is_closed and is_result_fetched)::int as final, count(distinct day)::int as days,
      max(made_at) as newest, array_agg(distinct product) as products
    from settlement where customer_id = ${customerId} and day between ${first}::date and ${last}::date`.execute(tx)
  const [found] = rows
  if (!found?.newest || !found.products || found.newest.getTime() > nowMs - restMs) return null
  return found.days >= 20 && found.final >= 0.9 * found.all ? found.products : null
}

const isUntouched = async (tx: Tx, customerId: string): Promise<boolean> => {
  const taken = tx.selectFrom('operator_statement').select('statement_id').where('customer_id', '=', customerId)
  const done = tx
    .selectFrom('audit_entry')
    .select('entry_no')
    .where('customer_id', '=', customerId)
    .where('action', 'like', 'reconciliation.%')
  return !(await taken.executeTakeFirst()) && !(await done.limit(1).executeTakeFirst())
}

const plant = async (tx: Tx, customerId: string, month: LocalMonth, nowMs: number): Promise<boolean> => {
  const { fromMs, toMs } = monthBounds(month)
  const span = { first: localDateOf(fromMs), last: addDays(localDateOf(toMs), -1) }
  if (!(await isUntouched(tx, customerId))) return false
  const products = await findSettled(tx, customerId, span, nowMs)
  if (!products) return false
  const lines: DayLine[] = []
  let [n, row] = [0, 1]
  for (const day of datesBetween(span.first, span.last))
    for (const { settlement, ...of } of await findDaySettlements(tx, customerId, day, products)) {
      if (!Number(settlement.customerEur)) continue
      const theirs = rowOf(settlement, n++)
      const rows: StatementRow[] = theirs ? [{ row: ++row, auction: null, period: whole, theirs }] : []
      lines.push(...compareDay(rows, settlement, 'customer').map((line) => ({ ...line, ...of })))
    }
  const name = `Afregning ${formatDate(fromMs)} – ${formatDate(toMs - 1)} (simuleret).csv`
  await addStatement(
    tx,
    {
      customer_id: customerId,
      statement_id: idOf('demo statement', customerId, month),
      name,
      products,
      sha256: createHash('sha256').update(JSON.stringify(lines)).digest(),
      columns: {},
      compares: 'customer',
      taken_at: new Date(nowMs),
      taken_by: 'Gridmast',
      first_day: span.first,
      last_day: span.last,
      left_out: 0,
    },
    lines.map((line, i) => ({ ...line, lineId: idOf('demo statement', customerId, month, String(i)) })),
  )
  return true
}

export const plantStatements = async ({ records, clock, log }: DemoApp): Promise<void> => {
  const nowMs = clock.now()
  const month = addMonths(localMonthOf(nowMs), -1)
  const customers = await records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('demo', '=', true).execute(),
  )
  for (const { customer_id } of customers)
    if (await records.tenant(customer_id, (tx) => plant(tx, customer_id, month, nowMs)))
      log.info({ month }, 'statement of the operator is made')
}

export const demoStatementJob: Job<App> = {
  name: 'demo-statement',
  cron: '*/5 * * * *',
  atStart: true,
  retries: 0,
  run: async (app) => void (app.config.demo && (await plantStatements(app))),
}
