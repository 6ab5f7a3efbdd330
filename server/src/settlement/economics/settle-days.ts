import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { energyPriced } from '@gridmast/contract/bid-slots.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { dayBounds, hourMs, type LocalDate } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { type Availability, availabilityOf } from './availability.ts'
import { type DayInputs, energyPriceKey, type ProductBids } from './due-queries.ts'
import { type Energy, energyOf, type EnergyState } from './energy.ts'
import { directionOf, readDays, readSetPoints, type SetPoint } from './measured.ts'
import { type Amounts, type Inputs, settle, type SettlementRow } from './settle.ts'

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

const toInputs = (availability: Availability | null): Inputs['availability'] =>
  availability && {
    isJudged: availability.isJudged,
    missingShare: availability.missingShare,
    notAvailable: [...availability.notAvailable].map(([atMs, reason]) => ({
      at: new Date(atMs).toISOString(),
      reason,
    })),
  }

type Judged = { availability: Availability; setPoints: ReadonlyMap<number, SetPoint> } | null

const stateOf = (market: string, judged: Judged, isResultFetched: boolean, energyEur: string | null): EnergyState => {
  if (!energyPriced(market)) return 'none'
  if (judged === null) return 'open'
  return isResultFetched && energyEur !== null ? 'known' : 'unknown'
}

type Calculated = Omit<SettlementRow, 'version'>

const settleProduct = (
  { due: { customer_id, instance_id, day }, contract, energyPrices }: DayInputs,
  { product, market, bids }: ProductBids,
  judged: Judged,
  nowMs: number,
): Calculated => {
  const soldKw = soldKwOf({ bids })
  const energy: Energy | null =
    judged && energyPriced(market)
      ? energyOf({
          product,
          direction: directionOf(product, market),
          soldKw,
          setPoints: judged.setPoints,
          priceAt: (series, atMs) => energyPrices.get(energyPriceKey(series, atMs)) ?? null,
        })
      : null
  const notAvailable = new Set(judged?.availability.notAvailable.keys())
  const { bids: settledBids, ...settled } = settle({ bids, notAvailable, energy, contract })
  const inputs: Inputs = {
    bids: settledBids,
    availability: toInputs(judged && judged.availability),
    energy: energy?.quarters ?? [],
    contract,
    ...(energy && { unmeasuredQuarters: energy.unmeasured }),
  }
  const energy_state = stateOf(market, judged, settled.is_result_fetched, settled.energy_eur)
  return {
    customer_id,
    instance_id,
    day,
    product,
    market,
    made_at: new Date(nowMs),
    is_closed: judged !== null,
    ...settled,
    energy_eur: energy_state === 'known' ? settled.energy_eur : null,
    energy_state,
    inputs,
    inputs_sha256: createHash('sha256').update(JSON.stringify(inputs)).digest('hex'),
  }
}

export type Change = { row: SettlementRow; isCorrection: boolean }

const amountsOf = (row: Amounts): Amounts => ({
  capacity_eur: row.capacity_eur,
  penalty_eur: row.penalty_eur,
  gross_eur: row.gross_eur,
  customer_eur: row.customer_eur,
  partner_eur: row.partner_eur,
  sc_eur: row.sc_eur,
  enablers: row.enablers,
})

/** A change of an open or unpublished day is no new version (decision 35), nor is a change of an unknown energy alone. */
const isFinal = (before: DayInputs['stored'][number], row: Calculated): boolean =>
  before.is_closed &&
  before.is_result_fetched &&
  (before.energy_state !== 'unknown' || !isDeepStrictEqual(before.amounts, amountsOf(row)))

const changesOf = ({ stored, replaced }: DayInputs, calculated: readonly Calculated[]): Change[] =>
  calculated.flatMap((row) => {
    const before = stored.find(({ product }) => product === row.product)
    if (before?.inputs_sha256 === row.inputs_sha256) return []
    const isCorrection = before !== undefined && isFinal(before, row)
    // Version numbers continue when bids were removed for a while.
    const version = before ? before.version + (isCorrection ? 1 : 0) : (replaced.get(row.product) ?? 0) + 1
    return { isCorrection, row: { ...row, version } }
  })

const isSold = ({ products }: DayInputs) =>
  products.some(({ bids }) => bids.some(({ won, wonMw }) => won && compareDecimals(wonMw ?? '1', '0') > 0))

const isEnergySold = ({ products }: DayInputs) =>
  products.some(({ market, bids }) => energyPriced(market) && bids.some(({ won }) => won))

const fullyAvailable: Availability = { notAvailable: new Map(), missingShare: 0, isJudged: true }

export type SettledDay = { inputs: DayInputs; changes: Change[] }

/** Days of one instance. */
export const settleDays = async (
  { readings }: Pick<App, 'readings'>,
  days: readonly DayInputs[],
  nowMs: number,
): Promise<SettledDay[]> => {
  const judged = new Set(days.filter((day) => isOver(day.due.day, nowMs) && isSold(day)))
  const { setPoint = null, ...signals } = days[0]?.signals ?? { power: null, capacityUp: null, capacityDown: null }
  const spansOf = (some: readonly DayInputs[]) => some.map(({ due }) => dayBounds(due.day))
  const measured = await readDays(readings, signals, spansOf([...judged]))
  const paid = [...judged].filter(isEnergySold)
  const tests = paid.flatMap((day) => day.tests)
  const setPoints = await readSetPoints(readings, setPoint, spansOf(paid), tests)
  const settled: SettledDay[] = []
  for (const inputs of days) {
    const { day } = inputs.due
    const judgedOf = (product: ProductBids): Judged => {
      if (!judged.has(inputs)) return isOver(day, nowMs) ? { availability: fullyAvailable, setPoints } : null
      const ofDay = measured(dayBounds(day), directionOf(product.product, product.market))
      return { availability: availabilityOf(ofDay, soldKwOf(product)), setPoints }
    }
    const rows = inputs.products.map((product) => settleProduct(inputs, product, judgedOf(product), nowMs))
    settled.push({ inputs, changes: changesOf(inputs, rows) })
    await setImmediate()
  }
  return settled
}
