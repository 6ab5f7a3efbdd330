import { sql } from 'kysely'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows, updateRows } from '#platform/records/rows.ts'
import { getDayAhead, type Resolution } from '#grid/published/published-prices.ts'

export const findPriceSignals = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'price_signal').selectAll().orderBy('position').execute()

const signalQuery = (tx: Tx, customerId: string, id: string | undefined) => {
  const signals = selectRows(tx, customerId, 'price_signal')
    .select(['price_signal_id', 'name', 'area', 'tax_dkk_per_mwh'])
    .orderBy('position')
    .limit(1)
  return id ? signals.where('price_signal_id', '=', id) : signals
}

export const getPriceSignal = (tx: Tx, customerId: string, id: string | undefined) =>
  signalQuery(tx, customerId, id).executeTakeFirstOrThrow(notFound)
type PriceSignalRow = Awaited<ReturnType<typeof getPriceSignal>>

export const getSignalDay = async (
  tx: Tx,
  customerId: string,
  id: string | undefined,
  date: string,
  resolution: Resolution,
) => {
  const day = await getDayAhead(tx, sql<PriceSignalRow>`${signalQuery(tx, customerId, id)}`, date, resolution)
  if (!day) throw notFound()
  return day
}

export const lockPriceSignals = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'price_signal').selectAll().orderBy('position').forUpdate().execute()

export const saveTax = (tx: Tx, customerId: string, id: string, dkkPerMwh: string) =>
  updateRows(tx, customerId, 'price_signal', { price_signal_id: id }).set({ tax_dkk_per_mwh: dkkPerMwh }).execute()
