import type { Cause } from '@gridmast/contract/choices.ts'
import type { Facts, LineKind, Parts } from '@gridmast/contract/settlement/reconciliation.ts'
import type { Contract, SettledBid, SettlementRow } from '#settlement/economics/settle.ts'
import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  negateDecimal,
  ratioOfDecimals,
  roundDecimal,
  subtractDecimals,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'

/** Lines of a statement for one day of an instance on one product, compared with its settlement; rules and a worked example: compare.md. */

export type ComparedBid = Pick<SettledBid, 'fromMs' | 'slot' | 'auction' | 'won' | 'capacityEur' | 'penaltyEur'> & {
  wonMw: string
}

export type ComparedSettlement = Pick<SettlementRow, 'version' | 'gross_eur' | 'customer_eur'> & {
  contract: Pick<Contract, 'customer' | 'penaltyTo'> | null
  bids: readonly ComparedBid[]
}

export type Period = { starts: readonly number[]; slot: number | null }

/** Values of a row of the file: percent as a fraction of one; null where the row has none. */
export type StatementFacts = Facts
export type StatementRow = { row: number; auction: string | null; period: Period; theirs: StatementFacts }
export type Compares = 'gross' | 'customer'

export type Line = {
  row: number | null
  auction: string | null
  period: Period
  startMs: number | null
  kind: LineKind
  theirs: Facts | null
  ours: Facts | null
  oursEur: string | null
  theirsEur: string | null
  differenceEur: string | null
  parts: Parts | null
  version: number | null
}

const cents = (eur: string) => roundDecimal(eur, 2)
const exact = (eur: string) => roundDecimal(eur, 6)
const digits = 15

/** Rounds amounts to cents one after the other, so that their sum is the rounded total. */
const openCents = () => {
  let [total, rounded] = ['0', '0']
  return (eur: string): string => {
    total = addDecimals(total, eur)
    const next = cents(subtractDecimals(cents(total), rounded))
    rounded = addDecimals(rounded, next)
    return next
  }
}
const percent = (part: string | null) => part && roundDecimal(multiplyDecimals(part, '100'), 4)

/** Factors of the amount of some bids; null where a factor cannot be derived because the amount is 0. */
type Factors = { mw: string; price: string | null; availability: string | null; share: string | null }
type SettlementFacts = { factors: Factors; grossEur: string | null; customerEur: string | null }

const isWhole = ({ starts, slot }: Period) => starts.length === 0 && slot === null

const oursOf = (
  bids: readonly ComparedBid[],
  settlement: ComparedSettlement,
  isDay: boolean,
  compares: Compares,
): SettlementFacts => {
  const won = bids.filter((bid) => bid.won)
  const mw = sumDecimals(won.map(({ wonMw }) => wonMw))
  const capacity = sumDecimals(bids.map(({ capacityEur }) => capacityEur ?? '0'))
  const gross = addDecimals(capacity, sumDecimals(bids.map(({ penaltyEur }) => penaltyEur ?? '0')))
  const isPublished = bids.every(({ capacityEur }) => capacityEur !== null)
  const shared = settlement.contract?.penaltyTo === 'sc' ? capacity : gross
  const customer =
    settlement.contract && multiplyDecimals(shared, multiplyDecimals(settlement.contract.customer, '0.01'))
  const share =
    customer &&
    (ratioOfDecimals(customer, gross, digits) ?? multiplyDecimals(settlement.contract?.customer ?? '0', '0.01'))
  return {
    factors: {
      mw,
      price: ratioOfDecimals(capacity, mw, digits),
      availability: ratioOfDecimals(gross, capacity, digits),
      share: compares === 'gross' ? '1' : share,
    },
    grossEur: !isPublished ? null : isDay ? settlement.gross_eur : exact(gross),
    customerEur: !isPublished ? null : isDay ? settlement.customer_eur : customer && exact(customer),
  }
}

