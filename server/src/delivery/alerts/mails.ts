import type { AlertCriteria, AlertType } from '@gridmast/contract/delivery/alerts.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { mailWords } from '#people/letters/mail-words.ts'
import type { Letter } from '#platform/messaging/mail.ts'

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
  /** In this mail, the newest of which is `value` at `tMs`. */
  triggers: number
  firstMs: number
  /** The value furthest from the threshold. */
  extreme: number
}

export const alertTriggered = (about: Triggered): Letter => {
  const { name, instanceName, isSimulated, type, criteria, unit, tMs, link, triggers } = about
  const amount = (number: number) => `${formatNumber(number, { minDecimals: 0 })} ${unit}`
  const [value, threshold] = [amount(about.value), amount(about.threshold)]
  const at = formatDateTime(tMs)
  const since = formatDateTime(about.firstMs)
  const [what, hvad] = type === 'power' ? ['Power', 'Effekt'] : ['Consumption of the hour', 'Timens forbrug']
  const [than, end] = criteria === 'gt' ? ['above', 'over'] : ['below', 'under']
  const [most, mest] = criteria === 'gt' ? ['Highest', 'Højeste'] : ['Lowest', 'Laveste']
  const isOne = triggers === 1
  return {
    en: {
      subject: `Alert: ${name} (${instanceName})`,
      text: [
        isOne
          ? `${name} was triggered on ${instanceName}.`
          : `${name} was triggered ${triggers} times on ${instanceName} since ${since}.`,
        `${what}: ${value} (${than} ${threshold})\nWhen: ${at}${isOne ? '' : `\n${most}: ${amount(about.extreme)}`}`,
        ...(isSimulated ? [mailWords.en.simulated] : []),
        mailWords.en.times,
        `See it in Gridmast: ${link}`,
      ].join('\n\n'),
    },
    da: {
      subject: `Alarm: ${name} (${instanceName})`,
      text: [
        isOne
          ? `${name} blev udløst på ${instanceName}.`
          : `${name} blev udløst ${triggers} gange på ${instanceName} siden ${since}.`,
        `${hvad}: ${value} (${end} ${threshold})\nTidspunkt: ${at}${isOne ? '' : `\n${mest}: ${amount(about.extreme)}`}`,
        ...(isSimulated ? [mailWords.da.simulated] : []),
        mailWords.da.times,
        `Se den i Gridmast: ${link}`,
      ].join('\n\n'),
    },
  }
}
