import type { Tx } from '#platform/records/records.ts'

/** Whether the customer has all of these instances. */
export const hasInstances = async (tx: Tx, customerId: string, instanceIds: string[]): Promise<boolean> => {
  const found = await tx
    .selectFrom('instance')
    .select('instance_id')
    .where('customer_id', '=', customerId)
    .where('instance_id', 'in', instanceIds)
    .execute()
  return found.length === new Set(instanceIds).size
}
