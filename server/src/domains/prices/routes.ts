import { bulkPrices } from './bulk-download.ts'
import { dayAhead, dayAheadMonth } from './day-ahead.ts'
import { reservePrices } from './pricing.ts'
import { taxes } from './tax.ts'

export const prices = [dayAhead, dayAheadMonth, taxes, ...reservePrices, bulkPrices]
