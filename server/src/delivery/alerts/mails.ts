import type { AlertCriteria, AlertType } from '@gridmast/contract/delivery/alerts.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { type InBoth, inLines, type Letter, letter, danishTimes, simulatedFigures } from '#platform/messaging/mail.ts'

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

type Value = Pick<Triggered, 'type' | 'criteria' | 'unit' | 'threshold' | 'value'>

const amountIn = (unit: string) => (number: number) => `${formatNumber(number, { minDecimals: 0 })} ${unit}`

const valueText = ({ type, criteria, unit, ...about }: Value): InBoth => {
  const [value, threshold] = [about.value, about.threshold].map(amountIn(unit))
  const [isPower, isAbove] = [type === 'power', criteria === 'gt']
  return {
    en: `${isPower ? 'Power' : 'Consumption of the hour'}: ${value} (${isAbove ? 'above' : 'below'} ${threshold})`,
    da: `${isPower ? 'Effekt' : 'Timens forbrug'}: ${value} (${isAbove ? 'over' : 'under'} ${threshold})`,
  }
}

const subjectOf = ({ name, instanceName }: Pick<Triggered, 'name' | 'instanceName'>): InBoth => ({
  en: `Alert: ${name} (${instanceName})`,
  da: `Alarm: ${name} (${instanceName})`,
})

export const alertPush = (about: Value & Pick<Triggered, 'name' | 'instanceName' | 'isSimulated' | 'tMs'>) => ({
  title: subjectOf(about),
  body: inLines([valueText(about), formatDateTime(about.tMs), about.isSimulated ? simulatedFigures : null]),
})

export const alertTriggered = (about: Triggered): Letter => {
  const { name, instanceName, isSimulated, criteria, unit, tMs, link, triggers } = about
  const [value, extreme] = [valueText(about), amountIn(unit)(about.extreme)]
  const [at, since] = [formatDateTime(tMs), formatDateTime(about.firstMs)]
  const [isAbove, isOne] = [criteria === 'gt', triggers === 1]
  return letter({
    subject: subjectOf(about),
    body: [
      isOne
        ? { en: `${name} was triggered on ${instanceName}.`, da: `${name} blev udløst på ${instanceName}.` }
        : {
            en: `${name} was triggered ${triggers} times on ${instanceName} since ${since}.`,
            da: `${name} blev udløst ${triggers} gange på ${instanceName} siden ${since}.`,
          },
      {
        en: [value.en, `When: ${at}`, ...(isOne ? [] : [`${isAbove ? 'Highest' : 'Lowest'}: ${extreme}`])].join('\n'),
        da: [value.da, `Tidspunkt: ${at}`, ...(isOne ? [] : [`${isAbove ? 'Højeste' : 'Laveste'}: ${extreme}`])].join(
          '\n',
        ),
      },
      isSimulated ? simulatedFigures : null,
      danishTimes,
      { en: `See it in Gridmast: ${link}`, da: `Se den i Gridmast: ${link}` },
    ],
  })
}
