import type { Insertable } from 'kysely'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { ApiKey } from '#platform/records/db-types.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, lockCustomer, selectRows, updateRows, onKey } from '#platform/records/rows.ts'

export const findKeys = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('api_key')
    .innerJoin('app_user', onKey('app_user', 'api_key', 'user_id'))
    .select(['api_key.key_id', 'api_key.name', 'api_key.ending', 'api_key.scopes', 'app_user.email as created_by'])
    .select(['api_key.created_at', 'api_key.expires_at', 'api_key.last_used_at'])
    .where('api_key.customer_id', '=', customerId)
    .where('api_key.revoked_at', 'is', null)
    .orderBy('api_key.created_at', 'desc')
    .execute()

export const countKeys = async (tx: Tx, customerId: string, now: Date) => {
  await lockCustomer(tx, customerId)
  return countRows(
    selectRows(tx, customerId, 'api_key', { revoked_at: null }).where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]),
    ),
  )
}

export const addKey = async (tx: Tx, key: Insertable<ApiKey>) => {
  await tx.insertInto('api_key').values(key).execute()
}

export const revokeKey = async (tx: Tx, customerId: string, keyId: string, now: Date) => {
  const revoked = await updateRows(tx, customerId, 'api_key', { key_id: keyId, revoked_at: null })
    .set({ revoked_at: now })
    .returning(['name', 'ending'])
    .executeTakeFirst()
  if (revoked) rowChanged(tx, 'session', keyId)
  return revoked
}
