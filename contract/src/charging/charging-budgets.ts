import { z } from 'zod'
import { m } from '#messages.ts'
import { isPlainDecimal } from '#numbers.ts'
import { decimalText } from '#series.ts'

/** What a tag or a group of tags may charge in a calendar month (Danish time). */

export const budgetScopes = ['tag', 'group'] as const

/** Above 0, at most a million; null takes the budget away. */
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

/** Part of the forms of tags and groups. */
export const budgetForm = {
  budgetDkk: limitOf(2),
  budgetKwh: limitOf(3),
  warnPercent: z.number().int(m.wholeNumber).min(1).max(99).optional(),
}
export type BudgetForm = { [Key in keyof typeof budgetForm]?: z.output<(typeof budgetForm)[Key]> }

/** With what is spent of it this month; null where there is none. */
export const chargingBudget = z
  .object({
    dkk: decimalText.nullable(),
    kwh: decimalText.nullable(),
    warnPercent: z.number(),
    /** What drivers pay, else what the energy cost; with what runs, so far. */
    spentDkk: decimalText,
    spentKwh: decimalText,
    /** In `spentKwh`, but without a cost yet. */
    kwhWithoutCost: decimalText,
    /** Of the budget that is used more. */
    percent: z.number(),
    state: z.enum(['within', 'warned', 'spent']),
  })
  .nullable()
export type ChargingBudget = z.infer<typeof chargingBudget>
