import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'

export const hasInstances = async (tx: Tx, customerId: string, instanceIds: string[]): Promise<boolean> => {
  const found = await selectRows(tx, customerId, 'instance', { instance_id: instanceIds })
    .select('instance_id')
    .execute()
  return found.length === new Set(instanceIds).size
}
