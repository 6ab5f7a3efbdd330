import type { FoundRow } from '@gridmast/contract/search.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { beginningFirst, beginningFirstStored, hasWords, hasWordsStored, type Terms } from './terms.ts'

type Charger = { id: string; name: string; identity: string }

const readChargers = (tx: Tx, customerId: string, words: readonly string[], connectorNo: number) =>
  sqlRows<Charger>(tx)`
    select charger_id as id, name, identity from charger
    where customer_id = ${customerId} and enabled and connectors >= ${connectorNo} and ${hasWordsStored(words)}
    order by ${beginningFirstStored(words)}, charger_id limit ${limits.searchRows}`

export const findSites = async (tx: Tx, customerId: string, { words, day }: Terms): Promise<FoundRow[]> => {
  if (day !== null) return []
  const rows = await sqlRows<{ id: string; name: string }>(tx)`
    select site_id as id, name from charging_site where customer_id = ${customerId} and ${hasWords(words, [sql`name`])}
    order by ${beginningFirst(words, [sql`name`])}, site_id limit ${limits.searchRows}`
  return rows.map((row) => ({ kind: 'site', ...row }))
}

const readTags = (tx: Tx, customerId: string, words: readonly string[]) =>
  sqlRows<{ id: string; name: string; tag: string }>(tx)`
    select tag_id as id, name, tag from charger_tag where customer_id = ${customerId} and ${hasWordsStored(words)}
    order by ${beginningFirstStored(words)}, tag_id limit ${limits.searchRows}`

type Session = { id: string; chargerName: string; tagName: string | null; startedAt: Date }

const toSession = ({ startedAt, ...row }: Session): FoundRow => ({
  kind: 'session',
  ...row,
  startTime: startedAt.toISOString(),
})

const sessionColumns = sql`
  s.transaction_id as id, c.name as "chargerName", t.name as "tagName", s.started_at as "startedAt"
  from charger_transaction s join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
  left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id`

/** The newest sessions of the chargers and tags found, each by its index. */
const readSessionsOf = async (
  tx: Tx,
  customerId: string,
  { day, ids }: Terms,
  of: { chargers: readonly { id: string }[]; tags: readonly { id: string }[] },
) => {
  if (of.chargers.length + of.tags.length === 0 && ids === null) return []
  const during = day === null ? null : dayBounds(day)
  const inDay = during
    ? sql`and started_at >= ${new Date(during.fromMs)} and started_at < ${new Date(during.toMs)}`
    : sql``
  const newest = sql`${inDay} order by started_at desc limit ${limits.searchRows}`
  const idsOf = (rows: readonly { id: string }[]) => sql`unnest(${rows.map(({ id }) => id)}::uuid[])`
  return sqlRows<Session>(tx)`
    with near as (
      select n.transaction_id from ${idsOf(of.chargers)} as f(id) cross join lateral (
        select transaction_id from charger_transaction where customer_id = ${customerId} and charger_id = f.id ${newest}) n
      union
      select n.transaction_id from ${idsOf(of.tags)} as f(id) cross join lateral (
        select transaction_id from charger_transaction where customer_id = ${customerId} and tag_id = f.id ${newest}) n
      union
      select transaction_id from charger_transaction where customer_id = ${customerId}
        and transaction_id between ${ids?.from ?? null}::uuid and ${ids?.to ?? null}::uuid
    )
    select ${sessionColumns} where s.customer_id = ${customerId} and s.transaction_id in (select transaction_id from near)
    order by s.started_at desc, s.transaction_id limit ${limits.searchRows}`
}

const readSessionsOfDay = (tx: Tx, customerId: string, day: string) => {
  const { fromMs, toMs } = dayBounds(day)
  return sqlRows<Session>(tx)`
    select ${sessionColumns} where s.customer_id = ${customerId}
      and s.started_at >= ${new Date(fromMs)} and s.started_at < ${new Date(toMs)}
    order by s.started_at desc, s.transaction_id desc limit ${limits.searchRows}`
}

const toChargers = (rows: readonly Charger[], connectorId: number | null) =>
  rows.map((row): FoundRow => ({ kind: 'charger', ...row, connectorId }))

const findConnector = async (tx: Tx, customerId: string, { connector }: Terms) =>
  connector === null ? [] : toChargers(await readChargers(tx, customerId, connector.words, connector.no), connector.no)

export const findChargers = async (tx: Tx, customerId: string, terms: Terms): Promise<FoundRow[]> => {
  if (terms.day !== null) return []
  const chargers = await readChargers(tx, customerId, terms.words, 0)
  return chargers.length > 0 ? toChargers(chargers, null) : findConnector(tx, customerId, terms)
}

/** Chargers, tags and their sessions, so that the chargers are read once. */
export const findCharging = async (tx: Tx, customerId: string, terms: Terms): Promise<FoundRow[]> => {
  if (terms.day !== null && terms.words.length === 0)
    return (await readSessionsOfDay(tx, customerId, terms.day)).map(toSession)
  const chargers = await readChargers(tx, customerId, terms.words, 0)
  const tags = await readTags(tx, customerId, terms.words)
  const sessions = (await readSessionsOf(tx, customerId, terms, { chargers, tags })).map(toSession)
  if (terms.day !== null) return sessions
  return [
    ...(chargers.length > 0 ? toChargers(chargers, null) : await findConnector(tx, customerId, terms)),
    ...tags.map((tag): FoundRow => ({ kind: 'tag', ...tag })),
    ...sessions,
  ]
}