const product = ({ mw, price, availability, share }: { [K in keyof Factors]: string }): string =>
  cents([price, availability, share].reduce(multiplyDecimals, mw))

const partsBy = (eurOf: (cause: Cause) => string): Parts => ({
  volume: eurOf('volume'),
  price: eurOf('price'),
  availability: eurOf('availability'),
  share: eurOf('share'),
  other: eurOf('other'),
})

const partsOf = (ours: Factors, theirs: StatementFacts, differenceEur: string, compares: Compares): Parts => {
  const theirShare = compares === 'gross' ? '1' : theirs.share
  const from = {
    mw: ours.mw,
    price: ours.price ?? theirs.priceEur ?? '0',
    availability: ours.availability ?? theirs.availability ?? '1',
    share: ours.share ?? theirShare ?? '0',
  }
  const volume = { ...from, mw: theirs.mw ?? from.mw }
  const price = { ...volume, price: theirs.priceEur ?? from.price }
  const availability = { ...price, availability: theirs.availability ?? from.availability }
  const share = { ...availability, share: theirShare ?? from.share }
  const [oursEur, volumeEur, priceEur, availabilityEur, shareEur] = [
    product(from),
    product(volume),
    product(price),
    product(availability),
    product(share),
  ]
  return {
    volume: subtractDecimals(volumeEur, oursEur),
    price: subtractDecimals(priceEur, volumeEur),
    availability: subtractDecimals(availabilityEur, priceEur),
    share: subtractDecimals(shareEur, availabilityEur),
    other: cents(subtractDecimals(differenceEur, subtractDecimals(shareEur, oursEur))),
  }
}

const factsOfOurs = ({ factors, grossEur, customerEur }: SettlementFacts, compares: Compares): Facts => ({
  mw: factors.mw,
  priceEur: factors.price && roundDecimal(factors.price, 6),
  availability: percent(factors.availability),
  share: compares === 'gross' ? null : percent(factors.share),
  grossEur,
  customerEur,
})
const factsOfTheirs = (theirs: StatementFacts): Facts => ({
  ...theirs,
  availability: theirs.availability && multiplyDecimals(theirs.availability, '100'),
  share: theirs.share && multiplyDecimals(theirs.share, '100'),
})
export const theirsOf = (facts: Facts): StatementFacts => ({
  ...facts,
  availability: facts.availability && multiplyDecimals(facts.availability, '0.01'),
  share: facts.share && multiplyDecimals(facts.share, '0.01'),
})

const isWithin = (differenceEur: string, eur: string) => compareDecimals(absoluteDecimal(differenceEur), eur) <= 0

/** A difference of up to a cent per line is rounding if the total is at most half a cent per line (a cent for a single line). */
const withRounding = (lines: readonly Line[]): Line[] => {
  const isSmall = ({ kind, differenceEur }: Line) =>
    kind === 'differs' && differenceEur !== null && isWithin(differenceEur, '0.01')
  const small = lines.filter(isSmall)
  const total = sumDecimals(small.flatMap(({ differenceEur }) => differenceEur ?? []))
  const isRounding = isWithin(total, multiplyDecimals('0.005', String(Math.max(2, small.length))))
  return lines.map((line) =>
    isSmall(line) && (isRounding || compareDecimals(line.differenceEur ?? '0', '0') === 0)
      ? { ...line, kind: 'agrees' }
      : line,
  )
}

const volumeOnly = (eur: string) => partsBy((cause) => (cause === 'volume' ? eur : '0.00'))

const isOf = (bid: ComparedBid, { auction, period }: Pick<StatementRow, 'auction' | 'period'>) =>
  (auction === null || bid.auction === auction) &&
  (period.starts.length === 0 || period.starts.includes(bid.fromMs)) &&
  (period.slot === null || bid.slot === period.slot)

