import type { ChargerTag, ChargerTagGroup } from '@gridmast/contract/charging/tags.ts'
import type { ApiKey } from '@gridmast/contract/people/api-keys.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import type { powerCost } from '@gridmast/contract/grid/prices.ts'
import { slots } from '@gridmast/contract/slots.ts'
import type { PublishedSource } from '@gridmast/contract/source.ts'
import type { TriggeredAlert } from '@gridmast/contract/notifications/triggered.ts'

export const someKey: ApiKey = {
  _id: '01930000-0000-7000-8000-000000000001',
  name: 'Energy report',
  ending: 'U9uQ',
  scopes: ['power.read'],
  createdBy: 'sudoer@nordhavn.example',
  createdAt: '2026-11-20T17:12:08Z',
  expiresAt: null,
  lastUsedAt: '2026-11-20T17:12:08Z',
}

type Sum = Data<typeof powerCapacitySum>

/** What one instance has available. */
export const readyInstance = (_id: string, name: string, kw: number | null): Sum['instances'][number] => ({
  _id,
  name,
  kw,
  simulated: false,
  lastReported: kw === null ? null : new Date().toISOString(),
})

export const someCapacity = (over: Partial<Sum> = {}): Sum => ({
  graph: [],
  instances: [],
  soldKw: null,
  simulated: false,
  from: '2026-11-20T10:00:00Z',
  to: '2026-11-20T10:01:00Z',
  lastReported: new Date().toISOString(),
  ...over,
})

export const someSource = (dataset = 'DayAheadPrices'): PublishedSource => ({
  name: 'Energi Data Service',
  dataset,
  licence: null,
  simulated: true,
})

type PowerCost = Data<typeof powerCost>

/** A day-ahead price for each hour of a local day, with the tax of `somePowerCost`. */
export const hourPrices = (date: string, priceOf: (hour: number) => number): PowerCost['prices'] =>
  slots('hour', date).map(({ fromMs, toMs, index }) => ({
    start_time: new Date(fromMs).toISOString(),
    end_time: new Date(toMs).toISOString(),
    price: `${priceOf(index)}`,
    priceTaxIncluded: `${priceOf(index) + 119}`,
  }))

export const somePowerCost = (over: Partial<PowerCost> = {}): PowerCost => ({
  graph: [],
  prices: [],
  unit: 'DKK/MWh',
  area: 'DK2',
  tax: '119',
  basis: 'dataset',
  exchange: null,
  lastReported: null,
  source: someSource(),
  ...over,
})

export const someGroup: ChargerTagGroup = {
  _id: '44444444-4444-4444-8444-000000000070',
  name: 'Vans',
  action: true,
  tagCount: 1,
  budget: null,
  createdAt: '2026-11-01T10:00:00.000Z',
}
export const someTag: ChargerTag = {
  _id: '44444444-4444-4444-8444-000000000080',
  name: 'Lene Ravn',
  tagID: '04A219B7',
  action: true,
  groupId: someGroup._id,
  groupData: { name: 'Vans', action: true },
  properties: { chargingType: 'tagId' },
  budget: null,
  createdAt: '2026-11-01T10:00:00.000Z',
}

export const someTriggered: TriggeredAlert = {
  _id: '01930000-0000-7000-8000-000000000002',
  name: 'Cold above 400',
  type: 'power',
  criteria: 'gt',
  threshold: 400.5,
  value: 412.5,
  triggerTime: '2026-11-20T12:34:00Z',
  crossedAt: '2026-11-20T12:24:00Z',
  late: false,
  group: '01930000-0000-7000-8000-000000000011',
  groupName: 'Cold store 1',
  source: 'FCR-D-INC',
  acknowledgedAt: null,
  acknowledgedBy: null,
  comment: '',
  about: null,
  closedAt: null,
}
