import { type Cause, type ShownLines, causes } from '@gridmast/contract/choices.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import type { LineKind, StatementField, Parts } from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate, formatTime } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'
import type { TagKind } from '#ui/Tag.tsx'
import { digits } from '#lib/format.ts'

export const fieldWords: Record<StatementField, Sentence> = {
  instance: 'Instance',
  product: 'Product',
  auction: 'Auction',
  start: 'Start',
  day: 'Day',
  slot: 'Slot',
  mw: 'Sold (MW)',
  price: 'Price (EUR/MW)',
  availability: 'Availability (%)',
  gross: 'Gross (EUR)',
  share: 'Your share (%)',
  customer: 'Your amount (EUR)',
  currency: 'Currency',
}

export const causeWords: Record<Cause, Sentence> = {
  volume: 'Volume',
  price: 'Price',
  availability: 'Availability',
  share: 'Share',
  other: 'Not explained',
}

export const kindWords: Record<LineKind, { words: Sentence; kind: TagKind }> = {
  agrees: { words: 'Agrees', kind: 'up' },
  differs: { words: 'Differs', kind: 'warn' },
  open: { words: 'Pending', kind: 'outline' },
  'not-settled': { words: 'Not in Gridmast', kind: 'down' },
  'not-in-statement': { words: 'Not in the statement', kind: 'down' },
}

export const shownWords: Record<ShownLines, Sentence> = {
  unsettled: 'To be settled',
  settled: 'Marked as settled',
  changed: 'Changed since',
  open: 'Pending',
  agrees: 'Agrees',
  all: 'All',
}

/** `+0,23`: theirs less ours. */
export const signed = (eur: string | null): string =>
  eur === null || eur.startsWith('-') || !/[1-9]/.test(eur) ? digits.eur(eur) : `+${digits.eur(eur)}`

const size = (eur: string) => eur.replace('-', '')

export const causesOf = (parts: Parts | null): Cause[] =>
  parts === null
    ? []
    : causes
        .filter((cause) => /[1-9]/.test(parts[cause]))
        .toSorted((a, b) => compareDecimals(size(parts[b]), size(parts[a])))

export const periodWords = ({ date, start }: { date: string; start: string | null }): string =>
  start === null ? formatDate(date) : `${formatDate(date)} ${formatTime(Date.parse(start)).slice(0, 5)}`
