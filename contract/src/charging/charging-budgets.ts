import { z } from 'zod'
import { m } from '#messages.ts'
import { isPlainDecimal } from '#numbers.ts'
import { decimalText } from '#series.ts'

/** Limits of a tag or a group of tags per calendar month (Danish time). */

export const budgetScopes = ['tag', 'group'] as const

/** Above 0, at most a million; null removes the budget. */
const limitOf = (decimals: number) =>
  z
    .string()
    .max(12, m.number)
    .refine(isPlainDecimal, { error: m.number, abort: true })
    .refine((given) => Number(given) > 0, m.aboveZero)
    .refine((given) => Number(given) <= 1_000_000, { error: m.atMost(1_000_000) })
    .refine((given) => (given.split('.')[1] ?? '').length <= decimals, m.decimals(decimals))
    .meta({ examples: ['500'] })
    .nullish()

export const budgetForm = {
  budgetDkk: limitOf(2),
  budgetKwh: limitOf(3),
  warnPercent: z.number().int(m.wholeNumber).min(1).max(99).optional(),
}
export type BudgetForm = { [Key in keyof typeof budgetForm]?: z.output<(typeof budgetForm)[Key]> }

/** With the use in this month; null without a budget. */
export const chargingBudget = z
  .object({
    dkk: decimalText.nullable(),
    kwh: decimalText.nullable(),
    warnPercent: z.number(),
    /** Driver payments, or the energy cost without a driver price; includes running sessions so far. */
    spentDkk: decimalText,
    spentKwh: decimalText,
    /** Part of `spentKwh` without a cost yet. */
    kwhWithoutCost: decimalText,
    /** Percent of the more used budget. */
    percent: z.number(),
    state: z.enum(['within', 'warned', 'spent']),
  })
  .nullable()
export type ChargingBudget = z.infer<typeof chargingBudget>
