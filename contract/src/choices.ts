/** What the addresses of screens may name, beside the calls that know it: a file of its own, because addresses are read before a page is fetched. */

/** Of a payment. */
export const paymentStates = [
  'reserving',
  'waiting',
  'reserved',
  'charging',
  'ended',
  'capturing',
  'captured',
  'capture-failed',
  'partly-refunded',
  'refunded',
  'releasing',
  'released',
  'declined',
  'failed',
] as const
export type PaymentState = (typeof paymentStates)[number]

/** What a difference comes from, in the order in which it is taken apart; `other` is what the statement's own figures do not explain. */
export const causes = ['volume', 'price', 'availability', 'share', 'other'] as const
export type Cause = (typeof causes)[number]

/** Which lines of a reconciliation are shown. */
export const shownLines = ['unsettled', 'settled', 'changed', 'open', 'agrees', 'all'] as const
export type ShownLines = (typeof shownLines)[number]

export const calculatorAreas = ['DK1', 'DK2', 'SE1', 'SE2', 'SE3', 'SE4'] as const
export type CalculatorArea = (typeof calculatorAreas)[number]

export const calculatorMarkets = ['FCR', 'FCR-D-INC', 'FCR-D-DEC', 'FCR-D (LER)', 'AFRR-INC', 'AFRR-DEC'] as const
export type CalculatorMarket = (typeof calculatorMarkets)[number]
