import { bidSlots } from '@gridmast/contract/bid-slots.ts'
import { divideDecimal } from '@gridmast/contract/numbers.ts'
import { dayBounds, type LocalDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import type { ChartModel, ChartSeries } from '#ui/Chart/model.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import { type Line, sumOf } from './economics-words.ts'

export type SlotRow = { label: string; slot: number; fromMs: number; toMs: number; line: Line | null }

const rowOf = (line: Line): SlotRow => {
  const [fromMs, toMs] = [Date.parse(line.start), Date.parse(line.end)]
  return { label: slotLabel(fromMs, toMs), slot: line.slot, fromMs, toMs, line }
}

/** All slots of the day, also those without a bid; hour 02 of the day in March has no row. */
export const slotRowsOf = (market: string, date: LocalDate, lines: readonly Line[]): SlotRow[] => {
  const of = Map.groupBy(lines, ({ slot }) => slot)
  const slots = bidSlots(market, date)
  const empty = slots
    .filter(({ index, fromMs, toMs }) => !of.has(index) && fromMs < toMs)
    .map(({ index, label, fromMs, toMs }): SlotRow => ({ label, slot: index, fromMs, toMs, line: null }))
  const bid = lines.map((line) => {
    const slot = slots[line.slot]
    const row = rowOf(line)
    return slot && of.get(line.slot)?.length === 1 ? { ...row, label: slot.label } : row
  })
  return [...empty, ...bid].toSorted((a, b) => a.fromMs - b.fromMs)
}

/** Bid tables show their slots in groups of 8 (specification text 1, section 9). */
const groupSize = 8
export const groupsOf = (rows: readonly SlotRow[]): SlotRow[][] =>
  Array.from({ length: Math.ceil(rows.length / groupSize) }, (_, i) => rows.slice(i * groupSize, (i + 1) * groupSize))

export const meanOf = (prices: readonly (string | null)[]): string | null => {
  const published = prices.filter((price) => price !== null)
  return published.length > 0 ? divideDecimal(sumOf(published), published.length, 6) : null
}

/** '0' of a lost bid; null until it is decided. */
export const wonMwOf = (line: Line | null): string | null =>
  line === null || line.won === null ? null : (line.wonMw ?? '0')

export type BiddingKind = 'price' | 'capacity'

export const biddingModel = (kind: BiddingKind, date: LocalDate, rows: readonly SlotRow[]): ChartModel => {
  const x = rows.map(({ fromMs }) => fromMs)
  const ends = rows.map(({ toMs }) => toMs)
  const unit = kind === 'price' ? '€/MW' : 'MW'
  // For the chart only.
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
