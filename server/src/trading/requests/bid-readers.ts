import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'

export const findBidReaders = async (
  tx: Tx,
  customerId: string,
  instanceId: string,
  market: string,
): Promise<string[]> => {
  if (!isMarket(market)) return []
  const rows = await selectRows(tx, customerId, 'email_subscription', {
    instance_id: instanceId,
    event_type: markets[market].group,
    bid_result: true,
  })
    .select('email')
    .where(sql<boolean>`is_confirmed(customer_id, email)`)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
