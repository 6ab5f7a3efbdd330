import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { datesBetween, dayBounds, hourMs, localDateOf, minuteMs, type LocalDate } from '@gridmast/contract/time.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import type { App } from '#context.ts'
import type { Job } from '#platform/jobs.ts'
import { type Availability, availabilityOf } from './availability.ts'
import { directionOf, readDays } from './measured.ts'
import {
  type DayInputs,
  findDue,
  getWatermark,
  isTaken,
  keepRevisions,
  markEnded,
  markMeasured,
  type ProductBids,
  readInputs,
  removeSettlements,
  saveSettlements,
  saveWatermark,
  type SettlementRow,
  takeDue,
  type ValidContract,
} from './due-queries.ts'
import { type ActivatedEnergy, type SettledBid, settle } from './settle.ts'

/*
 * Settles the days of instances that bids, results, contracts or telemetry have marked, newest first. Whatever happens in between, a day is
 * settled from all that is stored of it: a run that died leaves its marks. Rules: settlement.md.
 */

/** A day is judged when it has been over for so long: edges send what they could not at once. */
const closesAfterMs = hourMs
/** Marks that move are left alone until they rest: a past that arrives in pieces is settled once. */
const quietMs = minuteMs
const daysAtOnce = 100
/** Samples of a version may be committed so long after later ones. */
const lookBackUs = 60_000_000

type From = Pick<App, 'records' | 'readings' | 'clock'>

const isOver = (day: LocalDate, nowMs: number) => dayBounds(day).toMs + closesAfterMs <= nowMs

/** kW sold in each hour of the day, over all auctions of a product. */
const soldKw = ({ bids }: ProductBids): Map<number, number> => {
  const sold = new Map<number, number>()
  for (const { fromMs, toMs, won, wonMw, capacityMw } of bids)
    if (won)
      for (let at = fromMs; at < toMs; at += hourMs)
        sold.set(at, (sold.get(at) ?? 0) + 1000 * Number(wonMw ?? capacityMw))
  return sold
}

const toInputs = (availability: Availability | null) =>
  availability && {
    ...{ isJudged: availability.isJudged, missingShare: availability.missingShare },
    notAvailable: [...availability.notAvailable].map(([atMs, reason]) => ({
      at: new Date(atMs).toISOString(),
      reason,
    })),
  }

/** What the amounts of a row come from, as it is stored. */
export type Inputs = {
  bids: SettledBid[]
  availability: ReturnType<typeof toInputs>
  energy: ActivatedEnergy[]
  contract: ValidContract | null
}

const settleProduct = (
  { due, contract }: DayInputs,
  of: ProductBids,
  availability: Availability | null,
  nowMs: number,
) => {
  const notAvailable = new Set(availability?.notAvailable.keys())
  const found = settle({ bids: of.bids, notAvailable, energy: [], contract })
  const inputs: Inputs = { bids: found.bids, availability: toInputs(availability), energy: [], contract }
  const { customer_id, instance_id, day } = due
  return {
    ...{ customer_id, instance_id, day, product: of.product, market: of.market, made_at: new Date(nowMs) },
    ...{ is_closed: availability !== null, is_result_fetched: found.isResultFetched, won_mw: found.wonMw },
    ...{ capacity_eur: found.capacityEur, penalty_eur: found.penaltyEur, gross_eur: found.grossEur },
    ...{ energy_eur: found.energyEur, customer_eur: found.shares?.customer ?? null },
    ...{ partner_eur: found.shares?.partner ?? null, sc_eur: found.shares?.sc ?? null },
    ...{ enablers: found.shares?.enablers ?? null, inputs },
    inputs_sha256: createHash('sha256').update(JSON.stringify(inputs)).digest('hex'),
  }
}

type Settled = ReturnType<typeof settleProduct>
type Change = { row: SettlementRow; isCorrection: boolean }

const changesOf = ({ stored }: DayInputs, settled: readonly Settled[]): Change[] =>
  settled.flatMap((row) => {
    const before = stored.find(({ product }) => product === row.product)
    if (before?.sha256 === row.inputs_sha256) return []
    // What was open or not published yet is no version of its own (decision 35).
    const isCorrection = before !== undefined && before.is_closed && before.is_result_fetched
    return { isCorrection, row: { ...row, version: (before?.version ?? 1) + (isCorrection ? 1 : 0) } }
  })

