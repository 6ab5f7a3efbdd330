import * as contract from '@gridmast/contract/planning/load-shifting.ts'
import { roundDecimal } from '@gridmast/contract/numbers.ts'
import { sql } from 'kysely'
import { route } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Own } from '#platform/http/route.ts'
import { rowPages, type Column, tableFile, type TableFile } from '#platform/files/table-file.ts'
import * as column from '#platform/files/columns.ts'
import { billColumns } from './plan-file.ts'
import { countPlans, findFirsts, findPlanRows, type PlanRow, savingOrder } from './queries.ts'
import { toHead } from './to-plan.ts'

type Page = { limit: number; skip: number } & Parameters<typeof savingOrder>[0]

const findEntries = async (tx: Tx, customerId: string, page: Page) => {
  const rows = await findPlanRows(tx, customerId, { ...page, isAccepted: true }, savingOrder(page))
  const firsts = await findFirsts(tx, customerId, rows)
  return rows.map((row) => {
    const first: PlanRow = firsts.get(row.series_id) ?? row
    const { from, to } = toHead(first)
    return {
      plan: { ...toHead(row), from, to },
      asked: first.asked,
      promisedDkk: first.saved_dkk,
      promisedOnAssumed: first.has_assumed,
      saving: row.saving,
    }
  })
}

type Entry = Awaited<ReturnType<typeof findEntries>>[number]

const totalOf = async (tx: Tx, customerId: string) => {
  const { rows } = await sql<{ plans: number; dkk: string; kg: string }>`
    select count(saving)::int as plans, coalesce(sum((saving ->> 'savedDkk')::numeric), 0)::text as dkk,
      coalesce(sum((saving ->> 'savedKgCo2')::numeric), 0)::text as kg
    from (select distinct on (series_id) saving from load_plan
      where customer_id = ${customerId} and accepted_at is not null order by series_id, version desc) last`.execute(tx)
  const { plans = 0, dkk = '0', kg = '0' } = rows[0] ?? {}
  return { plans, savedDkk: roundDecimal(dkk, 2), savedKgCo2: roundDecimal(kg, 3) }
}

const endWords = {
  replanned: 'Planned again',
  another: 'Replaced by another plan',
  'by-hand': 'Ended by hand',
  over: 'Over',
}

const columns: Column<Entry>[] = [
  column.text('Load', ({ plan }) => plan.target.name),
  column.text('Version', ({ plan }) => plan.version),
  column.instant('From', ({ plan }) => plan.from),
  column.instant('To', ({ plan }) => plan.to),
  column.text('State', ({ plan }) => (plan.ended ? endWords[plan.ended.reason] : 'Followed')),
  column.text('Baseline', ({ asked }) =>
    asked.baseline === 'immediate' ? 'At once, at full power' : 'The same weekday of four weeks',
  ),
  column.dkk('Planned saving', ({ promisedDkk }) => promisedDkk),
  column.dkk('Measured saving', ({ saving }) => saving?.savedDkk),
  column.number('CO₂ saved (kg)', 3, ({ saving }) => saving?.savedKgCo2),
  column.kwh('Baseline', ({ saving }) => saving?.baselineKwh),
  column.kwh('Measured', ({ saving }) => saving?.measuredKwh),
  column.number('Measured time (%)', 1, ({ saving }) => saving && saving.coverage * 100),
  column.yesNo('Baseline scaled', ({ saving }) => saving && saving.isScaled),
  ...billColumns<Entry>('Baseline', ({ saving }) => saving?.bills?.baseline),
  ...billColumns<Entry>('Measured', ({ saving }) => saving?.bills?.measured),
]

const ledgerFile = (own: Own['own'], sort: Parameters<typeof savingOrder>[0]): TableFile => {
  const name = {
    fileName: 'Savings of accepted plans',
    sheet: 'Savings',
    about: {
      Method: 'Measured consumption against the baseline that was written down before the plan was accepted',
      'Where it was not measured': 'A quarter counts on neither side',
    },
  }
  const entries = rowPages<Entry>(({ limit, skip }) =>
    own((tx, customerId) => findEntries(tx, customerId, { ...sort, limit, skip })),
  )
  return tableFile(name, columns, entries)
}

const savings = route(contract.planSavings, ({ own, query: { format, ...page } }) =>
  format
    ? Promise.resolve({ file: ledgerFile(own, page) })
    : own(async (tx, customerId) => ({
        savings: (await findEntries(tx, customerId, page)).map(({ asked: _, ...entry }) => entry),
        totalCount: await countPlans(tx, customerId, { isAccepted: true }),
        total: await totalOf(tx, customerId),
      })),
)

export const ledgerRoutes = [savings]
