import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { readByKey } from '#platform/records/read-cache.ts'
import type { Records } from '#platform/records/records.ts'
import type { Credentials } from '#protocols/ocpp/admission.ts'

export type Charger = Credentials & { customerId: string; maxKw: number }
export type ChargerKey = Pick<Charger, 'customerId' | 'chargerId'>

const claimDays = 90

type By = 'identity' | 'charger_id'

const readChargers = async (records: Records, by: By, keys: readonly string[], nowMs: number): Promise<Charger[]> => {
  const rows = await records.system((tx) =>
    tx
      .selectFrom('charger as c')
      .innerJoin('customer', 'customer.customer_id', 'c.customer_id')
      .select(['c.customer_id', 'customer.key', 'c.charger_id', 'c.identity', 'c.max_kw', 'c.security_profile'])
      .select(['c.password_hash', 'c.previous_hash', 'c.previous_until'])
      .select(
        sql<Charger['claim']>`case when c.security_profile < 3 then 'free' else coalesce((
          select case when o.charger_id = c.charger_id then 'own' else 'elsewhere' end from charger o
          where o.identity = c.identity and o.security_profile = 3 and o.enabled
            and o.unnamed_certificate_at > ${new Date(nowMs)}::timestamptz - ${claimDays} * interval '1 day'
          order by o.unnamed_certificate_at desc limit 1), 'free') end`.as('claim'),
      )
      .where('c.enabled', '=', true)
      .where(
        by === 'identity'
          ? sql<boolean>`c.identity = any(${keys}::text[])`
          : sql<boolean>`c.charger_id = any(${keys}::uuid[])`,
      )
      .orderBy('c.charger_id')
      .execute(),
  )
  return rows.map((row) => ({
    customerId: row.customer_id,
    customerKey: row.key,
    chargerId: row.charger_id,
    identity: row.identity,
    maxKw: Number(row.max_kw),
    claim: row.claim,
    securityProfile: row.security_profile,
    passwordHash: row.password_hash,
    previousHash: row.previous_until && row.previous_until.getTime() > nowMs ? row.previous_hash : null,
  }))
}

export const openDirectory = (records: Records, now: () => number) => {
  const byIdentity = readByKey(
    async (keys) => Map.groupBy(await readChargers(records, 'identity', keys, now()), ({ identity }) => identity),
    now,
  )
  const byId = readByKey(
    async (keys) =>
      new Map((await readChargers(records, 'charger_id', keys, now())).map((one) => [one.chargerId, one])),
    now,
  )
  return {
    find: async (identity: string, customerKey: string | null): Promise<readonly Charger[]> => {
      const named = (await byIdentity.find(identity)) ?? []
      return named.filter((one) => [null, one.customerKey].includes(customerKey))
    },
    get: byId.find,
    forget: (): void => {
      byIdentity.forget()
      byId.forget()
    },
  }
}

/**
 * The tag of starts from the portal: one per customer, at most 20 characters, hidden from its lists. A charger may request it before it begins
 * (AuthorizeRemoteTxRequests) and is answered Accepted.
 */
export const portalTagOf = (customerId: string): string =>
  `GM${createHash('sha256').update(`portal tag of ${customerId}`).digest('hex').slice(0, 16).toUpperCase()}`
