import type { Data } from '@gridmast/contract/call.ts'
import type { powerCost } from '@gridmast/contract/grid/prices.ts'
import { slots } from '@gridmast/contract/slots.ts'
import type { PublishedSource } from '@gridmast/contract/source.ts'

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
