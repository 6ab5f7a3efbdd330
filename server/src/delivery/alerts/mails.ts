import type { AlertCriteria, AlertType } from '@gridmast/contract/delivery/alerts.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { type Letter, letter, danishTimes, simulatedFigures } from '#platform/messaging/mail.ts'

export type Triggered = {
  name: string
  instanceName: string
  isSimulated: boolean
  type: AlertType
  unit: string
  criteria: AlertCriteria
  threshold: number
  value: number
  tMs: number
  link: string
  triggers: number
  firstMs: number
  extreme: number
}

export const alertTriggered = (about: Triggered): Letter => {
  const { name, instanceName, isSimulated, type, criteria, unit, tMs, link, triggers } = about
  const amount = (number: number) => `${formatNumber(number, { minDecimals: 0 })} ${unit}`
  const [value, threshold, extreme] = [amount(about.value), amount(about.threshold), amount(about.extreme)]
  const [at, since] = [formatDateTime(tMs), formatDateTime(about.firstMs)]
  const [isPower, isAbove, isOne] = [type === 'power', criteria === 'gt', triggers === 1]
  return letter({
    subject: { en: `Alert: ${name} (${instanceName})`, da: `Alarm: ${name} (${instanceName})` },
    body: [
      isOne
        ? { en: `${name} was triggered on ${instanceName}.`, da: `${name} blev udløst på ${instanceName}.` }
        : {
            en: `${name} was triggered ${triggers} times on ${instanceName} since ${since}.`,
            da: `${name} blev udløst ${triggers} gange på ${instanceName} siden ${since}.`,
          },
      {
        en: [
          `${isPower ? 'Power' : 'Consumption of the hour'}: ${value} (${isAbove ? 'above' : 'below'} ${threshold})`,
          `When: ${at}`,
          ...(isOne ? [] : [`${isAbove ? 'Highest' : 'Lowest'}: ${extreme}`]),
        ].join('\n'),
        da: [
          `${isPower ? 'Effekt' : 'Timens forbrug'}: ${value} (${isAbove ? 'over' : 'under'} ${threshold})`,
          `Tidspunkt: ${at}`,
          ...(isOne ? [] : [`${isAbove ? 'Højeste' : 'Laveste'}: ${extreme}`]),
        ].join('\n'),
      },
      isSimulated ? simulatedFigures : null,
      danishTimes,
      { en: `See it in Gridmast: ${link}`, da: `Se den i Gridmast: ${link}` },
    ],
  })
}
