import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { energyPriced } from '@gridmast/contract/bid-slots.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { dayBounds, hourMs, type LocalDate } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { type Availability, availabilityOf } from './availability.ts'
import {
  type Amounts,
  type DayInputs,
  energyPriceKey,
  type ProductBids,
  type SettlementRow,
  type ValidContract,
} from './due-queries.ts'
import { type ActivatedEnergy, type Energy, energyOf, type EnergyState } from './energy.ts'
import { directionOf, readDays } from './measured.ts'
import { type Asked, readSetPoints } from './set-points.ts'
import { type SettledBid, settle } from './settle.ts'

/** Settlements of an instance's days from all stored data, and their changes (rules: settlement.md). */

/** A day is judged this long after its end, because edges may send samples late. */
export const closesAfterMs = hourMs

const isOver = (day: LocalDate, nowMs: number) => dayBounds(day).toMs + closesAfterMs <= nowMs

export const soldKwOf = ({ bids }: Pick<ProductBids, 'bids'>): Map<number, number> => {
  const sold = new Map<number, number>()
  for (const { fromMs, toMs, won, wonMw, capacityMw } of bids)
    if (won)
      for (let at = fromMs; at < toMs; at += hourMs)
        sold.set(at, (sold.get(at) ?? 0) + 1000 * Number(wonMw ?? capacityMw))
  return sold
}

const toInputs = (availability: Availability | null) =>
  availability && {
    isJudged: availability.isJudged,
    missingShare: availability.missingShare,
    notAvailable: [...availability.notAvailable].map(([atMs, reason]) => ({
      at: new Date(atMs).toISOString(),
      reason,
    })),
  }

export type Inputs = {
  bids: SettledBid[]
  availability: ReturnType<typeof toInputs>
  energy: ActivatedEnergy[]
  contract: ValidContract | null
  unmeasuredQuarters?: number
}

type Judged = { availability: Availability; asked: ReadonlyMap<number, Asked> } | null

const stateOf = (market: string, judged: Judged, isResultFetched: boolean, energyEur: string | null): EnergyState => {
  if (!energyPriced(market)) return 'none'
  if (judged === null) return 'open'
  return isResultFetched && energyEur !== null ? 'known' : 'unknown'
}

const settleProduct = (of: DayInputs, product: ProductBids, judged: Judged, nowMs: number) => {
  const { due, contract, energyPrices } = of
  const energy: Energy | null =
    judged && energyPriced(product.market)
      ? energyOf({
          product: product.product,
          direction: directionOf(product.product, product.market),
          soldKw: soldKwOf(product),
          asked: judged.asked,
          priceAt: (series, atMs) => energyPrices.get(energyPriceKey(series, atMs)) ?? null,
        })
      : null
  const notAvailable = new Set(judged?.availability.notAvailable.keys())
  const found = settle({ bids: product.bids, notAvailable, energy, contract })
  const inputs: Inputs = {
    bids: found.bids,
    availability: toInputs(judged && judged.availability),
    energy: energy?.quarters ?? [],
    contract,
    ...(energy && { unmeasuredQuarters: energy.unmeasured }),
  }
  const state = stateOf(product.market, judged, found.isResultFetched, found.energyEur)
  const { customer_id, instance_id, day } = due
  return {
    customer_id,
    instance_id,
    day,
    product: product.product,
    market: product.market,
    made_at: new Date(nowMs),
    is_closed: judged !== null,
    is_result_fetched: found.isResultFetched,
    won_mw: found.wonMw,
    capacity_eur: found.capacityEur,
    penalty_eur: found.penaltyEur,
    gross_eur: found.grossEur,
    energy_eur: state === 'known' ? found.energyEur : null,
    energy_state: state,
    customer_eur: found.shares?.customer ?? null,
    partner_eur: found.shares?.partner ?? null,
    sc_eur: found.shares?.sc ?? null,
    enablers: found.shares?.enablers ?? null,
    inputs,
    inputs_sha256: createHash('sha256').update(JSON.stringify(inputs)).digest('hex'),
  }
}

type Settled = ReturnType<typeof settleProduct>
export type Change = { row: SettlementRow; isCorrection: boolean }

const amountsOf = (row: Settled): Amounts => ({
  capacity_eur: row.capacity_eur,
  penalty_eur: row.penalty_eur,
  gross_eur: row.gross_eur,
  customer_eur: row.customer_eur,
  partner_eur: row.partner_eur,
  sc_eur: row.sc_eur,
  enablers: row.enablers,
})

/** A change of an open or unpublished day is no new version (decision 35), nor is a change of an unknown energy alone. */
const isFinal = (before: DayInputs['stored'][number], row: Settled): boolean =>
  before.is_closed &&
  before.is_result_fetched &&
  (before.energy_state !== 'unknown' || !isDeepStrictEqual(before.amounts, amountsOf(row)))

const changesOf = ({ stored, replaced }: DayInputs, settled: readonly Settled[]): Change[] =>
  settled.flatMap((row) => {
    const before = stored.find(({ product }) => product === row.product)
    if (before?.sha256 === row.inputs_sha256) return []
    const isCorrection = before !== undefined && isFinal(before, row)
    // Version numbers continue when bids were removed for a while.
    const version = before ? before.version + (isCorrection ? 1 : 0) : (replaced.get(row.product) ?? 0) + 1
    return { isCorrection, row: { ...row, version } }
  })

const isSold = ({ products }: DayInputs) =>
  products.some(({ bids }) => bids.some(({ won, wonMw }) => won && compareDecimals(wonMw ?? '1', '0') > 0))

const isEnergySold = ({ products }: DayInputs) =>
  products.some(({ market, bids }) => energyPriced(market) && bids.some(({ won }) => won))

const whole: Availability = { notAvailable: new Map(), missingShare: 0, isJudged: true }

export type SettledDay = { of: DayInputs; changes: Change[] }

export const settleDays = async (
  { readings }: Pick<App, 'readings'>,
  days: readonly DayInputs[],
  nowMs: number,
): Promise<SettledDay[]> => {
  const judged = new Set(days.filter((of) => isOver(of.due.day, nowMs) && isSold(of)))
  const { setPoint = null, ...signals } = days[0]?.signals ?? { power: null, capacityUp: null, capacityDown: null }
  const spansOf = (some: readonly DayInputs[]) => some.map(({ due }) => dayBounds(due.day))
  const measured = await readDays(readings, signals, spansOf([...judged]))
  const paid = [...judged].filter(isEnergySold)
  const asked = await readSetPoints(
    ...([readings, setPoint, spansOf(paid)] as const),
    paid.flatMap(({ tests }) => tests),
  )
  const found: SettledDay[] = []
  for (const of of days) {
    const judgedOf = (product: ProductBids): Judged => {
      if (!judged.has(of)) return isOver(of.due.day, nowMs) ? { availability: whole, asked } : null
      const day = measured(dayBounds(of.due.day), directionOf(product.product, product.market))
      return { availability: availabilityOf(day, soldKwOf(product)), asked }
    }
    const settled = of.products.map((product) => settleProduct(of, product, judgedOf(product), nowMs))
    found.push({ of, changes: changesOf(of, settled) })
    await setImmediate()
  }
  return found
}
