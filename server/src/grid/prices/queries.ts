import { sql } from 'kysely'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows, updateRows } from '#platform/records/rows.ts'
import { getDayAhead, type Resolution } from '#grid/published/published-prices.ts'

export const findPriceSignals = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'price_signal').selectAll().orderBy('position').execute()

const ownSignal = (tx: Tx, customerId: string, id: string | undefined) => {
  const own = selectRows(tx, customerId, 'price_signal')
    .select(['price_signal_id', 'name', 'area', 'tax_dkk_per_mwh'])
    .orderBy('position')
    .limit(1)
  return id ? own.where('price_signal_id', '=', id) : own
}

export const getPriceSignal = (tx: Tx, customerId: string, id: string | undefined) =>
  ownSignal(tx, customerId, id).executeTakeFirstOrThrow(notFound)
type OwnSignal = Awaited<ReturnType<typeof getPriceSignal>>

export const getOwnDayAhead = async (
  tx: Tx,
  customerId: string,
  id: string | undefined,
  date: string,
  resolution: Resolution,
) => {
  const found = await getDayAhead(tx, sql<OwnSignal>`${ownSignal(tx, customerId, id)}`, date, resolution)
  if (!found) throw notFound()
  return found
}

export const lockPriceSignals = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'price_signal').selectAll().orderBy('position').forUpdate().execute()

export const saveTax = (tx: Tx, customerId: string, id: string, dkkPerMwh: string) =>
  updateRows(tx, customerId, 'price_signal', { price_signal_id: id }).set({ tax_dkk_per_mwh: dkkPerMwh }).execute()
