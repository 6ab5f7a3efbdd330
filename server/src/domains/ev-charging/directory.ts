import { createHash } from 'node:crypto'
import type { Records } from '#platform/records.ts'
import type { Credentials } from '#protocols/ocpp/admission.ts'

export type Charger = Credentials & { customerId: string; chargerId: string; maxKw: number }

/** A charger registered or changed is known within this time, and an unknown one at once, but not more often than each second. */
const staleMs = 10_000
const missMs = 1000

const readChargers = async (records: Records, nowMs: number): Promise<Map<string, Charger>> => {
  const rows = await records.system((tx) =>
    tx
      .selectFrom('charger')
      .select(['customer_id', 'charger_id', 'identity', 'max_kw', 'security_profile'])
      .select(['password_hash', 'previous_hash', 'previous_until'])
      .where('enabled', '=', true)
      .execute(),
  )
  return new Map(
    rows.map((row) => [
      row.identity,
      {
        customerId: row.customer_id,
        chargerId: row.charger_id,
        identity: row.identity,
        maxKw: Number(row.max_kw),
        securityProfile: row.security_profile,
        passwordHash: row.password_hash,
        previousHash: row.previous_until && row.previous_until.getTime() > nowMs ? row.previous_hash : null,
      },
    ]),
  )
}

/** The registered chargers in memory: a flood of invented names costs the store nothing. */
export const openDirectory = (records: Records, now: () => number) => {
  let known = new Map<string, Charger>()
  let readAt = -Infinity
  let changes = 0
  let reading: Promise<void> | undefined
  const readNow = async () => {
    const before = changes
    known = await readChargers(records, now())
    if (changes === before) readAt = now()
  }
  const read = () =>
    (reading ??= readNow().finally(() => {
      reading = undefined
    }))
  return {
    find: async (identity: string): Promise<Charger | null> => {
      const age = now() - readAt
      if (age > staleMs || (!known.has(identity) && age > missMs)) await read()
      return known.get(identity) ?? null
    },
    forget: (): void => {
      changes++
      readAt = -Infinity
    },
  }
}

/**
 * The tag of starts that are given in the portal: of one customer, at most 20 characters, hidden from its lists. A charger may ask for it before
 * it begins (AuthorizeRemoteTxRequests), and is told yes.
 */
export const portalTagOf = (customerId: string): string =>
  `GM${createHash('sha256').update(`portal tag of ${customerId}`).digest('hex').slice(0, 16).toUpperCase()}`
