/** Values in addresses of screens; a file of its own, because addresses are parsed before a page is loaded. */

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

/** Causes of a difference in the order of the calculation; `other` is the part that the statement's own figures do not explain. */
export const causes = ['volume', 'price', 'availability', 'share', 'other'] as const
export type Cause = (typeof causes)[number]

export const shownLines = ['unsettled', 'settled', 'changed', 'open', 'agrees', 'all'] as const
export type ShownLines = (typeof shownLines)[number]

export const calculatorAreas = ['DK1', 'DK2', 'SE1', 'SE2', 'SE3', 'SE4'] as const
export type CalculatorArea = (typeof calculatorAreas)[number]

export const calculatorMarkets = ['FCR', 'FCR-D-INC', 'FCR-D-DEC', 'FCR-D (LER)', 'AFRR-INC', 'AFRR-DEC'] as const
export type CalculatorMarket = (typeof calculatorMarkets)[number]

/** Ranges of time until now: `relative-range.ts`. */
export const relativeRanges = ['1h', '6h', '24h', '7d', '30d', 'month'] as const
export type RelativeRange = (typeof relativeRanges)[number]