const isSold = ({ products }: DayInputs) =>
  products.some(({ bids }) => bids.some(({ won, wonMw }) => won && compareDecimals(wonMw ?? '1', '0') > 0))

const whole: Availability = { notAvailable: new Map(), missingShare: 0, isJudged: true }

/** Days of one instance. Only days that are over are judged, and of these only what was sold. */
const settleDays = async ({ readings }: From, days: readonly DayInputs[], nowMs: number) => {
  const judged = new Set(days.filter((of) => isOver(of.due.day, nowMs) && isSold(of)))
  const signals = days[0]?.signals ?? { power: null, capacityUp: null, capacityDown: null }
  const measured = await readDays(
    readings,
    signals,
    [...judged].map(({ due }) => dayBounds(due.day)),
  )
  const found: { of: DayInputs; changes: Change[] }[] = []
  for (const of of days) {
    const availabilityFor = (product: ProductBids): Availability | null => {
      if (!judged.has(of)) return isOver(of.due.day, nowMs) ? whole : null
      const day = measured(dayBounds(of.due.day), directionOf(product.product, product.market))
      return availabilityOf(day, soldKw(product))
    }
    const settled = of.products.map((product) => settleProduct(of, product, availabilityFor(product), nowMs))
    found.push({ of, changes: changesOf(of, settled) })
    await setImmediate() // others have their turn
  }
  return found
}

/** Answers how many days were looked at. */
const settleSome = async (app: From, quiet: number): Promise<number> => {
  const nowMs = app.clock.now()
  const all = await app.records.system(async (tx) =>
    readInputs(tx, await findDue(tx, { quietMs: quiet, most: daysAtOnce })),
  )
  const days: { of: DayInputs; changes: Change[] }[] = []
  for (const ofInstance of Map.groupBy(all, ({ due }) => due.instance_id).values())
    days.push(...(await settleDays(app, ofInstance, nowMs)))
  await app.records.system(async (tx) => {
    const taken = await takeDue(
      tx,
      all.map(({ due }) => due),
    )
    const mine = days.filter(({ of }) => isTaken(taken, of.due))
    const changes = mine.flatMap((day) => day.changes)
    const gone = mine.flatMap(({ of: { due, stored, products } }) =>
      stored
        .filter(({ product }) => products.every((other) => other.product !== product))
        .map(({ product }) => ({ ...due, product })),
    )
    const before = [...changes.filter(({ isCorrection }) => isCorrection).map(({ row }) => row), ...gone]
    if (before.length > 0) await keepRevisions(tx, before, new Date(nowMs))
    if (gone.length > 0) await removeSettlements(tx, gone)
    if (changes.length > 0)
      await saveSettlements(
        tx,
        changes.map(({ row }) => row),
      )
  })
  return all.length
}

/** What came of days that were settled. */
const markLate = async ({ records, readings, clock }: From): Promise<void> => {
  const known = await records.system(getWatermark)
  const nowUs = clock.now() * 1000
  if (known === null) return records.system((tx) => saveWatermark(tx, nowUs))
  const today = dayBounds(localDateOf(clock.now())).fromMs
  let newest = known
  const days = new Map<string, { no: number; day: LocalDate }>()
  for await (const { signalNo, fromMs, toMs, version } of readings.storedSince(known - lookBackUs)) {
    newest = Math.max(newest, version)
    if (fromMs >= today) continue
    for (const day of datesBetween(localDateOf(fromMs), localDateOf(Math.min(toMs, today) - 1)))
      days.set(`${signalNo} ${day}`, { no: signalNo, day })
  }
  await records.system(async (tx) => {
    if (days.size > 0) await markMeasured(tx, [...days.values()])
    await saveWatermark(tx, newest)
  })
}

export const settleDue = async (app: From, quiet = quietMs): Promise<void> => {
  await markLate(app)
  await app.records.system((tx) => markEnded(tx, localDateOf(app.clock.now() - closesAfterMs)))
  while ((await settleSome(app, quiet)) === daysAtOnce);
}

export const settlementsJob: Job<App> = {
  name: 'settlements',
  cron: '* * * * *',
  atStart: true,
  retries: 0,
  expireS: 3600,
  run: (app) => settleDue(app),
}
