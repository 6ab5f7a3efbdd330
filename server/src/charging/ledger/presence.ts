import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import type { Records } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import type { ChargerKey } from './directory.ts'

/**
 * Several processes share one store, and each reports that it is alive; the chargers of a dead process are offline. A process that could not report
 * in time may have been treated as dead, and claims its chargers again. All times are of the store's clock.
 */

const aliveEveryMs = 15_000
const deadAfterS = 50

type Connection = ChargerKey & { generation: number }

const reportAlive = (records: Records, processId: string): Promise<boolean> =>
  records.system(async (tx) => {
    const [process] = await sqlRows<{ was_dead: boolean }>(tx)`
      with before as (select alive_at from ocpp_process where process_id = ${processId}::uuid)
      insert into ocpp_process (process_id, alive_at) values (${processId}::uuid, now())
      on conflict (process_id) do update set alive_at = now()
      returning coalesce((select alive_at from before) < now() - make_interval(secs => ${deadAfterS}::int), true) as was_dead`
    return process?.was_dead ?? true
  })

const claim = (records: Records, processId: string, connections: readonly Connection[]) =>
  records.system((tx) =>
    sql`
      update charger c set online = true
      from jsonb_to_recordset(${JSON.stringify(connections)}::jsonb) as h ("customerId" uuid, "chargerId" uuid, generation integer)
      where c.customer_id = h."customerId" and c.charger_id = h."chargerId" and c.generation = h.generation
        and c.connected_by = ${processId}::uuid and not c.online`.execute(tx),
  )

const setOffline = (records: Records) =>
  records.system(async (tx) => {
    const since = sql`now() - make_interval(secs => ${deadAfterS}::int)`
    const rows = await sqlRows<ChargerKey>(tx)`
      update charger c set online = false
      where c.online and not exists (select from ocpp_process p where p.process_id = c.connected_by and p.alive_at >= ${since})
      returning c.customer_id as "customerId", c.charger_id as "chargerId"`
    await sql`delete from ocpp_process where alive_at < now() - interval '1 day'`.execute(tx)
    return rows
  })

type Options = {
  records: Records
  connections: () => Connection[]
  onOffline: (chargers: readonly ChargerKey[]) => void
  onError: (error: unknown) => void
}

export const openAlive = async ({ records, connections, onOffline, onError }: Options) => {
  const processId = newId()
  const beat = async () => {
    if (await reportAlive(records, processId)) await claim(records, processId, connections())
    onOffline(await setOffline(records))
  }
  // An embedded store has one process: no charger is connected at its start.
  if (records.embedded)
    await records.system((tx) => tx.updateTable('charger').set({ online: false }).where('online', '=', true).execute())
  else await beat()
  const timer = records.embedded ? undefined : setInterval(() => void beat().catch(onError), aliveEveryMs).unref()
  return {
    processId,
    beat,
    close: async () => {
      clearInterval(timer)
      await records.system((tx) => tx.deleteFrom('ocpp_process').where('process_id', '=', processId).execute())
    },
  }
}

/** Time of the last message of each charger, written for all together: a charger is silent for at most `seenEveryMs` longer than its row states. */

const seenEveryMs = 15_000
const maxRows = 2000

type LastMessage = { customer_id: string; charger_id: string; at: Date }

export const openLastSeen = (options: { records: Records; onError: (error: unknown) => void; everyMs?: number }) => {
  const waiting = new Map<string, LastMessage>()
  let flushing = Promise.resolve()

  const save = (rows: readonly LastMessage[]) =>
    options.records.system((tx) =>
      sql`
        update charger c set last_seen_at = s.at from (
          select customer_id, charger_id, s.at
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (customer_id uuid, charger_id uuid, at timestamptz)
          join charger l using (customer_id, charger_id)
          where l.last_seen_at is null or l.last_seen_at < s.at
          for no key update of l skip locked) s
        where c.customer_id = s.customer_id and c.charger_id = s.charger_id`.execute(tx),
    )
  const write = async () => {
    const rows = [...waiting.values()]
    waiting.clear()
    for (let from = 0; from < rows.length; from += maxRows) await save(rows.slice(from, from + maxRows))
  }
  const flush = () => (flushing = flushing.then(write).catch(options.onError))
  const timer = setInterval(() => void flush(), options.everyMs ?? seenEveryMs).unref()
  return {
    note: ({ customerId, chargerId }: ChargerKey, atMs: number) =>
      void waiting.set(chargerId, { customer_id: customerId, charger_id: chargerId, at: new Date(atMs) }),
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
