import { type AlertForm, createAlert } from '@gridmast/contract/delivery/alerts.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import type { Portal } from './portal.ts'

type Wish = Omit<AlertForm, 'email' | 'properties'> & {
  instance: string
  properties: Partial<AlertForm['properties']> & Pick<AlertForm['properties'], 'type' | 'alertInterval'>
}

export const wishes: readonly Wish[] = [
  {
    name: 'Fryser over 650 kW',
    instance: 'Esbjerg Fryselager',
    criteria: 'gt',
    value: 650,
    properties: { type: 'power', alertInterval: 20 },
  },
  {
    name: 'Køl 1 spidslast',
    instance: 'Nordhavn Køl 1',
    criteria: 'gt',
    value: 620,
    properties: { type: 'power', alertInterval: 15 },
  },
  {
    name: 'Køl 1 dyr time',
    instance: 'Nordhavn Køl 1',
    criteria: 'gt',
    value: 560,
    properties: { type: 'consumption', alertInterval: 60 },
  },
  {
    name: 'Ladepark om natten',
    instance: 'Nordhavn Ladepark',
    criteria: 'gt',
    value: 210,
    properties: { type: 'power', alertInterval: 30, startTime: '22:00', endTime: '06:00' },
  },
  {
    name: 'Batteri leverer til net',
    instance: 'Nordhavn Batteri',
    criteria: 'lt',
    value: 0,
    properties: { type: 'power', alertInterval: 0 },
  },
  {
    name: 'Varmepumpe over 400 kW',
    instance: 'Esbjerg Varmepumpe',
    criteria: 'gt',
    value: 400,
    properties: { type: 'power', alertInterval: 30 },
  },
  {
    name: 'Køl 2 står stille',
    instance: 'Nordhavn Køl 2',
    criteria: 'lt',
    value: 240,
    properties: { type: 'consumption', alertInterval: 60, notification: false },
  },
]

export const writeAlerts = async (ask: Portal['ask'], email: string): Promise<number> => {
  const { licenses } = await ask(findLicences, {})
  let written = 0
  for (const { instance, properties, ...rest } of wishes) {
    const licence = licenses.find(({ groups }) => groups.some(({ name }) => name === instance))
    const group = licence?.groups.find(({ name }) => name === instance)?._id
    if (!licence || !group) continue
    const whole = { notification: true, startTime: '00:00', endTime: '23:59', ...properties, group }
    const sent = { params: { id: licence._id }, body: { alert: { ...rest, email, properties: whole } } }
    await ask(createAlert, sent)
    written++
  }
  return written
}
