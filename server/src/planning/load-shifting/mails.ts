import type { planReasons } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { type Letter, letter, danishTimes } from '#platform/messaging/mail.ts'

type Replanned = {
  name: string
  version: number
  reason: (typeof planReasons)[number] | null
  savedDkk: string | null
  toMs: number
  link: string
}

const reasons: Record<(typeof planReasons)[number], { en: string; da: string }> = {
  prices: { en: 'Prices have changed.', da: 'Priserne har ændret sig.' },
  readings: { en: 'Consumption differs from the plan.', da: 'Forbruget afviger fra planen.' },
  charger: { en: 'A charger was connected or disconnected.', da: 'En lader er kommet til eller faldet fra.' },
  sold: { en: 'Sold capacity has changed.', da: 'Den solgte kapacitet har ændret sig.' },
}

export const replannedMail = ({ name, version, reason, savedDkk, toMs, link }: Replanned): Letter => {
  const [dkk, until] = [formatNumber(savedDkk, { decimals: 2 }), formatDateTime(toMs)]
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

export const replanFailedMail = ({ name, reason, link }: Pick<Replanned, 'name' | 'reason' | 'link'>): Letter =>
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
