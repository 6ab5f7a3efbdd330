import type { PlanHead } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { type Letter, letter, danishTimes } from '#platform/messaging/mail.ts'
import type { PlanRow } from './queries.ts'

type Replanned = Pick<PlanRow, 'name' | 'version' | 'reason' | 'saved_dkk' | 'to_at'>

const reasons: Record<NonNullable<PlanHead['reason']>, { en: string; da: string }> = {
  prices: { en: 'Prices have changed.', da: 'Priserne har ændret sig.' },
  readings: { en: 'Consumption differs from the plan.', da: 'Forbruget afviger fra planen.' },
  charger: { en: 'A charger was connected or disconnected.', da: 'En lader er kommet til eller faldet fra.' },
  sold: { en: 'Sold capacity has changed.', da: 'Den solgte kapacitet har ændret sig.' },
}

export const replannedMail = ({ name, version, reason, saved_dkk, to_at }: Replanned, link: string): Letter => {
  const [dkk, until] = [formatNumber(saved_dkk, { decimals: 2 }), to_at ? formatDateTime(to_at.getTime()) : '']
  return letter({
    subject: { en: `The plan of ${name} was recalculated`, da: `Planen for ${name} er beregnet igen` },
    body: [
      reason && reasons[reason],
      {
        en: `Version ${version} is followed until ${until}. Compared with its baseline it saves ${dkk} DKK.`,
        da: `Version ${version} følges indtil ${until}. I forhold til sin baseline sparer den ${dkk} kr.`,
      },
      danishTimes,
      link,
    ],
  })
}

export const replanFailedMail = ({ name, reason }: Pick<Replanned, 'name' | 'reason'>, link: string): Letter =>
  letter({
    subject: {
      en: `The plan of ${name} could not be recalculated`,
      da: `Planen for ${name} kunne ikke beregnes igen`,
    },
    body: [
      reason && reasons[reason],
      {
        en: 'No plan is possible for the remaining time, so the previous plan is still followed. Gridmast tries again every quarter of an hour.',
        da: 'Der findes ingen plan for resten af tiden, så den tidligere følges stadig. Gridmast prøver igen hvert kvarter.',
      },
      link,
    ],
  })
