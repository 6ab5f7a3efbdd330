import { costs } from './costs.ts'
import { prices } from './prices.ts'
import { statement } from './statement.ts'

export const chargingCosts = [...prices, ...costs, statement]
