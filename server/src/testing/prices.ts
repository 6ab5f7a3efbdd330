import type { PriceRow } from '#connectors/energi-data-service/parse.ts'
import type { Records } from '#platform/records/records.ts'
import { savePrices } from './published.ts'

type Given = Pick<PriceRow, 'market' | 'area'> & Partial<PriceRow> & { at: string }

/** Stores published prices; default one hour, per MW, EUR only. */
export const putPrices = (records: Records, rows: readonly Given[], nowIso: string) =>
  records.system((tx) =>
    savePrices(
      tx,
      rows.map(({ at, ...row }) => ({
        product: '',
        auction: '',
        startsAtMs: Date.parse(at),
        durationS: 3600,
        priceEur: null,
        priceDkk: null,
        volumeMw: null,
        unit: 'MW',
        ...row,
      })),
      { source: 'energi-data-service', simulated: false },
      Date.parse(nowIso),
    ),
  )

export const putRates = (records: Records, rates: Record<string, string>) =>
  records.system(async (tx) => {
    await tx
      .insertInto('exchange_rate')
      .values(
        Object.entries(rates).map(([day, dkk_per_unit]) => ({
          currency: 'EUR',
          day,
          dkk_per_unit,
          source: 'test',
          fetched_at: new Date(1),
        })),
      )
      .execute()
  })
