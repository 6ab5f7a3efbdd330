import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'

/** Money is whole øre in the store and at the provider, and exact decimals in DKK everywhere else. */

/** `12.345` -> 1235: rounded once, here, halves away from zero. */
export const oreOf = (dkk: string): number => Number(roundDecimal(multiplyDecimals(dkk, '100'), 0))

/** 1235 -> `12.35`. */
export const dkkOf = (ore: number): string => roundDecimal(multiplyDecimals(String(ore), '0.01'), 2)
