import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bidSlots, energyPriced } from '@gridmast/contract/bid-slots.ts'
import type { Sent } from '@gridmast/contract/call.ts'
import { bulkDownload } from '@gridmast/contract/grid/prices.ts'
import { signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import { type BidRequestForm, createBidRequest, findBidGates } from '@gridmast/contract/trading/bid-requests.ts'
import {
  addDays,
  addMonths,
  atLocalTime,
  datesBetween,
  dayBounds,
  hourMs,
  type LocalDate,
  minuteMs,
  type Span,
  today,
  weekday,
} from '@gridmast/contract/time.ts'
import { type Habit, habits as nordhavnHabits } from './habits.ts'
import { findInstances, type Portal } from './portal.ts'

/* Bids of each week: days that are closed for requests are imported by the operator, the others are requested in the portal. */

type Ask = Portal['ask']
type Week = { habit: Habit; monday: LocalDate }
type Part = Pick<BidRequestForm, 'startDate' | 'endDate' | 'excludedDays' | 'note' | 'capacity' | 'price'> & {
  regulationPrice: number[] | null
}
/** A line of `npm run import-bids`. */
type PastBids = Part & { instance: string; market: string; requestedAt: string }

const keyOf = ({ habit, monday }: Week) => `${habit.instance} ${habit.market} ${monday}`
export const mondayOf = (day: LocalDate): LocalDate => addDays(day, 1 - weekday(day))

/** On the Thursday before. */
const requestedMs = (monday: LocalDate) => atLocalTime(addDays(monday, -4), '09:10')

/** Newest first; the oldest has prices of the week before it. */
export const weeksOf = (habits: readonly Habit[], nowMs: number, priceDays: number): Week[] => {
  const weeks: Week[] = []
  const oldest = addDays(today(nowMs), 14 - priceDays)
  for (let monday = mondayOf(addDays(today(nowMs), 7)); monday >= oldest; monday = addDays(monday, -7))
    if (requestedMs(monday) <= nowMs) weeks.push(...habits.map((habit) => ({ habit, monday })))
  return weeks
}

const dkkPerEur = 7.46
/** Prices of a day by slot; null where none is published. */
export type PriceDays = ReadonlyMap<LocalDate, readonly (number | null)[]>

const meanOf = (values: readonly (number | null)[]): number | null => {
  const prices = values.filter((value) => value !== null)
  return prices.length === 0 ? null : prices.reduce((sum, price) => sum + price, 0) / prices.length
}

type PricesOf = (week: Week) => Promise<PriceDays>

/** Prices of the first auction of a market from 11 days before a Monday to its Sunday; a month is read once. */
const openPrices = (ask: Ask): PricesOf => {
  const months = new Map<string, Promise<PriceDays>>()
  const readMonth = async ({ market, area }: Habit, month: string): Promise<PriceDays> => {
    const days = datesBetween(`${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1))
    const [signal] = signalsOf(market, [area])
    if (!signal) return new Map()
    const first = signal.priceTypes.includes('D-2') ? { priceType: 'D-2' as const } : {}
    const query = { signal: signal._id, startDate: days[0] ?? '', endDate: days.at(-1) ?? '', ...first }
    const { prices } = await ask(bulkDownload, { query })
    const eurAt = new Map(prices.map(({ start_time, price }) => [Date.parse(start_time), Number(price) / dkkPerEur]))
    const meanOfSlot = ({ fromMs, toMs }: Span) =>
      meanOf(Array.from({ length: (toMs - fromMs) / hourMs }, (_, hour) => eurAt.get(fromMs + hour * hourMs) ?? null))
    return new Map(days.map((day) => [day, bidSlots(market, day).map(meanOfSlot)]))
  }
  return async ({ habit, monday }) => {
    const [first, last] = [addDays(monday, -11).slice(0, 7), addDays(monday, 6).slice(0, 7)]
    const days: [LocalDate, readonly (number | null)[]][] = []
    for (let month = first; month <= last; month = addMonths(month, 1)) {
      const key = `${habit.market} ${habit.area} ${month}`
      const read = months.get(key) ?? readMonth(habit, month)
      months.set(key, read)
      days.push(...(await read))
    }
    return new Map(days)
  }
}

/** Whether the prices that a week is bid by, and those of its past days, are published. */
const isPriced = (prices: PriceDays, { habit: { market }, monday }: Week, nowMs: number): boolean =>
  [...datesBetween(addDays(monday, -11), addDays(monday, -5)), ...datesBetween(monday, addDays(monday, 6))]
    .filter((day) => dayBounds(day).fromMs <= nowMs)
    .every((day) =>
      bidSlots(market, day).every(({ fromMs, toMs, index }) => toMs === fromMs || prices.get(day)?.[index] != null),
    )

/** A share of the mean price of the week before, at least `minEur`. */
const priceOf = ({ habit, monday }: Week, prices: PriceDays): number[] => {
  const days = datesBetween(addDays(monday, -11), addDays(monday, -5)).map((day) => prices.get(day) ?? [])
  return habit.mw.map((_, slot) => {
    const mean = meanOf(days.map((day) => day[slot] ?? null)) ?? 0
    return Math.max(habit.minEur ?? 0, Number((mean * habit.share).toFixed(2)))
  })
}

/** The days of a week before `openDay`, and those from it on; null for no day. */
export const partsOf = (week: Week, price: number[], openDay: LocalDate): { past: Part | null; open: Part | null } => {
  const { habit, monday } = week
  const excludedOfWeek = habit.excluded(monday)
  const part = (days: readonly LocalDate[]): Part | null => {
    const [startDate, endDate] = [days[0], days.at(-1)]
    const excludedDays = excludedOfWeek.filter(({ date }) => days.includes(date))
    if (!startDate || !endDate || excludedDays.length === days.length) return null
    const regulationPrice = energyPriced(habit.market) ? price.map((eur) => Number((eur + 60).toFixed(2))) : null
    const note = `${habit.note} (simuleret)`
    return { startDate, endDate, excludedDays, note, capacity: [...habit.mw], price, regulationPrice }
  }
  const days = datesBetween(monday, addDays(monday, 6))
  return { past: part(days.filter((day) => day < openDay)), open: part(days.filter((day) => day >= openDay)) }
}

/** Weeks by key: 'done', or the first open day that a started week was split by, so that a restart imports the same lines. */
type Progress = Record<string, string>

const openProgress = (folder: string) => {
  const file = join(folder, 'weekly-bids.json')
  mkdirSync(folder, { recursive: true })
  const progress = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Progress) : {} // written below
  return { progress, save: () => writeFileSync(file, JSON.stringify(progress)) }
}

const customer = 'nordhavn'

/** `npm run import-bids` as an operator runs it; throws its last line when it fails. */
const runImport = (tool: string, folder: string, lines: readonly PastBids[]): Promise<void> => {
  const file = resolve(folder, `bids-of-${customer}.ndjson`)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const child = spawn(process.execPath, [tool, 'import-bids', customer, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(errors.trim() || `exit code ${code}`))))
  })
}

export type ImportBids = (lines: readonly PastBids[]) => Promise<void>

type BidsOf = { habits: readonly Habit[]; nowMs: number; priceDays: number; progress: Progress; save: () => void }

/** Unpriced weeks of a habit after which older ones are not tried. */
const unpricedTried = 2

/** Places the weeks whose prices are published; returns how many were placed and how many are left. */
export const placeWeeks = async (ask: Ask, importBids: ImportBids, run: BidsOf) => {
  const { habits, nowMs, progress } = run
  const waiting = weeksOf(habits, nowMs, run.priceDays).filter((week) => progress[keyOf(week)] !== 'done')
  if (waiting.length === 0) return { placed: 0, left: 0 }
  const openDays = new Map<string, LocalDate>()
  for (const market of new Set(habits.map((habit) => habit.market)))
    openDays.set(market, (await ask(findBidGates, { query: { market } })).firstOpenDay)
  const instances = await findInstances(ask)
  const pricesOf = openPrices(ask)
  const unpriced = new Map<Habit, number>()
  const priced: { week: Week; past: Part | null; open: Part | null }[] = []
  for (const week of waiting) {
    const { habit } = week
    if ((unpriced.get(habit) ?? 0) >= unpricedTried) continue
    const prices = await pricesOf(week)
    if (!isPriced(prices, week, nowMs)) {
      unpriced.set(habit, (unpriced.get(habit) ?? 0) + 1)
      continue
    }
    const openDay = progress[keyOf(week)] ?? openDays.get(habit.market) ?? addDays(today(nowMs), 1)
    progress[keyOf(week)] = openDay
    priced.push({ week, ...partsOf(week, priceOf(week, prices), openDay) })
  }
  run.save()
  const lines = priced.flatMap(({ week: { habit, monday }, past }) => {
    const requestedAt = new Date(requestedMs(monday)).toISOString()
    return past ? [{ instance: habit.instance, market: habit.market, requestedAt, ...past }] : []
  })
  if (lines.length > 0) await importBids(lines)
  for (const { week, open } of priced) {
    const { market: biddingMarket, name } = week.habit
    if (open) {
      const { instanceId: groupId, licenceId: licenseId } = instances.get(name)
      const form = { licenseId, groupId, biddingMarket, customBidding: true }
      const body: Sent<typeof createBidRequest>['body'] = { ...form, ...open }
      // A request of a user for the same slots is kept.
      await ask(createBidRequest, { body }).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.includes(' 409 ')) throw error
      })
    }
    progress[keyOf(week)] = 'done'
  }
  run.save()
  return { placed: priced.length, left: waiting.length - priced.length }
}

const [roundMs, checkMs] = [8000, 10 * minuteMs]
/** A demo with few days of prices has weeks that are never priced. */
const fillsForMs = 40 * minuteMs

export const runWeeklyBids = async (
  signInExpert: () => Promise<Portal>,
  { tool, state, priceDays }: { tool: string; state: string; priceDays: number },
): Promise<never> => {
  const { progress, save } = openProgress(state)
  const habits = nordhavnHabits
  const importBids: ImportBids = (lines) => runImport(tool, state, lines)
  const placeDue = async ({ ask }: Portal): Promise<number> => {
    const run = { habits, nowMs: Date.now(), priceDays, progress, save }
    const { placed, left } = await placeWeeks(ask, importBids, run)
    if (placed > 0) console.log(`Bids of ${placed} weeks are placed, ${left} wait for their prices.`)
    return left
  }
  for (;;) {
    const endMs = Date.now() + fillsForMs
    for (let left = 1; left > 0 && Date.now() < endMs;)
      try {
        const portal = await signInExpert()
        while ((left = await placeDue(portal)) > 0 && Date.now() < endMs) await wait(roundMs)
        await portal.signOut()
      } catch (error) {
        console.error(`Weekly bids are not placed: ${error instanceof Error ? error.message : String(error)}`)
        await wait(roundMs)
      }
    const isDone = (week: Week) => progress[keyOf(week)] === 'done'
    do await wait(checkMs)
    while (weeksOf(habits, Date.now(), Math.min(14, priceDays)).every(isDone))
  }
}
