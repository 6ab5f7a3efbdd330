import { m } from '@gridmast/contract/messages.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows, onKey } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import { getSource } from '#grid/published/sources.ts'

/** Enabled frequency signals of the customer with the number of their series, in the customer's order (security rule T3). */
export const findFrequencySignals = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('frequency_signal')
    .innerJoin('signal', onKey('signal', 'frequency_signal', 'signal_id'))
    .innerJoin('instance', onKey('instance', 'signal', 'instance_id'))
    .innerJoin('edge', onKey('edge', 'instance', 'edge_id'))
    .select(['frequency_signal.frequency_id', 'frequency_signal.name', 'frequency_signal.area'])
    .select(['edge.simulated', 'signal.no'])
    .where('frequency_signal.customer_id', '=', customerId)
    .where('instance.enabled', '=', true)
    .orderBy('frequency_signal.position')
    .execute()

export const getFrequencySignal = async (readCached: Own['readCached'], id: string | undefined) => {
  const signals = await readCached(findFrequencySignals)
  const signal = id ? signals.find((one) => one.frequency_id === id) : signals[0]
  if (signal) return signal
  throw id ? new Refusal(404, m.frequencyNotEnabled(id)) : notFound()
}

export const findAreas = async (tx: Tx, customerId: string): Promise<string[]> => {
  const customer = await selectRows(tx, customerId, 'customer').select('areas').executeTakeFirstOrThrow()
  return customer.areas
}

/** Areas of one synchronous grid have one frequency (domain notes, section 0.1). */
const grids = [['DK1'], ['DK2', 'SE1', 'SE2', 'SE3', 'SE4']]

export const findPublicFrequency = async (tx: Tx, area: string) => {
  const grid = grids.find((areas) => areas.includes(area)) ?? [area]
  const signals = await tx
    .selectFrom('public_signal')
    .select(['no', 'area', 'source', 'dataset'])
    .where('kind', '=', 'frequency')
    .where('area', 'in', grid)
    .orderBy('area')
    .execute()
  const signal = signals.find((one) => one.area === area) ?? signals[0]
  return signal && { no: signal.no, source: { ...(await getSource(tx, signal)), area: signal.area } }
}
