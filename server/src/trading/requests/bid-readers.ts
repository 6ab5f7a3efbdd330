import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'

/** Who wants mail of what becomes of an instance's bids on a market. */
export const findBidReaders = async (
  tx: Tx,
  customerId: string,
  instanceId: string,
  market: string,
): Promise<string[]> => {
  if (!isMarket(market)) return []
  const rows = await tx
    .selectFrom('email_subscription')
    .select('email')
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .where('event_type', '=', markets[market].group)
    .where('bid_result', '=', true)
    .where(sql<boolean>`is_confirmed(customer_id, email)`)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
