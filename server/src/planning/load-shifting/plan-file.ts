import type { BacktestDetail } from '@gridmast/contract/planning/load-backtests.ts'
import type { PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sourceLine } from '@gridmast/contract/source.ts'
import { formatDate, localDateOf } from '@gridmast/contract/time.ts'
import type { Bill } from '#planning/solver/plan.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Cell, Column, TableFile } from '#platform/files/table-file.ts'

/** A plan quarter by quarter, and a backtest month by month, as files. */

const kwh = (header: string): Column => ({ header: `${header} (kWh)`, numberFormat: '#,##0.000' })
const price = (header: string): Column => ({ header: `${header} (DKK/MWh)`, numberFormat: '#,##0.00' })
const dkk = (header: string): Column => ({ header: `${header} (DKK)`, numberFormat: '#,##0.00' })

const billNames = {
  spot: 'Spot',
  tariff: 'Tariff',
  tax: 'Tax',
  capacity: 'Capacity tariff',
  reserve: 'Lost reserve revenue',
  stored: 'Energy left in the storage',
  total: 'Total',
} as const satisfies Record<keyof Bill, string>
const billParts = Object.keys(billNames) as (keyof Bill)[] // the keys that are written above

const billWords = (bill: Bill) => billParts.map((part) => `${billNames[part]} ${bill[part]}`).join('; ')

/** A column for each part of a bill, and what stands in them. */
export const billColumns = (of: string): Column[] => billParts.map((part) => dkk(`${of}: ${billNames[part]}`))
export const numbersOf = (bill: Bill | undefined): (number | null)[] =>
  billParts.map((part) => (bill ? Number(bill[part]) : null))

const sumAt = (loads: readonly { wh: readonly number[] }[], q: number) =>
  loads.reduce((sum, { wh }) => sum + (wh[q] ?? 0), 0) / 1000

/** Each load has a column of its own where there are several. */
export const planFile = (plan: PlanDetail): TableFile => {
  const { answer, quarters, names, sources } = plan
  if (!answer || !('plan' in answer)) throw new Refusal(409, m.planHasNoAnswer)
  const loads = answer.plan.loads.length > 1 ? answer.plan.loads : []
  const from = quarters[0] ? localDateOf(quarters[0].fromMs) : ''
  const rows = quarters.map((one, q): Cell[] => {
    const measured = plan.measuredWh[q]
    return [
      new Date(one.fromMs),
      ...[one.spotDkkPerMwh, one.tariffDkkPerMwh, one.taxDkkPerMwh].map(Number),
      one.isAssumed ? 'Yes' : 'No',
      one.gCo2PerKwh,
      one.otherKw,
      one.soldKw,
      sumAt(answer.plan.loads, q),
      sumAt(answer.baseline.loads, q),
      typeof measured === 'number' ? measured / 1000 : null,
      ...loads.map(({ wh }) => (wh[q] ?? 0) / 1000),
    ]
  })
  return {
    fileName: `Plan ${plan.target.name} ${from} version ${plan.version}`,
    sheet: 'Plan',
    about: {
      Load: plan.target.name,
      Version: String(plan.version),
      'Saved against baseline (DKK)': answer.savedDkk,
      'CO₂ saved (kg)': answer.savedKgCo2 ?? '',
      'Bill of the plan (DKK)': billWords(answer.plan.bill),
      'Bill of the baseline (DKK)': billWords(answer.baseline.bill),
      Baseline: plan.asked.baseline === 'immediate' ? 'At once, at full power' : 'The same weekday of four weeks',
      'Source of prices': sourceLine(sources.spot),
      'Source of emission': sourceLine(sources.emission),
      ...(plan.simulated ? { Equipment: 'Simulated' } : {}),
    },
    columns: [
      { header: 'Quarter', holds: 'instants' },
      ...['Spot', 'Tariff', 'Tax'].map(price),
      { header: 'Price is assumed' },
      { header: 'CO₂ (g/kWh)', numberFormat: '#,##0.0' },
      ...['Other consumption (kW)', 'Sold (kW)'].map((header) => ({ header, numberFormat: '#,##0.0' })),
      ...['Plan', 'Baseline', 'Measured', ...loads.map(({ loadId }) => names[loadId] ?? loadId)].map(kwh),
    ],
    rows,
  }
}

const wayNames = { plan: 'Plan', noPlan: 'No plan', cheapestHours: 'Cheapest hours' } as const
const backtestWays = ['plan', 'noPlan', 'cheapestHours'] as const

/** A row for each month and way; what nobody could have stayed below has a total only. */
export const backtestFile = ({ target, result, byMonth, sources }: BacktestDetail): TableFile => {
  if (!result) throw new Refusal(409, m.backtestNotDone)
  const rows = byMonth.flatMap(({ month, bills, kgCo2, foresightDkk }): Cell[][] => [
    ...backtestWays.map((way): Cell[] => [
      month,
      wayNames[way],
      ...billParts.map((part) => Number(bills[way][part])),
      kgCo2[way] === null ? null : Number(kgCo2[way]),
    ]),
    [
      month,
      'Perfect foresight',
      ...billParts.slice(1).map(() => null),
      foresightDkk === null ? null : Number(foresightDkk),
      null,
    ],
  ])
  return {
    fileName: `Backtest ${target.name} ${result.first} ${result.last}`,
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
    columns: [
      { header: 'Month', holds: 'months' as const },
      { header: 'Way' },
      ...billParts.map((part) => dkk(billNames[part])),
      { header: 'Emission (kg CO2)', numberFormat: '#,##0.000' },
    ],
    rows,
  }
}
