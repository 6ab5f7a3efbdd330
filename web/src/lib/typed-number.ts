import { isDecimal } from '@gridmast/contract/numbers.ts'

/** The number of a body from the decimal text of a `DecimalField`; text that is not a number is kept, so that the schema refuses it. */
export const typedNumber = (decimal: string | undefined): number | string | undefined =>
  decimal !== undefined && isDecimal(decimal) ? Number(decimal) : decimal
