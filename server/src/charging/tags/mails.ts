import type { ChargingBudget } from '@gridmast/contract/charging/charging-budgets.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { type Letter, letter } from '#platform/messaging/mail.ts'

type ReachedBudget = { name: string; budget: NonNullable<ChargingBudget>; link: string }

const spentOf = ({ dkk, kwh, spentDkk, spentKwh }: ReachedBudget['budget'], of: string, money: string) =>
  [
    dkk && `${formatNumber(spentDkk, { decimals: 2 })} ${of} ${formatNumber(dkk, { decimals: 2 })} ${money}`,
    kwh && `${formatNumber(spentKwh, { decimals: 1 })} ${of} ${formatNumber(kwh, { decimals: 1 })} kWh`,
  ]
    .filter(Boolean)
    .join(', ')

export const budgetReached = ({ name, budget, link }: ReachedBudget): Letter => {
  const { percent } = budget
  const isSpent = budget.state === 'spent'
  return letter({
    subject: isSpent
      ? { en: `Charging budget of ${name} is spent`, da: `Ladebudgettet for ${name} er brugt` }
      : {
          en: `${percent} % of the charging budget of ${name} is spent`,
          da: `${percent} % af ladebudgettet for ${name} er brugt`,
        },
    body: [
      {
        en: `${name} has charged for ${spentOf(budget, 'of', 'DKK')} this month.`,
        da: `${name} har ladet for ${spentOf(budget, 'af', 'kr.')} i denne måned.`,
      },
      isSpent
        ? {
            en: 'Charging is blocked until the month ends or the budget is raised, and running sessions are stopped.',
            da: 'Opladning er spærret, til måneden er slut eller budgettet hæves, og igangværende opladninger stoppes.',
          }
        : {
            en: 'When the budget is spent, charging is blocked and running sessions are stopped.',
            da: 'Når budgettet er brugt, spærres opladning, og igangværende opladninger stoppes.',
          },
      link,
    ],
  })
}
