import type { planReasons } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import type { Letter } from '#platform/messaging/mail.ts'

type Again = {
  name: string
  version: number
  reason: (typeof planReasons)[number] | null
  /** Of the new version, against its baseline; null where there is no such plan. */
  savedDkk: string | null
  toMs: number
  link: string
}

const reasons: Record<(typeof planReasons)[number], { en: string; da: string }> = {
  prices: { en: 'Prices have changed.', da: 'Priserne har ændret sig.' },
  readings: { en: 'More or less was taken than planned.', da: 'Der blev brugt mere eller mindre end planlagt.' },
  charger: { en: 'A charger came or left.', da: 'En lader kom til eller faldt fra.' },
  sold: { en: 'Sold capacity has changed.', da: 'Den solgte kapacitet har ændret sig.' },
}

/** To whoever asked for the plan: a next version of it is followed. */
export const plannedAgain = ({ name, version, reason, savedDkk, toMs, link }: Again): Letter => {
  const why = reason ? reasons[reason] : { en: '', da: '' }
  const [dkk, until] = [formatNumber(savedDkk, { decimals: 2 }), formatDateTime(toMs)]
  return {
    en: {
      subject: `The plan of ${name} was made again`,
      text: `${why.en} Version ${version} is followed until ${until} (Europe/Berlin). Against its baseline it saves ${dkk} DKK.\n\n${link}`,
    },
    da: {
      subject: `Planen for ${name} er lavet om`,
      text: `${why.da} Version ${version} følges indtil ${until} (Europe/Berlin). I forhold til sin baseline sparer den ${dkk} kr.\n\n${link}`,
    },
  }
}

/** To the same: the equipment or the sale is another, and nothing can be planned for it. */
export const notPlannedAgain = ({ name, reason, link }: Pick<Again, 'name' | 'reason' | 'link'>): Letter => {
  const why = reason ? reasons[reason] : { en: '', da: '' }
  return {
    en: {
      subject: `The plan of ${name} could not be made again`,
      text: `${why.en} There is no plan for what is left of it, so the earlier one is still followed. It is tried again every quarter of an hour.\n\n${link}`,
    },
    da: {
      subject: `Planen for ${name} kunne ikke laves om`,
      text: `${why.da} Der findes ingen plan for resten, så den tidligere følges stadig. Der prøves igen hvert kvarter.\n\n${link}`,
    },
  }
}
