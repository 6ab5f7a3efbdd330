import type * as contract from '@gridmast/contract/planning/load-backtests.ts'
import { sql, type Updateable } from 'kysely'
import { byName, orderBy, type Sort } from '#platform/http/list-query.ts'
import type { LoadBacktest } from '#platform/records/db-types.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, type RowOf, selectRows, updateRows } from '#platform/records/rows.ts'
import { idsOf, targetOf } from './queries.ts'

type BacktestHead = Omit<RowOf<'load_backtest'>, 'asked' | 'state' | 'reason' | 'result' | 'detail' | 'seen_at'> & {
  asked: contract.BacktestForm
  state: contract.Backtest['state']
  reason: contract.Backtest['reason']
  result: contract.BacktestResult | null
}
export type Detail = Pick<contract.BacktestDetail, 'byMonth' | 'sources'>
export type BacktestRow = BacktestHead & { detail: Detail | null }

export const toBacktest = (row: BacktestHead): contract.Backtest => ({
  _id: row.backtest_id,
  target: targetOf(row),
  state: row.state,
  period: row.asked.period,
  done: row.done,
  of: row.days,
  cancelAsked: row.cancel_asked,
  reason: row.reason,
  result: row.result,
  madeAt: row.made_at.toISOString(),
  madeBy: row.made_by_name,
  finishedAt: row.finished_at?.toISOString() ?? null,
})

export const toDetail = (row: BacktestRow): contract.BacktestDetail => ({
  ...toBacktest(row),
  asked: row.asked,
  ...(row.detail ?? { byMonth: [], sources: null }),
})

const ofLoad = (loadId: string | undefined) =>
  loadId === undefined ? sql`` : sql`and ${loadId}::uuid in (instance_id, site_id, charger_id)`

const ofResult = (name: string) => sql`(result ->> ${sql.lit(name)})::numeric`
const sortColumns = {
  target: byName(sql`name`),
  period: sql`asked ->> 'period'`,
  state: sql`array_position(array['queued', 'running', 'done', 'cancelled', 'failed'], state)`,
  saved: ofResult('savedDkk'),
  rule: ofResult('overCheapestHoursDkk'),
  regret: ofResult('regretDkk'),
  madeAt: sql`made_at`,
  madeBy: byName(sql`made_by_name`),
}

type Page = { limit: number; skip: number; loadId?: string | undefined } & Sort<keyof typeof sortColumns>

export const findBacktestRows = async (tx: Tx, customerId: string, { limit, skip, loadId, ...sort }: Page) =>
  sqlRows<BacktestHead>(tx)`
      select customer_id, backtest_id, instance_id, site_id, charger_id, name, asked, state, cancel_asked, reason, done, days, tries, result,
        made_by_name, made_at, finished_at
      from load_backtest where customer_id = ${customerId} ${ofLoad(loadId)} order by ${orderBy(sort, sortColumns, sql`made_at desc, backtest_id`)} limit ${limit} offset ${skip}`

export const countBacktests = async (tx: Tx, customerId: string, loadId?: string) => {
  const [row] = await sqlRows<{ total: number; open: number }>(tx)`
    select count(*)::int as total, count(*) filter (where state in ('queued', 'running'))::int as open
    from load_backtest where customer_id = ${customerId} ${ofLoad(loadId)}`
  return row ?? { total: 0, open: 0 }
}

export const readBacktest = async (tx: Tx, customerId: string, backtestId: string, isLocked = false) => {
  const query = selectRows(tx, customerId, 'load_backtest', { backtest_id: backtestId }).selectAll()
  const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst()
  return row as unknown as BacktestRow | undefined // its JSON is written by this domain only
}

/** Compare and set: false where the row has changed since the caller read it. */
export const changeBacktest = async (
  tx: Tx,
  { customer_id, backtest_id, state, tries }: Pick<BacktestHead, 'customer_id' | 'backtest_id' | 'state' | 'tries'>,
  change: Updateable<LoadBacktest>,
): Promise<boolean> => {
  const { numUpdatedRows } = await updateRows(tx, customer_id, 'load_backtest', { backtest_id, state, tries })
    .set(change)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type NewBacktest = {
  backtestId: string
  name: string
  asked: contract.BacktestForm
  madeByName: string
  nowMs: number
}

export const addBacktest = async (
  tx: Tx,
  customerId: string,
  { backtestId, name, asked, madeByName, nowMs }: NewBacktest,
): Promise<void> => {
  await insertRow(tx, customerId, 'load_backtest', {
    backtest_id: backtestId,
    ...idsOf(asked),
    name,
    state: 'queued',
    asked: JSON.stringify(asked),
    made_by_name: madeByName,
    made_at: new Date(nowMs),
  }).execute()
  rowChanged(tx, 'load-backtest', backtestId)
}

/** The longest waiting backtest, each company's first before any second; one without a heartbeat for `diedAfterMs` is restarted. */
export const claimNextBacktest = async (tx: Tx, nowMs: number, diedBeforeMs: number) => {
  const [next] = await sqlRows<{ customer_id: string; backtest_id: string }>(tx)`
    select customer_id, backtest_id from load_backtest b
    where state = 'queued' or (state = 'running' and seen_at < ${new Date(diedBeforeMs)})
    order by (select count(*) from load_backtest o where o.customer_id = b.customer_id and o.state in ('queued', 'running')
      and (o.made_at, o.backtest_id) < (b.made_at, b.backtest_id)), made_at, backtest_id
    limit 1 for update skip locked`
  const row = next && (await readBacktest(tx, next.customer_id, next.backtest_id))
  if (!row) return undefined
  const claimed = { state: 'running', tries: row.tries + 1, done: 0 } as const
  await changeBacktest(tx, row, { ...claimed, seen_at: new Date(nowMs) })
  return { ...row, ...claimed }
}
