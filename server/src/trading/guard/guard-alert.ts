import { m } from '@gridmast/contract/messages.ts'
import type { RiskSlot } from '@gridmast/contract/trading/penalty-guard.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow } from '#platform/records/rows.ts'

/** Alerts of the guard of sold capacity have no rule of a company; as rows of the company's alerts they appear in the bell and the lists. */

type GuardAlert = {
  customerId: string
  instanceId: string
  triggerId: string
  market: string
  slots: readonly RiskSlot[]
  nowMs: number
}

const missing = ({ shortKw, soldKw }: RiskSlot) => shortKw ?? soldKw

export const addGuardAlert = (tx: Tx, { customerId, instanceId, triggerId, market, slots, nowMs }: GuardAlert) => {
  const [first] = slots
  if (!first) throw new Error('an alert of the guard names a period')
  const worst = slots.reduce((a, b) => (missing(a) >= missing(b) ? a : b), first)
  const at = new Date(nowMs)
  return insertRow(tx, customerId, 'alert_trigger', {
    trigger_id: triggerId,
    alert_id: null,
    instance_id: instanceId,
    name: m.soldCapacityAtRisk,
    type: 'sold-capacity',
    criteria: 'lt',
    threshold: worst.soldKw,
    value: worst.expectedKw,
    triggered_at: at,
    crossed_at: at,
    late: false,
    notification: true,
    about: JSON.stringify({ market, slots }),
  }).execute()
}

export const closeGuardAlerts = (tx: Tx, customerId: string, triggerIds: readonly string[], at: Date) =>
  tx
    .updateTable('alert_trigger as t')
    .set({ closed_at: at })
    .where('t.customer_id', '=', customerId)
    .where('t.trigger_id', 'in', triggerIds)
    .where('t.closed_at', 'is', null)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('sold_risk as r')
            .select('r.product')
            .whereRef('r.customer_id', '=', 't.customer_id')
            .whereRef('r.trigger_id', '=', 't.trigger_id')
            .where('r.closed_at', 'is', null),
        ),
      ),
    )
    .execute()
