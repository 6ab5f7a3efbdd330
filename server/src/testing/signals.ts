import { idOf } from '#platform/records/ids.ts'
import type { Records } from '#platform/records/records.ts'
import { storedRow } from './rows.ts'

/** The number of a signal of one of the instances in factories.ts. */
export const signalNo = async (
  records: Records,
  customer: 'north' | 'west',
  instance: 'cold' | 'heat',
  kind: string,
): Promise<number> =>
  (await storedRow(records, 'signal', { signal_id: idOf('signal', customer, instance, kind) }, ['no'])).no

const sources = {
  co2: { unit: 'g/kWh', source: 'energi-data-service', dataset: 'CO2Emis' },
  co2Prognosis: { unit: 'g/kWh', source: 'energi-data-service', dataset: 'CO2EmisProg' },
  frequency: { unit: 'Hz', source: 'statnett', dataset: 'Frequency' },
}

/** Adds the public series of an area and returns its number. */
export const addPublicSignal = async (
  records: Records,
  area: string,
  kind: keyof typeof sources,
  more: { last_reported_at?: Date } = {},
): Promise<number> => {
  const row = { area, kind, ...sources[kind], ...more }
  const { no } = await records.system((tx) =>
    tx.insertInto('public_signal').values(row).returning('no').executeTakeFirstOrThrow(),
  )
  return no
}
