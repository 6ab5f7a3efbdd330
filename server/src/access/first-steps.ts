import { recordedSteps, type RecordedStep } from '@gridmast/contract/people/first-step-gates.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** Steps of the company without their rows. */
export const findOpenSteps = async (tx: Tx, customerId: string): Promise<RecordedStep[]> => {
  const [done] = await sqlRows<Record<RecordedStep, boolean>>(tx)`
    select
      exists (select from licence where customer_id = ${customerId} and enabled) as licence,
      exists (select from instance_contract where customer_id = ${customerId}) as contract,
      exists (select from edge where customer_id = ${customerId} and last_reported_at is not null) as edge,
      exists (select from meter where customer_id = ${customerId} and enabled) as meters,
      exists (select from alert where customer_id = ${customerId}) as alert,
      exists (select from app_user where customer_id = ${customerId} and enabled and totp_confirmed_at is not null) as "secondFactor",
      (select count(*) >= 2 from app_user where customer_id = ${customerId} and enabled) as "user"`
  return recordedSteps.filter((step) => !done?.[step])
}
