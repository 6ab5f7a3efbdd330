import { openStates } from '#charging/chargers/connectors.ts'
import type { Tx } from '#platform/records/records.ts'

export const openOf = (tx: Tx, customerId: string, of: { tagId: string } | { groupId: string }) =>
  tx
    .selectFrom('charger_transaction as s')
    .innerJoin('charger as c', (join) =>
      join.onRef('c.customer_id', '=', 's.customer_id').onRef('c.charger_id', '=', 's.charger_id'),
    )
    .innerJoin('charger_tag as t', (join) =>
      join.onRef('t.customer_id', '=', 's.customer_id').onRef('t.tag_id', '=', 's.tag_id'),
    )
    .select(['s.transaction_id', 's.charger_id', 's.evse_no', 'c.name'])
    .where('s.customer_id', '=', customerId)
    .where('s.state', 'in', openStates)
    .where('s.refused', '=', false)
    .$if('tagId' in of, (rows) => rows.where('t.tag_id', '=', 'tagId' in of ? of.tagId : ''))
    .$if('groupId' in of, (rows) => rows.where('t.group_id', '=', 'groupId' in of ? of.groupId : ''))
    .orderBy('c.name')
    .orderBy('s.evse_no')
    .execute()

export const countRunning = async (...asked: Parameters<typeof openOf>): Promise<number> =>
  (await openOf(...asked)).length
