import type { Tx } from '#platform/records.ts'
import { notFound } from '#platform/errors.ts'

/** Frequency signals of the customer with the number of the series behind each, in the customer's order (security rule T3). */
export const findFrequencySignals = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('frequency_signal')
    .innerJoin('signal', (join) =>
      join
        .onRef('signal.customer_id', '=', 'frequency_signal.customer_id')
        .onRef('signal.signal_id', '=', 'frequency_signal.signal_id'),
    )
    .select(['frequency_signal.frequency_id', 'frequency_signal.name', 'frequency_signal.area', 'signal.no'])
    .where('frequency_signal.customer_id', '=', customerId)
    .orderBy('frequency_signal.position')
    .execute()

/** The signal asked for, or the customer's first one. */
export const getFrequencySignal = async (tx: Tx, customerId: string, id: string | undefined) => {
  const signals = await findFrequencySignals(tx, customerId)
  const signal = id ? signals.find((one) => one.frequency_id === id) : signals[0]
  if (!signal) throw notFound()
  return signal
}
