import { isDecimal } from '@gridmast/contract/numbers.ts'

/** The number for a body from the text of a `DecimalField`; invalid text is kept, so that the schema refuses it. */
export const typedNumber = (decimal: string | undefined): number | string | undefined =>
  decimal !== undefined && isDecimal(decimal) ? Number(decimal) : decimal
