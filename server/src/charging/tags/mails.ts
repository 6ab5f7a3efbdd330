import type { ChargingBudget } from '@gridmast/contract/charging/charging-budgets.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { type Letter, letter } from '#platform/messaging/mail.ts'

type Reached = { name: string; budget: NonNullable<ChargingBudget>; link: string }

const spentOf = ({ dkk, kwh, spentDkk, spentKwh }: Reached['budget'], of: string, money: string) =>
  [
    dkk && `${formatNumber(spentDkk, { decimals: 2 })} ${of} ${formatNumber(dkk, { decimals: 2 })} ${money}`,
    kwh && `${formatNumber(spentKwh, { decimals: 1 })} ${of} ${formatNumber(kwh, { decimals: 1 })} kWh`,
  ]
    .filter(Boolean)
    .join(', ')

export const budgetReached = ({ name, budget, link }: Reached): Letter => {
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
            en: 'Until the month ends, or the budget is raised, it is refused by chargers, and a session that runs is stopped.',
            da: 'Indtil måneden er slut, eller budgettet hæves, afvises det af laderne, og en opladning i gang stoppes.',
          }
        : {
            en: 'Once all of it is spent, chargers refuse it and a session that runs is stopped.',
            da: 'Når det hele er brugt, afviser laderne det, og en opladning i gang stoppes.',
          },
      link,
    ],
  })
}
