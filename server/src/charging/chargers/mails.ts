import type { ChargingBudget } from '@gridmast/contract/charging/charging-budgets.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Letter } from '#platform/messaging/mail.ts'

type Reached = { name: string; budget: NonNullable<ChargingBudget>; link: string }

const parts = ({ dkk, kwh, spentDkk, spentKwh }: Reached['budget'], of: string, money: string) =>
  [
    dkk && `${formatNumber(spentDkk, { decimals: 2 })} ${of} ${formatNumber(dkk, { decimals: 2 })} ${money}`,
    kwh && `${formatNumber(spentKwh, { decimals: 1 })} ${of} ${formatNumber(kwh, { decimals: 1 })} kWh`,
  ]
    .filter(Boolean)
    .join(', ')

/** To the sudoers of a company: a tag or a group comes near its budget of the month, or has spent it. */
export const budgetReached = ({ name, budget, link }: Reached): Letter => {
  const isSpent = budget.state === 'spent'
  const [percent, en, da] = [budget.percent, parts(budget, 'of', 'DKK'), parts(budget, 'af', 'kr.')]
  return {
    en: {
      subject: isSpent
        ? `Charging budget of ${name} is spent`
        : `${percent} % of the charging budget of ${name} is spent`,
      text: [
        `${name} has charged for ${en} this month.`,
        isSpent
          ? 'Until the month ends, or the budget is raised, it is refused by chargers, and a session that runs is stopped.'
          : 'Once all of it is spent, chargers refuse it and a session that runs is stopped.',
        link,
      ].join('\n\n'),
    },
    da: {
      subject: isSpent ? `Ladebudgettet for ${name} er brugt` : `${percent} % af ladebudgettet for ${name} er brugt`,
      text: [
        `${name} har ladet for ${da} i denne måned.`,
        isSpent
          ? 'Indtil måneden er slut, eller budgettet hæves, afvises det af laderne, og en opladning i gang stoppes.'
          : 'Når det hele er brugt, afviser laderne det, og en opladning i gang stoppes.',
        link,
      ].join('\n\n'),
    },
  }
}
