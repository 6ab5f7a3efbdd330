import { datesBetween, dayBounds, localDateOf, type LocalDate, hourMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { workOnDue } from '#platform/jobs/due-work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { aroundMs, type Availability, availabilityOf } from './availability.ts'
import {
  type Due,
  findDue,
  getWatermark,
  keepRevisions,
  markEnded,
  markMeasured,
  postponeDue,
  readInputs,
  removeDue,
  removeSettlements,
  saveSettlements,
  saveWatermark,
  type DayInputs,
  energyPriceKey,
  type ProductBids,
} from './due-queries.ts'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { energyPriced } from '@gridmast/contract/bid-slots.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { type Energy, energyOf, type EnergyState } from './energy.ts'
import { directionOf, readDays, readSetPoints, type SetPoint } from './measured.ts'
import { type Amounts, type Inputs, settle, type SettlementRow } from './settle.ts'

/** Settlements of an instance's days from all stored data, and their changes (rules: settlement.md). */

/** A day is judged this long after its end, because edges may send samples late. */
const closesAfterMs = hourMs

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

type MeasuredDelivery = { availability: Availability; setPoints: ReadonlyMap<number, SetPoint> } | null

const stateOf = (
  market: string,
  judged: MeasuredDelivery,
  isResultFetched: boolean,
  energyEur: string | null,
): EnergyState => {
  if (!energyPriced(market)) return 'none'
  if (judged === null) return 'open'
  return isResultFetched && energyEur !== null ? 'known' : 'unknown'
}

type Calculated = Omit<SettlementRow, 'version'>

const settleProduct = (
  { due: { customer_id, instance_id, day }, contract, energyPrices }: DayInputs,
  { product, market, bids }: ProductBids,
  judged: MeasuredDelivery,
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

type Change = { row: SettlementRow; isCorrection: boolean }

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

type SettledDay = { inputs: DayInputs; changes: Change[] }

const settleDays = async ({ readings }: Pick<App, 'readings'>, days: readonly DayInputs[], nowMs: number) => {
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
    const judgedOf = (product: ProductBids): MeasuredDelivery => {
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

/*
 * Settles the days of instances that bids, results, contracts or telemetry have flagged as due, newest first. A day is always settled from all
 * its stored data, and a run that dies leaves its rows due. Rules: settlement.md.
 */

/** Rows wait until they are unchanged for this long: a past that arrives in pieces is settled once. */
const quietMs = 20_000
const daysAtOnce = 100
/** Samples of a version may be committed this long after later versions. */
const lookBackUs = 60_000_000

type Services = Pick<App, 'records' | 'readings' | 'clock' | 'log'>

const settleTogether = async (app: Services, due: readonly Due[]): Promise<number> => {
  const nowMs = app.clock.now()
  const inputs = await app.records.system((tx) => readInputs(tx, due))
  const days: SettledDay[] = []
  for (const ofInstance of Map.groupBy(inputs, (day) => day.due.instance_id).values())
    days.push(...(await settleDays(app, ofInstance, nowMs)))
  await app.records.system(async (tx) => {
    const claimed = new Set(await removeDue(tx, due))
    const settled = days.filter((day) => claimed.has(day.inputs.due))
    const changes = settled.flatMap((day) => day.changes)
    const rows = changes.map(({ row }) => row)
    const orphaned = settled.flatMap(({ inputs: { due: day, stored, products } }) =>
      stored
        .filter(({ product }) => products.every((other) => other.product !== product))
        .map(({ product }) => ({ ...day, product })),
    )
    const replaced = [...changes.filter(({ isCorrection }) => isCorrection).map(({ row }) => row), ...orphaned]
    if (replaced.length > 0) await keepRevisions(tx, replaced, new Date(nowMs))
    if (orphaned.length > 0) await removeSettlements(tx, orphaned)
    if (rows.length > 0) await saveSettlements(tx, rows)
  })
  return due.length
}

const markLate = async ({ records, readings, clock }: Services): Promise<void> => {
  const watermark = await records.system(getWatermark)
  const nowUs = clock.now() * 1000
  if (watermark === null) return records.system((tx) => saveWatermark(tx, nowUs))
  const today = dayBounds(localDateOf(clock.now())).fromMs
  let newest = watermark
  const days = new Map<string, { no: number; day: LocalDate }>()
  for await (const { signalNo, fromMs, toMs, version } of readings.storedSince(watermark - lookBackUs)) {
    newest = Math.max(newest, version)
    const [first, end] = [fromMs - aroundMs, Math.min(toMs + aroundMs, today)]
    if (first >= today) continue
    for (const day of datesBetween(localDateOf(first), localDateOf(end - 1)))
      days.set(`${signalNo} ${day}`, { no: signalNo, day })
  }
  await records.system(async (tx) => {
    if (days.size > 0) await markMeasured(tx, [...days.values()])
    await saveWatermark(tx, newest)
  })
}

export const settleDue = async (app: Services, quiet = quietMs): Promise<void> => {
  await markLate(app)
  await app.records.system((tx) => markEnded(tx, localDateOf(app.clock.now() - closesAfterMs)))
  await workOnDue(daysAtOnce, {
    find: () => app.records.system((tx) => findDue(tx, { quietMs: quiet, most: daysAtOnce })),
    work: (some) => settleTogether(app, some),
    // A day that cannot be settled (a number that is absurd) delays no other.
    failed: (one, error) => {
      app.log.error({ err: error, instance: one.instance_id, day: one.day }, 'day not settled')
      return app.records.system((tx) => postponeDue(tx, one))
    },
  })
}

export const settlementsJob: Job<App> = {
  name: 'settlements',
  cron: '* * * * *',
  after: 'decide-bids',
  atStart: true,
  retries: 0,
  run: (app) => settleDue(app),
}
