import { dayAhead, dayAheadMonth } from './day-ahead.ts'
import { reservePrices } from './reserves.ts'
import { taxes } from './tax.ts'

export const prices = [dayAhead, dayAheadMonth, taxes, ...reservePrices]
