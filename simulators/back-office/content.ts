import type { Sent } from '@gridmast/contract/call.ts'
import { type AlertForm, createAlert } from '@gridmast/contract/delivery/alerts.ts'
import { hasEvents } from '@gridmast/contract/markets.ts'
import { addEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import { createSupportNote, updateSupportNote } from '@gridmast/contract/people/support-notes.ts'
import { addDays, today, weekday } from '@gridmast/contract/time.ts'
import { type BidRequestForm, createBidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { findInstances, type Portal } from './portal.ts'

/* Alerts, bid requests, subscriptions and support notes of Nordhavn, written once. */

type Ask = Portal['ask']

type Alert = Omit<AlertForm, 'email' | 'properties'> & {
  instance: string
  properties: Partial<AlertForm['properties']> & Pick<AlertForm['properties'], 'type' | 'alertInterval'>
}

export const alerts: readonly Alert[] = [
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

export const writeAlerts = async (ask: Ask, email: string): Promise<number> => {
  const instances = await findInstances(ask)
  for (const { instance, properties, ...rest } of alerts) {
    const { instanceId: group, licenceId: id } = instances.get(instance)
    const whole = { notification: true, startTime: '00:00', endTime: '23:59', ...properties, group }
    await ask(createAlert, { params: { id }, body: { alert: { ...rest, email, properties: whole } } })
  }
  return alerts.length
}

type Bid = Pick<BidRequestForm, 'biddingMarket' | 'note' | 'customBidding' | 'capacity' | 'price'> & {
  instance: string
  inDays: number
  days: number
}

const hours = (of: (hour: number) => number) => Array.from({ length: 24 }, (_, hour) => of(hour))

export const bids: readonly Bid[] = [
  {
    instance: 'Nordhavn Køl 1',
    biddingMarket: 'FCR-D-INC',
    inDays: 15,
    days: 7,
    customBidding: true,
    capacity: hours((hour) => (hour >= 7 && hour < 19 ? 0.4 : 0.3)),
    price: hours((hour) => (hour >= 7 && hour < 19 ? 18.5 : 11)),
    note: 'Ugen er planlagt, priser gennemgås mandag',
  },
  {
    instance: 'Nordhavn Køl 2',
    biddingMarket: 'FCR-D-DEC',
    inDays: 15,
    days: 14,
    customBidding: false,
    capacity: [],
    price: [],
    note: 'Overlades til kontrakten',
  },
]

/** From the first Monday at least `inDays` ahead. */
export const writeBids = async (ask: Ask, nowMs: number): Promise<number> => {
  const instances = await findInstances(ask)
  for (const { instance, inDays, days, ...rest } of bids) {
    const { instanceId: groupId, licenceId: licenseId } = instances.get(instance)
    const from = addDays(today(nowMs), inDays)
    const startDate = addDays(from, (8 - weekday(from)) % 7)
    const form = { ...rest, startDate, endDate: addDays(startDate, days - 1), excludedDays: [] }
    await ask(createBidRequest, { body: { ...form, licenseId, groupId } })
  }
  return bids.length
}

export const subscribed: readonly string[] = ['Nordhavn Køl 1', 'Nordhavn Batteri', 'Esbjerg Varmepumpe']

export const writeSubscriptions = async (ask: Ask, email: string): Promise<number> => {
  const instances = await findInstances(ask)
  for (const name of subscribed) {
    const { instanceId, licence } = instances.get(name)
    const eventType = hasEvents([licence], 'frr_based') ? 'frr_based' : 'fcr_based'
    const both = { activation: true, bidResult: true }
    const body: Sent<typeof addEmailSubscriptions>['body'] = { emails: [email], instanceId, eventType, ...both }
    await ask(addEmailSubscriptions, { body })
  }
  return subscribed.length
}

type Note = { title: string; description: string; daysAgo: number; settled: boolean }

export const notes: readonly Note[] = [
  {
    title: 'Fuldmagt til Nordhavn Logistik',
    description:
      'Vi har givet fuldmagt i Eloverblik til målerne på Dokvej i dag.\n- Kan I se dem hos jer?\n- Hvor længe går der, før de ældre målinger er hentet?',
    daysAgo: 12,
    settled: true,
  },
  {
    title: 'Hul i målingerne på Værksted',
    description:
      'Måleren på Orientkaj 8 mangler to timer om morgenen den 10. og den 20., og timen efter er et skøn.\n- Er det en fejl hos netselskabet?\n- Kommer værdierne senere?',
    daysAgo: 1,
    settled: false,
  },
]

export const writeNotes = async (ask: Ask, nowMs: number): Promise<number> => {
  for (const { title, description, daysAgo, settled } of notes) {
    const note = { title, description, released: addDays(today(nowMs), -daysAgo), enable: true }
    const { supportNote } = await ask(createSupportNote, { body: { supportNote: note } })
    if (!settled) continue
    await ask(updateSupportNote, { params: { id: supportNote._id }, body: { supportNote: { ...note, enable: false } } })
  }
  return notes.length
}
