import { getChargingChoice, saveChargingChoice } from '@gridmast/contract/charging/ev-charging.ts'
import { route } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { findRow, insertRow } from '#platform/records/rows.ts'

const read = async (tx: Tx, customerId: string) => {
  const row = await findRow(tx, customerId, 'charging_choice', {}, ['one_session'])
  return { oneSession: row?.one_session ?? false }
}

const get = route(getChargingChoice, async ({ own }) => own(read))

const save = route(saveChargingChoice, async ({ own, audit, body }) =>
  own(async (tx, customerId) => {
    const before = await read(tx, customerId)
    const one_session = body.oneSession
    await insertRow(tx, customerId, 'charging_choice', { one_session })
      .onConflict((conflict) => conflict.column('customer_id').doUpdateSet({ one_session }))
      .execute()
    await audit(tx, 'charging-choice.save', 'Tags', { before, after: body })
  }),
)

export const choices = [get, save]
