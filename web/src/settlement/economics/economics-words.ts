import type { Data } from '@gridmast/contract/call.ts'
import type { BidState, Settlement, settlementFormula } from '@gridmast/contract/settlement/economics.ts'
import { compareDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import type { TagKind } from '#ui/Tag.tsx'

export type Formula = Data<typeof settlementFormula>
export type Line = Formula['lines'][number]

export type State = 'inactive' | 'waiting' | 'won' | 'lost'

/** Specification text 1, section 4. */
export const stateOf = ({ status, result, won }: BidState): State => {
  if (status === 'inactive') return 'inactive'
  if (!result) return 'waiting'
  return won ? 'won' : 'lost'
}
export const stateWords: Record<State, Sentence> = {
  inactive: 'Bid not placed',
  waiting: 'Settlements not found',
  won: 'Won',
  lost: 'Lost',
}
export const stateTags: Record<State, TagKind> = { inactive: 'outline', waiting: 'warn', won: 'up', lost: 'plain' }

export const sumOf = (amounts: readonly string[]): string => sumDecimals(amounts)
export const enablersOf = ({ enablers }: Pick<Settlement, 'enablers'>): string | null =>
  enablers && sumOf(Object.values(enablers))

/** Amounts before they are rounded to cents. */

/** `2 MW × 3,50 €/MW = 7,00 €` */
export const capacityWords = ({ wonMw, marginalEur, capacityEur }: Line): string =>
  `${digits.mw(wonMw)} MW × ${digits.exactEur(marginalEur)} €/MW = ${digits.exactEur(capacityEur)} €`

/** `−(3 MW × 10,01 €/MW × 2/5) = −12,012 €`: two of five hours were missed. */
export const penaltyWords = ({ wonMw, marginalEur, missedHours, hours, penaltyEur }: Line): string =>
  `\u2212(${digits.mw(wonMw)} MW × ${digits.exactEur(marginalEur)} €/MW × ${missedHours}/${hours}) = ${digits.exactEur(penaltyEur)} €`

type Quarter = Formula['energy']['quarters'][number]

/** `0,1 MWh × 120,40 €/MWh = 12,04 €`; down pays its price: `−(0,05 MWh × −80,00 €/MWh) = 4,00 €`. */
export const energyWords = ({ upMwh, downMwh, upEur, downEur, eur }: Quarter): string => {
  const some = (mwh: string) => compareDecimals(mwh, '0') !== 0
  const terms = [
    ...(some(upMwh) ? [`${format.exactMwh(upMwh)} × ${digits.exactEur(upEur)} €/MWh`] : []),
    ...(some(downMwh) ? [`\u2212(${format.exactMwh(downMwh)} × ${digits.exactEur(downEur)} €/MWh)`] : []),
  ]
  return `${terms.join(' ')} = ${digits.exactEur(eur)} €`
}

export const noEnergyWords = (type: string): string =>
  type === 'FCR-N'
    ? t('The energy of FCR-N is paid in the imbalance settlement, which is not part of this one.')
    : t('{{type}} is paid for capacity alone, so it has no energy revenue.', { type })

type PriceSource = NonNullable<Line['priceSource']>

export const sourceWords = ({ name, dataset, readAt, isFile, simulated }: PriceSource): string => {
  const at = formatDateTime(Date.parse(readAt))
  if (isFile) return t('Price: {{name}}, imported {{at}}', { name, at })
  return t('Price: {{name}}, fetched {{at}}', {
    name: simulated ? `${t('Simulated')} (${dataset})` : `${name}, ${dataset}`,
    at,
  })
}

/** `30,03 € − 12,01 €` */
const plus = (a: string | null, b: string | null): string => {
  const isLess = b !== null && compareDecimals(b, '0') < 0
  return `${digits.eur(a)} € ${isLess ? '\u2212' : '+'} ${digits.eur(b).replace('\u2212', '')} €`
}

export type Part = { key: string; kind: 'partner' | 'sc' | 'enabler' | 'customer'; name: string; words: string } & {
  eur: string | null
}

export const grossWords = ({ capacityEur, penaltyEur, availability }: Formula): string =>
  availability ? plus(capacityEur, penaltyEur) : `${digits.eur(capacityEur)} €`

/** Shares of the gross; the customer receives the remainder. If the SC bears the penalties, the capacity is shared. */
export const partsOf = (formula: Formula): Part[] => {
  const { contract, capacityEur, penaltyEur, grossEur, customer, partner, sc, enablers } = formula
  if (!contract || grossEur === null) return []
  const isScLiable = contract.penaltyTo === 'sc'
  const shared = isScLiable ? capacityEur : grossEur
  const of = (share: string) => `${digits.contractPercent(share)} % × ${digits.eur(shared)} €`
  const owes = isScLiable && penaltyEur !== null && compareDecimals(penaltyEur, '0') !== 0
  const others = [partner ?? '0', sc ?? '0', ...Object.values(enablers ?? {})]
  return [
    { key: 'partner', kind: 'partner', name: '', words: of(contract.partner), eur: partner },
    ...Object.entries(contract.enablers).map(([name, share]): Part => ({
      key: `enabler ${name}`,
      kind: 'enabler',
      name,
      words: of(share),
      eur: enablers?.[name] ?? null,
    })),
    {
      key: 'sc',
      kind: 'sc',
      name: '',
      eur: sc,
      words: owes ? `${of(contract.sc)} \u2212 ${digits.eur(penaltyEur).replace('\u2212', '')} €` : of(contract.sc),
    },
    {
      key: 'customer',
      kind: 'customer',
      name: '',
      eur: customer,
      words: `${digits.contractPercent(contract.customer)} %: ${digits.eur(grossEur)} € \u2212 ${digits.eur(sumOf(others))} €`,
    },
  ]
}

type Totals = Record<'totalRevenue' | 'totalRevenuePartner' | 'totalRevenueEnabler' | 'totalRevenueSc', string | null>

/** Percent of the total; null without a positive total or with a negative share. */
export const sharesOf = (totals: Totals): number[] | null => {
  const each = [totals.totalRevenue, totals.totalRevenuePartner, totals.totalRevenueEnabler, totals.totalRevenueSc].map(
    Number,
  )
  const sum = each.reduce((a, b) => a + b, 0)
  return sum > 0 && each.every((one) => one >= 0) ? each.map((one) => (one / sum) * 100) : null
}
