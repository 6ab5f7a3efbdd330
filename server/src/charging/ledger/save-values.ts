import { sql } from 'kysely'
import type { Records } from '#platform/records/records.ts'
import type { Charger } from './directory.ts'
import type { Kept, Register } from './group-commit.ts'
import { type ChargerSignalKind, chargerSignalKinds, type Reading } from './meter-values.ts'

const registersOf = ({ customerId, chargerId }: Charger, evse: number, readings: readonly Reading[]) =>
  readings
    .filter(({ kind }) => kind === 'energy')
    .map(({ atMs, value, context }): Register => ({
      customer_id: customerId,
      charger_id: chargerId,
      evse_no: evse,
      at: new Date(atMs),
      context: context.slice(0, 40),
      wh: value.toFixed(3),
    }))

type Numbers = Partial<Record<ChargerSignalKind, number>>
type Outlet = { customer_id: string; charger_id: string; evse_no: number }
type Wanted = Outlet & { kinds: readonly ChargerSignalKind[] }

const keyOf = ({ charger_id, evse_no }: Outlet) => `${charger_id} ${evse_no}`

const signalNumbers = (records: Records, outlets: readonly Wanted[]) =>
  records.system(async (tx) => {
    const these = (some: readonly Outlet[]) =>
      sql`jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as o (customer_id uuid, charger_id uuid, evse_no integer, kind text)`
    const read = async () => {
      const { rows } = await sql<Outlet & { kind: ChargerSignalKind; no: number }>`
        select s.customer_id, s.charger_id, s.evse_no, s.kind, s.no from ${these(outlets)}
        join charger_signal s using (customer_id, charger_id, evse_no)`.execute(tx)
      return Map.groupBy(rows, keyOf)
    }
    const before = await read()
    const missing = outlets.flatMap(({ kinds, ...outlet }) =>
      kinds
        .filter((kind) => !before.get(keyOf(outlet))?.some((row) => row.kind === kind))
        .map((kind) => ({ ...outlet, kind })),
    )
    if (missing.length > 0)
      await sql`
        insert into charger_signal (customer_id, charger_id, evse_no, kind)
        select customer_id, charger_id, evse_no, kind from ${these(missing)}
        order by 1, 2, 3, 4 on conflict do nothing`.execute(tx)
    const found = missing.length > 0 ? await read() : before
    return new Map(
      [...found].map(([key, rows]) => [key, Object.fromEntries(rows.map(({ kind, no }) => [kind, no])) as Numbers]), // all kinds exist by now
    )
  })

/** EVSE numbers within the protocol's range; higher numbers count as a deviation and are not stored. */
const mostOutlets = 64

export const openValues = (records: Records) => {
  const known = new Map<string, Numbers>()
  const wanted = new Map<string, Wanted>()
  let learning: Promise<void> | undefined

  const learn = async () => {
    while (wanted.size > 0) {
      const outlets = [...wanted.values()]
      wanted.clear()
      for (const [key, numbers] of await signalNumbers(records, outlets)) known.set(key, numbers)
    }
  }
  const numbersOf = async (
    { customerId, chargerId }: Charger,
    evse: number,
    kinds: readonly ChargerSignalKind[],
  ): Promise<Numbers> => {
    const outlet = { customer_id: customerId, charger_id: chargerId, evse_no: evse }
    for (;;) {
      const found = known.get(keyOf(outlet))
      if (found && kinds.every((kind) => found[kind] !== undefined)) return found
      const others = wanted.get(keyOf(outlet))?.kinds ?? []
      wanted.set(keyOf(outlet), { ...outlet, kinds: [...new Set([...others, ...kinds])] })
      await (learning ??= learn().finally(() => (learning = undefined)))
    }
  }
  return {
    isOutlet: (evse: number): boolean => Number.isInteger(evse) && evse >= 0 && evse <= mostOutlets,
    of: async (charger: Charger, evse: number, found: readonly Reading[]): Promise<Kept> => {
      const kinds = new Set([...chargerSignalKinds, ...found.map(({ kind }) => kind)])
      const numbers = await numbersOf(charger, evse, [...kinds])
      return {
        registers: registersOf(charger, evse, found),
        runs: found.flatMap(({ kind, atMs, value }) => {
          const signalNo = numbers[kind]
          return signalNo === undefined ? [] : [{ signalNo, t0Ms: atMs, dtMs: 1000, values: [value] }]
        }),
      }
    },
  }
}
