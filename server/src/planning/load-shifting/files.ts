import type { BacktestDetail } from '@gridmast/contract/planning/load-backtests.ts'
import type { PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { formatDate, localDateOf } from '@gridmast/contract/time.ts'
import type { PlanBill } from '@gridmast/contract/planning/load-plan-answer.ts'
import { Refusal } from '#platform/http/errors.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, fileDays, tableFile, type TableFile, skippedPages } from '#platform/files/table-file.ts'
import { roundDecimal } from '@gridmast/contract/numbers.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import { findFirsts, findPlanRows, type PlanHeadRow, savingOrder } from './queries.ts'
import { toHead } from './plan-detail.ts'

type Quarter = PlanDetail['quarters'][number]

const baselineNames = {
  immediate: 'Immediately, at full power',
  'weekday-profile': 'The same weekday of four weeks',
}

const billNames = {
  spot: 'Spot',
  tariff: 'Tariff',
  tax: 'Tax',
  capacity: 'Capacity tariff',
  reserve: 'Lost reserve revenue',
  stored: 'Energy left in the storage',
  total: 'Total',
} as const satisfies Record<keyof PlanBill, string>
const billParts = Object.keys(billNames) as (keyof PlanBill)[] // the keys of the object above

const billWords = (bill: PlanBill) => billParts.map((part) => `${billNames[part]} ${bill[part]}`).join('; ')

const billColumns = <Row>(title: string, billOf: (row: Row) => Partial<PlanBill> | undefined): Column<Row>[] =>
  billParts.map((part) =>
    column.dkk(title === '' ? billNames[part] : `${title}: ${billNames[part]}`, (row) => billOf(row)?.[part]),
  )

const kwhAt = (loads: readonly { wh: readonly number[] }[], q: number) =>
  loads.reduce((sum, { wh }) => sum + (wh[q] ?? 0), 0) / 1000

const price = (title: string, of: (quarter: Quarter) => string) => column.number(`${title} (DKK/MWh)`, 2, of)

export const planFile = (plan: PlanDetail): TableFile => {
  const { answer, quarters, measuredWh, names, sources } = plan
  if (!answer || !('plan' in answer)) throw new Refusal(409, m.planHasNoAnswer)
  const loads = answer.plan.loads.length > 1 ? answer.plan.loads : []
  const from = quarters[0] ? localDateOf(quarters[0].fromMs) : ''
  const name = {
    fileName: `Plan ${plan.target.name} ${from} version ${plan.version}`,
    sheet: 'Plan',
    about: {
      Load: plan.target.name,
      Version: String(plan.version),
      'Saved against baseline (DKK)': answer.savedDkk,
      'CO₂ saved (kg)': answer.savedKgCo2 ?? '',
      'Bill of the plan (DKK)': billWords(answer.plan.bill),
      'Bill of the baseline (DKK)': billWords(answer.baseline.bill),
      Baseline: baselineNames[plan.asked.baseline],
      'Source of prices': sourceLine(sources.spot),
      'Source of emission': sourceLine(sources.emission),
      ...(plan.simulated ? { Equipment: 'Simulated' } : {}),
    },
  }
  const columns: Column<Quarter>[] = [
    column.instant('Quarter', (quarter) => quarter.fromMs),
    price('Spot', (quarter) => quarter.spotDkkPerMwh),
    price('Tariff', (quarter) => quarter.tariffDkkPerMwh),
    price('Tax', (quarter) => quarter.taxDkkPerMwh),
    column.yesNo('Price is assumed', (quarter) => quarter.isAssumed),
    column.number('CO₂ (g/kWh)', 1, (quarter) => quarter.gCo2PerKwh),
    column.number('Other consumption (kW)', 1, (quarter) => quarter.otherKw),
    column.number('Sold (kW)', 1, (quarter) => quarter.soldKw),
    column.kwh('Plan', (_, q) => kwhAt(answer.plan.loads, q)),
    column.kwh('Baseline', (_, q) => kwhAt(answer.baseline.loads, q)),
    column.kwh('Measured', (_, q) => (typeof measuredWh[q] === 'number' ? measuredWh[q] / 1000 : null)),
    ...loads.map((load) => column.kwh<Quarter>(names[load.loadId] ?? load.loadId, (_, q) => kwhAt([load], q))),
  ]
  return tableFile(name, columns, quarters)
}

const wayNames = { plan: 'Plan', noPlan: 'No plan', cheapestHours: 'Cheapest hours' } as const
const backtestWays = ['plan', 'noPlan', 'cheapestHours'] as const

type BacktestRow = { month: string; way: string; bill: Partial<PlanBill>; kgCo2: string | null }

const backtestColumns: Column<BacktestRow>[] = [
  column.month('Month', (row) => row.month),
  column.text('Way', (row) => row.way),
  ...billColumns<BacktestRow>('', (row) => row.bill),
  column.number('Emission (kg CO2)', 3, (row) => row.kgCo2),
]

export const backtestFile = ({ target, result, byMonth, sources }: BacktestDetail): TableFile => {
  if (!result) throw new Refusal(409, m.backtestNotDone)
  const rows = byMonth.flatMap(({ month, bills, kgCo2, foresightDkk }): BacktestRow[] => [
    ...backtestWays.map((way) => ({ month, way: wayNames[way], bill: bills[way], kgCo2: kgCo2[way] })),
    { month, way: 'Perfect foresight', bill: foresightDkk === null ? {} : { total: foresightDkk }, kgCo2: null },
  ])
  const name = {
    fileName: `Backtest ${target.name} ${fileDays(result.first, result.last)}`,
    sheet: 'Backtest',
    about: {
      Load: target.name,
      Period: `${formatDate(result.first)} to ${formatDate(result.last)}`,
      Days: String(result.days),
      'Days with assumed prices': result.assumedDays.map(formatDate).join(', '),
      'Saved against no plan (DKK)': result.savedDkk,
      'Saved against the cheapest hours (DKK)': result.overCheapestHoursDkk,
      'Regret (DKK)': result.regretDkk ?? '',
      'CO₂ saved (kg)': result.savedKgCo2 ?? '',
      ...(sources ? { 'Source of prices': sourceLine(sources.spot) } : {}),
    },
  }
  return tableFile(name, backtestColumns, rows)
}

type SavingPage = { limit: number; skip: number } & Parameters<typeof savingOrder>[0]

export const findEntries = async (tx: Tx, customerId: string, page: SavingPage) => {
  const rows = await findPlanRows(tx, customerId, { ...page, isAccepted: true }, savingOrder(page))
  const firsts = await findFirsts(tx, customerId, rows)
  return rows.map((row) => {
    const first: PlanHeadRow = firsts.get(row.series_id) ?? row
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

export const totalOf = async (tx: Tx, customerId: string) => {
  const [row] = await sqlRows<{ plans: number; dkk: string; kg: string }>(tx)`
    select count(saving)::int as plans, coalesce(sum((saving ->> 'savedDkk')::numeric), 0)::text as dkk,
      coalesce(sum((saving ->> 'savedKgCo2')::numeric), 0)::text as kg
    from (select distinct on (series_id) saving from load_plan
      where customer_id = ${customerId} and accepted_at is not null order by series_id, version desc) last`
  const { plans = 0, dkk = '0', kg = '0' } = row ?? {}
  return { plans, savedDkk: roundDecimal(dkk, 2), savedKgCo2: roundDecimal(kg, 3) }
}

const endWords = {
  replanned: 'Recalculated',
  another: 'Replaced by another plan',
  'by-hand': 'Ended manually',
  over: 'Over',
}

const columns: Column<Entry>[] = [
  column.text('Load', ({ plan }) => plan.target.name),
  column.text('Version', ({ plan }) => plan.version),
  column.instant('From', ({ plan }) => plan.from),
  column.instant('To', ({ plan }) => plan.to),
  column.text('State', ({ plan }) => (plan.ended ? endWords[plan.ended.reason] : 'Followed')),
  column.text('Baseline', ({ asked }) => baselineNames[asked.baseline]),
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

export const ledgerFile = (own: Own['own'], sort: Parameters<typeof savingOrder>[0]): TableFile => {
  const name = {
    fileName: 'Savings of accepted plans',
    sheet: 'Savings',
    about: {
      Method: 'Measured consumption compared with the baseline stored before the plan was accepted',
      'Quarters without a measurement': 'Excluded on both sides',
    },
  }
  const entries = skippedPages<Entry>(({ limit, skip }) =>
    own((tx, customerId) => findEntries(tx, customerId, { ...sort, limit, skip })),
  )
  return tableFile(name, columns, entries)
}
