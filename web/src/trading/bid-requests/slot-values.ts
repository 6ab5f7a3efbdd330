import { bidSlots, energyPriced } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import {
  compareDecimals,
  formatNumber,
  multiplyDecimals,
  numberReader,
  parseNumber,
  sumDecimals,
  unclearNumber,
} from '@gridmast/contract/numbers.ts'
import { hourMs } from '@gridmast/contract/time.ts'

export type Kind = 'capacity' | 'price' | 'regulationPrice'
export type SlotTexts = Record<Kind, string[]>

export const kindsOf = (market: string): Kind[] => [
  'capacity',
  'price',
  ...(energyPriced(market) ? (['regulationPrice'] as const) : []),
]

/** A day without a clock change, for labels and lengths. */
const ordinaryDay = '2026-11-20'
export const ordinarySlots = (market: string) => bidSlots(market, ordinaryDay)

const decimalsOf: Record<Kind, number> = {
  capacity: limits.bidMwDecimals,
  price: limits.bidEurDecimals,
  regulationPrice: limits.bidEurDecimals,
}

export const noTexts = (market: string): SlotTexts => {
  const empty = ordinarySlots(market).map(() => '')
  return { capacity: empty, price: empty, regulationPrice: kindsOf(market).length > 2 ? empty : [] }
}

/** Without thousands separators, because the text of a cell is edited. */
export const textOf = (kind: Kind, value: number | string): string =>
  formatNumber(value, { decimals: decimalsOf[kind] }).replaceAll('.', '')

export const textsOf = (
  market: string,
  of: { capacity: readonly number[]; price: readonly number[]; regulationPrice: readonly number[] | null },
): SlotTexts => {
  const none = noTexts(market)
  const list = (kind: Kind) => none[kind].map((_, slot) => textOf(kind, of[kind]?.[slot] ?? 0))
  return { capacity: list('capacity'), price: list('price'), regulationPrice: list('regulationPrice') }
}

/** The value that is sent: an empty cell is 0 (decision 21), a text that is no number is refused under its cell. */
export const valueOf = (kind: Kind, text: string): number =>
  text.trim() === '' ? 0 : Number(parseNumber(text, { decimals: decimalsOf[kind] }) ?? Number.NaN)

/** Danish format for a number; other text and text with too many decimals is unchanged. */
export const tidied = (kind: Kind, text: string): string => {
  const decimal = text.trim() === '' ? null : parseNumber(text, { decimals: decimalsOf[kind] })
  if (decimal === null || (decimal.split('.')[1]?.length ?? 0) > decimalsOf[kind]) return text
  return textOf(kind, decimal)
}

const replaced = (texts: SlotTexts, kind: Kind, change: (text: string, slot: number) => string): SlotTexts => ({
  ...texts,
  [kind]: texts[kind].map(change),
})

export const typedIn = (texts: SlotTexts, kind: Kind, at: number, text: string): SlotTexts =>
  replaced(texts, kind, (before, slot) => (slot === at ? text : before))

export const filledTo = (texts: SlotTexts, kind: Kind, from: number, to: number): SlotTexts => {
  const [first, last] = from < to ? [from, to] : [to, from]
  const text = tidied(kind, texts[kind][from] ?? '')
  return replaced(texts, kind, (before, slot) => (slot >= first && slot <= last ? text : before))
}

export const filledAll = (texts: SlotTexts, kinds: readonly Kind[], values: Partial<Record<Kind, string>>): SlotTexts =>
  kinds.reduce(
    (all, kind) => (values[kind]?.trim() ? replaced(all, kind, () => tidied(kind, values[kind] ?? '')) : all),
    texts,
  )

/** Null for a single value, which is typed like any other. */
export const cellsOf = (clipboard: string): string[][] | null => {
  const rows = clipboard
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t').map((cell) => cell.trim()))
  return rows.length === 1 && rows[0]?.length === 1 ? null : rows
}

/** Fills downwards from a cell, several columns to the right; a row with more cells than columns fills a column. `skipped`: number of rows without a slot. */
export const pasted = (
  texts: SlotTexts,
  kinds: readonly Kind[],
  at: { kind: Kind; slot: number },
  cells: string[][],
): { texts: SlotTexts; skipped: number } => {
  const [row] = cells
  const rows = cells.length === 1 && row && row.length > kinds.length ? row.map((cell) => [cell]) : cells
  const first = kinds.indexOf(at.kind)
  const filled = kinds.slice(first).reduce((all, kind, column) => {
    const cells = rows.map((row) => row[column])
    const read = numberReader(
      cells.flatMap((cell) => cell ?? []),
      rows.flat(),
      '\t',
    )
    return replaced(all, kind, (before, slot) => {
      const cell = cells[slot - at.slot]
      const number = cell === undefined ? null : read(cell)
      return cell === undefined
        ? before
        : tidied(kind, number === null || number === unclearNumber ? cell : number.replace('.', ','))
    })
  }, texts)
  return { texts: filled, skipped: Math.max(0, at.slot + rows.length - texts[at.kind].length) }
}

/** Exact decimal text; 0 for a text that is no number. */
const decimals = (texts: SlotTexts, kind: Kind) =>
  texts[kind].map((text) => parseNumber(text, { decimals: decimalsOf[kind] }) ?? '0')

/** A day on which each bid is won at its own price. */
export const dayOf = (market: string, texts: SlotTexts) => {
  const [mw, eur] = [decimals(texts, 'capacity'), decimals(texts, 'price')]
  const hours = ordinarySlots(market).map(({ fromMs, toMs }) => String((toMs - fromMs) / hourMs))
  const dayEur = sumDecimals(mw.map((one, slot) => multiplyDecimals(one, eur[slot] ?? '0')))
  const allMw = Number(sumDecimals(mw))
  return {
    mw: mw.map(Number),
    mwHours: sumDecimals(mw.map((one, slot) => multiplyDecimals(one, hours[slot] ?? '0'))),
    mostMw: mw.reduce((a, b) => (compareDecimals(a, b) < 0 ? b : a), '0'),
    /** Weighted by MW; null without an offer. */
    meanEur: allMw > 0 ? Number(dayEur) / allMw : null,
    dayEur,
  }
}
