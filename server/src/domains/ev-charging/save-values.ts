import type { Records } from '#platform/records.ts'
import type { Readings } from '#readings/readings.ts'
import type { Charger } from './directory.ts'
import type { Register } from './group-commit.ts'
import { type ChargerSignalKind, chargerSignalKinds, type Reading } from './meter-values.ts'

/** Where readings go: series to the readings store, registers to the ledger beside the transactions. */

export const registersOf = ({ customerId, chargerId }: Charger, evse: number, readings: readonly Reading[]) =>
  readings
    .filter(({ kind }) => kind === 'energy')
    .map(({ atMs, value, context }): Register => ({
      ...{ customer_id: customerId, charger_id: chargerId, evse_no: evse },
      ...{ at: new Date(atMs), context: context.slice(0, 40), wh: value.toFixed(3) },
    }))

type Numbers = Record<ChargerSignalKind, number>

/** Of an outlet, made when it measures for the first time. */
const signalNumbers = (records: Records, { customerId, chargerId }: Charger, evse: number): Promise<Numbers> =>
  records.system(async (tx) => {
    const own = { customer_id: customerId, charger_id: chargerId, evse_no: evse }
    await tx
      .insertInto('charger_signal')
      .values(chargerSignalKinds.map((kind) => ({ ...own, kind })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const rows = await tx
      .selectFrom('charger_signal')
      .select(['kind', 'no'])
      .where('customer_id', '=', customerId)
      .where('charger_id', '=', chargerId)
      .where('evse_no', '=', evse)
      .execute()
    return Object.fromEntries(rows.map(({ kind, no }) => [kind, no])) as Numbers // all kinds were made just before
  })

/** An outlet in the number range of the protocol; others are counted as a deviation and measured nowhere. */
const mostOutlets = 64

export const openValues = (records: Records, readings: Readings) => {
  const known = new Map<string, Promise<Numbers>>()
  const numbersOf = (charger: Charger, evse: number): Promise<Numbers> => {
    const key = `${charger.chargerId} ${evse}`
    const found = known.get(key) ?? signalNumbers(records, charger, evse)
    known.set(key, found)
    found.catch(() => known.delete(key))
    return found
  }
  return {
    isOutlet: (evse: number): boolean => Number.isInteger(evse) && evse >= 0 && evse <= mostOutlets,
    /** Resolves when they are on disk. The same sample again is the same sample. */
    save: async (charger: Charger, evse: number, found: readonly Reading[]): Promise<void> => {
      if (found.length === 0) return
      const numbers = await numbersOf(charger, evse)
      await readings.insert(
        found.map(({ kind, atMs, value }) => ({ signalNo: numbers[kind], t0Ms: atMs, dtMs: 1000, values: [value] })),
      )
    },
  }
}