/** Of the repeated hour in October one row is the first pass and the next row the second. */
const bidsOfRow = (bids: readonly ComparedBid[], row: StatementRow): ComparedBid[] => {
  const fits = bids.filter((bid) => isOf(bid, row))
  const first = Math.min(...fits.map(({ fromMs }) => fromMs))
  return row.period.starts.length > 1 ? fits.filter(({ fromMs }) => fromMs === first) : fits
}

const amountOf = (of: { grossEur: string | null; customerEur: string | null }, compares: Compares) =>
  compares === 'gross' ? of.grossEur : of.customerEur

export const compareDay = (
  rows: readonly StatementRow[],
  settlement: ComparedSettlement | null,
  compares: Compares,
): Line[] => {
  const version = settlement?.version ?? null
  let unmatched = settlement?.bids ?? []
  const [ourCents, theirCents] = [openCents(), openCents()]
  const lines = rows.map((row): Line => {
    const bids = bidsOfRow(unmatched, row)
    unmatched = unmatched.filter((bid) => !bids.includes(bid))
    const { auction, period } = row
    const theirsEur = theirCents(amountOf(row.theirs, compares) ?? '0')
    const common = { row: row.row, auction, period, theirs: factsOfTheirs(row.theirs), theirsEur, version }
    const startMs = bids[0] && !isWhole(period) ? bids[0].fromMs : (period.starts[0] ?? null)
    if (!settlement || bids.length === 0)
      return {
        ...common,
        startMs,
        kind: 'not-settled',
        ours: null,
        oursEur: null,
        differenceEur: theirsEur,
        parts: volumeOnly(theirsEur),
      }
    const ours = oursOf(bids, settlement, isWhole(period) && bids.length === settlement.bids.length, compares)
    const amount = amountOf(ours, compares)
    const oursEur = amount && ourCents(amount)
    const compared = { ...common, startMs, ours: factsOfOurs(ours, compares), oursEur }
    if (oursEur === null) return { ...compared, kind: 'open', differenceEur: null, parts: null }
    const differenceEur = cents(subtractDecimals(theirsEur, oursEur))
    const exactParts = partsOf(ours.factors, row.theirs, differenceEur, compares)
    const parts = partsBy((cause) => cents(exactParts[cause]))
    return { ...compared, kind: 'differs', differenceEur, parts }
  })
  return [...withRounding(lines), ...(settlement ? notInStatement(unmatched, settlement, compares, ourCents) : [])]
}

const notInStatement = (
  bids: readonly ComparedBid[],
  settlement: ComparedSettlement,
  compares: Compares,
  ourCents: (eur: string) => string,
): Line[] => {
  if (bids.length === 0) return []
  const isDay = bids.length === settlement.bids.length
  const ours = oursOf(bids, settlement, isDay, compares)
  const amount = amountOf(ours, compares)
  const oursEur = amount && ourCents(amount)
  if (oursEur === null || isWithin(oursEur, '0.01')) return []
  const differenceEur = cents(negateDecimal(oursEur))
  return [
    {
      row: null,
      auction: null,
      period: { starts: [], slot: null },
      startMs: null,
      kind: 'not-in-statement',
      theirs: null,
      ours: factsOfOurs(ours, compares),
      oursEur,
      theirsEur: null,
      differenceEur,
      parts: volumeOnly(differenceEur),
      version: settlement.version,
    },
  ]
}

export const sumLines = (lines: readonly Pick<Line, 'oursEur' | 'theirsEur' | 'differenceEur' | 'parts'>[]) => {
  const settled = lines.filter(({ differenceEur }) => differenceEur !== null)
  const total = (eurOf: (line: (typeof lines)[number]) => string | null | undefined) =>
    cents(sumDecimals(settled.flatMap((line) => eurOf(line) ?? [])))
  return {
    oursEur: total(({ oursEur }) => oursEur),
    theirsEur: total(({ theirsEur }) => theirsEur),
    differenceEur: total(({ differenceEur }) => differenceEur),
    parts: partsBy((cause) => total(({ parts }) => parts?.[cause])),
  }
}
