import type { AlertCriteria, AlertType } from '@gridmast/contract/alerts.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime, zone } from '@gridmast/contract/time.ts'
import type { Letter } from '#platform/mail.ts'

export type Triggered = {
  name: string
  instanceName: string
  type: AlertType
  unit: string
  criteria: AlertCriteria
  threshold: number
  value: number
  tMs: number
  link: string
}

export const alertTriggered = ({ name, instanceName, type, criteria, unit, tMs, link, ...told }: Triggered): Letter => {
  const amount = (number: number) => `${formatNumber(number, { minDecimals: 0 })} ${unit}`
  const [value, threshold] = [amount(told.value), amount(told.threshold)]
  const at = `${formatDateTime(tMs)} (${zone})`
  const [what, hvad] = type === 'power' ? ['Power', 'Effekt'] : ['Consumption of the hour', 'Timens forbrug']
  const [than, end] = criteria === 'gt' ? ['above', 'over'] : ['below', 'under']
  return {
    en: {
      subject: `Alert: ${name} (${instanceName})`,
      text: [
        `${name} was triggered on ${instanceName}.`,
        `${what}: ${value} (${than} ${threshold})\nWhen: ${at}`,
        `See it in Gridmast: ${link}`,
      ].join('\n\n'),
    },
    da: {
      subject: `Alarm: ${name} (${instanceName})`,
      text: [
        `${name} blev udløst på ${instanceName}.`,
        `${hvad}: ${value} (${end} ${threshold})\nTidspunkt: ${at}`,
        `Se den i Gridmast: ${link}`,
      ].join('\n\n'),
    },
  }
}
