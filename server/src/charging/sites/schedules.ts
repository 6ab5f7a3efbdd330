import { quarterMs } from '@gridmast/contract/time.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, updateRows } from '#platform/records/rows.ts'

export type Schedule = { fromMs: number; watts: readonly number[] }

/** W of the whole charger at an instant; null before and after the plan. */
export const wattsAt = ({ fromMs, watts }: Schedule, ms: number): number | null =>
  watts[Math.floor((ms - fromMs) / quarterMs)] ?? null

export const endOf = ({ fromMs, watts }: Schedule): number => fromMs + watts.length * quarterMs

type ChargerSchedule = Schedule & { chargerId: string }

export const saveSchedules = async (
  tx: Tx,
  { customerId, planId }: { customerId: string; planId: string },
  schedules: readonly ChargerSchedule[],
): Promise<void> => {
  for (const { chargerId, fromMs, watts } of schedules) {
    const followed = {
      plan_id: planId,
      from_at: new Date(fromMs),
      watts: [...watts],
      told: null,
      told_at: null,
      answer: null,
    }
    await insertRow(tx, customerId, 'charger_schedule', { charger_id: chargerId, ...followed })
      .onConflict((conflict) => conflict.columns(['customer_id', 'charger_id']).doUpdateSet(followed))
      .execute()
    rowChanged(tx, 'charger-schedule', chargerId)
  }
}

export const endSchedules = async (tx: Tx, customerId: string, planId: string): Promise<void> => {
  const ended = await updateRows(tx, customerId, 'charger_schedule', { plan_id: planId })
    .set({ watts: [] })
    .returning('charger_id')
    .execute()
  for (const { charger_id } of ended) rowChanged(tx, 'charger-schedule', charger_id)
}
