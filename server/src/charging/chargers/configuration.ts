import type { Tx } from '#platform/records/records.ts'
import { updateRows } from '#platform/records/rows.ts'
import type { Variable } from '#protocols/ocpp/orders.ts'

type Of = { customerId: string; chargerId: string }

const mostVariables = 2000
/** Credentials of a charger are never shown. */
const hidden = /AuthorizationKey|BasicAuthPassword/i

export const saveVariables = async (tx: Tx, of: Of, found: readonly Variable[], now: Date, isWhole: boolean) => {
  const own = { customer_id: of.customerId, charger_id: of.chargerId }
  // An upsert must not write the same row twice.
  const rows = [...new Map(found.map((one) => [`${one.component} ${one.variable}`, one])).values()].slice(
    0,
    mostVariables,
  )
  for (let from = 0; from < rows.length; from += 500)
    await tx
      .insertInto('charger_variable')
      .values(
        rows.slice(from, from + 500).map(({ component, variable, value, isReadOnly }) => ({
          ...own,
          component: component.slice(0, 60),
          variable: variable.slice(0, 60),
          read_at: now,
          value: hidden.test(variable) ? null : value,
          read_only: isReadOnly,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['customer_id', 'charger_id', 'component', 'variable']).doUpdateSet((with_) => ({
          value: with_.ref('excluded.value'),
          // The answer for a single setting does not state whether it is writable.
          ...(isWhole ? { read_only: with_.ref('excluded.read_only') } : {}),
          read_at: now,
        })),
      )
      .execute()
  if (!isWhole) return
  await updateRows(tx, of.customerId, 'charger', { charger_id: of.chargerId })
    .set({ configuration_read_at: now })
    .execute()
}

export const saveProgress = (tx: Tx, of: Of, what: 'firmware' | 'diagnostics', status: string, now: Date) =>
  updateRows(tx, of.customerId, 'charger', { charger_id: of.chargerId })
    .set(
      what === 'firmware'
        ? { firmware_status: status.slice(0, 60), firmware_status_at: now }
        : { diagnostics_status: status.slice(0, 60), diagnostics_status_at: now },
    )
    .execute()
