import { bidSlots } from '@gridmast/contract/bid-slots.ts'
import { divideDecimal } from '@gridmast/contract/numbers.ts'
import { dayBounds, type LocalDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import type { ChartModel, ChartSeries } from '#ui/Chart/model.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import { type Line, sumOf } from './economics-words.ts'

/** A slot of the day, and the bid of one auction in it. */
export type SlotRow = { label: string; slot: number; fromMs: number; toMs: number; line: Line | null }

const rowOf = (line: Line): SlotRow => {
  const [fromMs, toMs] = [Date.parse(line.start), Date.parse(line.end)]
  return { label: slotLabel(fromMs, toMs), slot: line.slot, fromMs, toMs, line }
}

/** All slots of the day, those without a bid too; a slot of several periods has a row for each. Hour 02 of the day in March is left out. */
export const slotRowsOf = (market: string, date: LocalDate, lines: readonly Line[]): SlotRow[] => {
  const of = Map.groupBy(lines, ({ slot }) => slot)
  const slots = bidSlots(market, date)
  const empty = slots
    .filter(({ index, fromMs, toMs }) => !of.has(index) && fromMs < toMs)
    .map(({ index, label, fromMs, toMs }): SlotRow => ({ label, slot: index, fromMs, toMs, line: null }))
  const bid = lines.map((line) => {
    const own = slots[line.slot]
    const row = rowOf(line)
    return own && of.get(line.slot)?.length === 1 ? { ...row, label: own.label } : row
  })
  return [...empty, ...bid].toSorted((a, b) => a.fromMs - b.fromMs)
}

/** Bid tables show their slots in groups of 8 (specification text 1, section 9). */
const groupSize = 8
export const groupsOf = (rows: readonly SlotRow[]): SlotRow[][] =>
  Array.from({ length: Math.ceil(rows.length / groupSize) }, (_, i) => rows.slice(i * groupSize, (i + 1) * groupSize))

/** The mean of what is known; null where nothing is. */
export const meanOf = (prices: readonly (string | null)[]): string | null => {
  const known = prices.filter((price) => price !== null)
  return known.length > 0 ? divideDecimal(sumOf(known), known.length, 6) : null
}

/** Nothing where it was lost; null until it is known. */
export const wonMwOf = (line: Line | null): string | null =>
  line === null || line.won === null ? null : (line.wonMw ?? '0')

export type BiddingKind = 'price' | 'capacity'

/** The own bid as a dashed step beside what was published or won. */
export const biddingModel = (kind: BiddingKind, date: LocalDate, rows: readonly SlotRow[]): ChartModel => {
  const x = rows.map(({ fromMs }) => fromMs)
  const ends = rows.map(({ toMs }) => toMs)
  const unit = kind === 'price' ? '€/MW' : 'MW'
  // Drawn, never computed with.
  const number = (text: string | null | undefined) => (text === null || text === undefined ? null : Number(text))
  const series = (name: string, colour: ChartSeries['colour'], of: (line: Line) => string | null): ChartSeries => ({
    name,
    unit,
    kind: 'step',
    x,
    ends,
    colour,
    y: rows.map(({ line }) => (line ? number(of(line)) : null)),
  })
  const bid = series(t('Own bid'), 6, ({ bidEur, bidMw }) => (kind === 'price' ? bidEur : bidMw))
  const published =
    kind === 'price' ? series(t('Marginal price'), 1, ({ marginalEur }) => marginalEur) : series(t('Won'), 1, wonMwOf)
  return {
    series: [published, bid],
    span: dayBounds(date),
    unit,
    decimals: kind === 'price' ? 2 : 3,
    ...(kind === 'capacity' ? { fromZero: true } : {}),
  }
}
