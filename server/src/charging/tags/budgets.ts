import type { BudgetForm, ChargingBudget } from '@gridmast/contract/charging/charging-budgets.ts'
import { addDecimals, compareDecimals, multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { localMonthOf, monthBounds } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import type { RowOf } from '#platform/records/rows.ts'
import { sessionWh } from '#charging/ledger/session-energy.ts'

type Budget = { dkk: string | null; kwh: string | null; warnPercent: number }

type Spent = { dkk: string; wh: string; whWithoutCost: string }

const noneSpent: Spent = { dkk: '0', wh: '0', whWithoutCost: '0' }
const addSpent = (a: Spent, b: Spent): Spent => ({
  dkk: addDecimals(a.dkk, b.dkk),
  wh: addDecimals(a.wh, b.wh),
  whWithoutCost: addDecimals(a.whWithoutCost, b.whWithoutCost),
})

export type BudgetRow = RowOf<'charger_tag', 'budget_dkk' | 'budget_kwh' | 'warn_percent'>

export const budgetOf = (row: BudgetRow): Budget | null =>
  row.budget_dkk === null && row.budget_kwh === null
    ? null
    : { dkk: row.budget_dkk, kwh: row.budget_kwh, warnPercent: row.warn_percent }

/** Used share of a budget in percent, exact and rounded down: 100 is spent and 99 is not. */
const shareOf = (spent: string, limit: string | null): number => {
  if (limit === null) return 0
  if (compareDecimals(spent, limit) >= 0) return 100
  const percent = Math.floor((Number(spent) / Number(limit)) * 100)
  // Float division: a whole percent is verified exactly.
  return compareDecimals(multiplyDecimals(spent, '100'), multiplyDecimals(limit, String(percent + 1))) >= 0
    ? percent + 1
    : percent
}

export const judge = (budget: Budget | null, spent: Spent = noneSpent): ChargingBudget => {
  if (!budget) return null
  const kwh = multiplyDecimals(spent.wh, '0.001')
  const percent = Math.max(shareOf(spent.dkk, budget.dkk), shareOf(kwh, budget.kwh))
  return {
    ...budget,
    percent,
    spentDkk: roundDecimal(spent.dkk, 2),
    spentKwh: roundDecimal(kwh, 3),
    kwhWithoutCost: roundDecimal(multiplyDecimals(spent.whWithoutCost, '0.001'), 3),
    state: percent >= 100 ? 'spent' : percent >= budget.warnPercent ? 'warned' : 'within',
  }
}

const sessionDkk = sql`coalesce(k.driver_dkk, k.spot_dkk + k.tariff_dkk + k.tax_dkk)`

/** Used share of the budget of a tag `t` in this month; null without a budget. */
export const usedShare = (nowMs: number) => {
  const { fromMs, toMs } = monthBounds(localMonthOf(nowMs))
  return sql`(select case when t.budget_dkk is not null or t.budget_kwh is not null then
      least(1, greatest(coalesce(sum(${sessionDkk}), 0) / t.budget_dkk, coalesce(sum(${sessionWh}), 0) / (1000 * t.budget_kwh))) end
    from charger_transaction s
      left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
    where s.customer_id = t.customer_id and s.tag_id = t.tag_id and not s.refused
      and s.started_at >= ${new Date(fromMs)} and s.started_at < ${new Date(toMs)})`
}

type SpendingRow = { tag_id: string; group_id: string | null; dkk: string; wh: string; wh_without_cost: string }

export const findSpending = async (
  tx: Tx,
  customerId: string,
  nowMs: number,
  only?: { tagId: string; groupId: string | null },
) => {
  const month = monthBounds(localMonthOf(nowMs))
  const [tagId, groupId] = [only?.tagId ?? null, only?.groupId ?? null]
  const rows = await sqlRows<SpendingRow>(tx)`
    select tag_id, group_id, coalesce(sum(dkk), 0)::text as dkk, coalesce(sum(wh), 0)::text as wh,
      coalesce(sum(wh) filter (where dkk is null), 0)::text as wh_without_cost
    from (
      select t.tag_id, t.group_id, ${sessionDkk} as dkk, ${sessionWh} as wh
      from charger_tag t
        join charger_transaction s on s.customer_id = t.customer_id and s.tag_id = t.tag_id
        left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
      where t.customer_id = ${customerId} and not s.refused
        and s.started_at >= ${new Date(month.fromMs)} and s.started_at < ${new Date(month.toMs)}
        and (${tagId}::uuid is null or t.tag_id = ${tagId} or t.group_id = ${groupId}::uuid)
    ) sessions group by tag_id, group_id`
  const [tags, groups] = [new Map<string, Spent>(), new Map<string, Spent>()]
  for (const row of rows) {
    const spent = { dkk: row.dkk, wh: row.wh, whWithoutCost: row.wh_without_cost }
    tags.set(row.tag_id, spent)
    if (row.group_id) groups.set(row.group_id, addSpent(groups.get(row.group_id) ?? noneSpent, spent))
  }
  return { tags, groups }
}
export type Spending = Awaited<ReturnType<typeof findSpending>>

export const isSpent = (
  spending: Spending,
  tag: { tagId: string; groupId: string | null; own: Budget | null; group: Budget | null },
): boolean =>
  judge(tag.own, spending.tags.get(tag.tagId))?.state === 'spent' ||
  (tag.groupId !== null && judge(tag.group, spending.groups.get(tag.groupId))?.state === 'spent')

export const budgetColumns = ({ budgetDkk, budgetKwh, warnPercent }: BudgetForm) => ({
  ...(budgetDkk === undefined ? {} : { budget_dkk: budgetDkk }),
  ...(budgetKwh === undefined ? {} : { budget_kwh: budgetKwh }),
  ...(warnPercent === undefined ? {} : { warn_percent: warnPercent }),
})
