import type { Sentence } from '#i18n/da.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { systemStatus } from '@gridmast/contract/operator/system.ts'

/** `words` names the data, `from` who publishes it and under which name. */
export type SourceName = { words: string; from: string }

const publishers = new Map<string, string>(
  Object.entries({
    'energi-data-service': 'Energi Data Service',
    entsoe: 'ENTSO-E',
    eloverblik: 'Eloverblik',
    'european-central-bank': 'European Central Bank',
    statnett: 'Statnett',
  }),
)

const datasets = new Map<string, { words: Sentence }>(
  Object.entries({
    DayAheadPrices: { words: 'Day-ahead prices' },
    Elspotprices: { words: 'Day-ahead prices to 09.2025' },
    FcrDK1: { words: 'FCR prices' },
    FcrNdDK2: { words: 'FCR-N and FCR-D prices' },
    AfrrReservesNordic: { words: 'aFRR capacity prices' },
    MfrrCapacityMarket: { words: 'mFRR capacity prices' },
    MfrrCapacityMarketExtra: { words: 'mFRR capacity prices, extra' },
    FfrDK2: { words: 'FFR prices' },
    ImbalancePrice: { words: 'Imbalance, aFRR energy' },
    MfrrEnergyActivationMarket: { words: 'mFRR energy prices' },
    CO2Emis: { words: 'Emission' },
    CO2EmisProg: { words: 'Emission Prognosis' },
    DatahubPricelist: { words: 'Tariffs' },
    MeterData: { words: 'Meter readings' },
    Token: { words: 'Access to meters' },
    'A44 SE1': { words: 'Day-ahead prices SE1' },
    'A44 SE2': { words: 'Day-ahead prices SE2' },
    EUR: { words: 'Exchange rates' },
    BySecond: { words: 'Frequency DK2' },
  }),
)

/** A source by the name that the server gives it: `connector: dataset`, or `Edge key`. What is not known keeps its own name. */
export const nameOf = (source: string): SourceName => {
  if (source.startsWith('Edge ')) return { words: source, from: 'MQTT' }
  const [connector = '', dataset = ''] = source.split(': ')
  const publisher = publishers.get(connector) ?? connector
  return { words: datasets.get(dataset)?.words ?? source, from: `${publisher} · ${dataset}` }
}

export type Source = Data<typeof systemStatus>['sources'][number]
export type SourceState = 'fresh' | 'stale' | 'failed' | 'silent'

/** Edges report all the time; market data is published once a day, and two hours late is still on time. */
const edgeLateS = limits.edgeAliveMs / 1000
const marketLateS = 26 * 3600
const publishedLateS = 2 * 3600

export const isEdge = ({ source }: Pick<Source, 'source'>): boolean => source.startsWith('Edge ')

/** Of published data, by how much earlier it ends than it should. */
export const isLate = (lateS: number): boolean => lateS > publishedLateS

export const stateOf = ({ source, lagS, lateS, detail }: Source): SourceState => {
  if (detail !== null) return 'failed'
  if (lagS === null) return 'silent'
  // A source that answers, but with nothing new, is as stale as one that does not.
  if (isLate(lateS ?? 0)) return 'stale'
  return lagS > (isEdge({ source }) ? edgeLateS : marketLateS) ? 'stale' : 'fresh'
}
