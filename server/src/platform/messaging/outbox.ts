import { minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Clock } from '#platform/process/clock.ts'
import { newId } from '#platform/records/ids.ts'
import type { Log } from '#platform/process/log.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { rowChanged } from './bus.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** An outgoing item. `id` is the same for every attempt, so that a receiver recognises a repetition. */
export type Item = {
  id: string
  customerId: string | null
  webhookId: string | null
  payload: unknown
  attempts: number
}

export type Outcome = { error: string | null; status?: number | null }

export type Kind = {
  deliver: (item: Item) => Promise<Outcome>
  /** Wait after `attempts` failed attempts; null gives up. */
  waitMs: (attempts: number) => number | null
  atOnce: number
  forget?: readonly string[]
}

export type Queued = {
  id?: string
  /** Default: the clock of the store. */
  nowMs?: number
  /** Earliest delivery; requires `nowMs`. */
  dueMs?: number
}

type NewItem = {
  customerId: string | null
  kind: string
  webhookId?: string | undefined
  payload: object
} & Queued

/** Queues items in the caller's transaction: they are sent only after its commit. */
export const queueItems = async (tx: Tx, items: readonly NewItem[]): Promise<void> => {
  if (items.length === 0) return
  const rows = items.map(({ id, customerId, kind, webhookId = null, payload, nowMs, dueMs = nowMs }) => ({
    customer_id: customerId,
    outbox_id: id ?? newId(nowMs),
    kind,
    webhook_id: webhookId,
    payload,
    created_at: nowMs === undefined ? null : new Date(nowMs),
    next_attempt_at: nowMs === undefined || dueMs === undefined ? null : new Date(dueMs),
  }))
  // One JSON parameter: the statement text is the same for any number of items, so it is planned once.
  await sql`
    insert into outbox (customer_id, outbox_id, kind, webhook_id, payload, created_at, next_attempt_at)
    select customer_id, outbox_id, kind, webhook_id, payload, coalesce(created_at, now()), coalesce(next_attempt_at, now())
    from jsonb_populate_recordset(null::outbox, ${JSON.stringify(rows)}::jsonb)`.execute(tx)
  rowChanged(tx, 'outbox')
}

type ItemKey = { customerId: string; id: string }

/** Locks the items that no process is sending until the transaction ends, and answers their ids. */
export const holdItems = async (tx: Tx, items: readonly ItemKey[]): Promise<Set<string>> => {
  if (items.length === 0) return new Set()
  const rows = await sqlRows<{ outbox_id: string }>(tx)`
    select o.outbox_id from outbox o
    join jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as held("customerId" uuid, id uuid)
      on o.customer_id = held."customerId" and o.outbox_id = held.id
    where o.attempts = 0 for update of o`
  return new Set(rows.map((row) => row.outbox_id))
}

export const rewriteItems = async (tx: Tx, items: readonly (ItemKey & { payload: object })[]): Promise<void> => {
  if (items.length === 0) return
  await sql`
    update outbox o set payload = held.payload
    from jsonb_to_recordset(${JSON.stringify(items.map(({ customerId, id, payload }) => ({ customerId, id, payload })))}::jsonb)
      as held("customerId" uuid, id uuid, payload jsonb)
    where o.customer_id = held."customerId" and o.outbox_id = held.id`.execute(tx)
}

export const dropItem = async (tx: Tx, customerId: string, id: string): Promise<void> => {
  await tx
    .deleteFrom('outbox')
    .where('customer_id', '=', customerId)
    .where('outbox_id', '=', id)
    .where('attempts', '=', 0)
    .execute()
}

/**
 * Lease of an item, extended during the send. After a crash another process sends it when the lease ends, so at most `atOnce` items of a kind
 * may be sent twice, with the same id.
 */
export const leaseMs = minuteMs
const pollIntervalMs = 2000

/**
 * Due items, first of companies with the fewest in delivery, so that much mail of one company delays no other. One item per webhook at a time,
 * over all processes.
 */
const claim = async (records: Records, kind: string, free: number, nowMs: number): Promise<Item[]> => {
  const now = new Date(nowMs)
  const { rows } = await records.system((tx) =>
    sql<Item>`
      with first as (
        select distinct on (coalesce(o.webhook_id, o.outbox_id)) o.outbox_id, o.customer_id, o.next_attempt_at
        from outbox o left join webhook w on w.customer_id = o.customer_id and w.webhook_id = o.webhook_id
        where o.kind = ${kind} and o.next_attempt_at <= ${now} and (o.leased_until is null or o.leased_until <= ${now})
          and (o.webhook_id is null or w.enabled or o.payload @> '{"test": true}')
          and not exists (
            select from outbox busy
            where busy.customer_id = o.customer_id and busy.webhook_id = o.webhook_id and busy.leased_until > ${now}
          )
        order by coalesce(o.webhook_id, o.outbox_id), o.next_attempt_at, o.outbox_id
      ), turn as (
        select outbox_id, next_attempt_at, row_number() over (partition by customer_id order by next_attempt_at, outbox_id)
          + (select count(*) from outbox busy where busy.kind = ${kind} and busy.leased_until > ${now} and busy.customer_id is not distinct from first.customer_id) as turn
        from first
      ), due as (
        select outbox_id from outbox
        where outbox_id in (select outbox_id from turn order by turn, next_attempt_at, outbox_id limit ${free})
          and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})
        for update skip locked
      )
      update outbox o set attempts = o.attempts + 1, leased_until = ${new Date(nowMs + leaseMs)}
      from due where o.outbox_id = due.outbox_id
      returning o.outbox_id as id, o.customer_id as "customerId", o.webhook_id as "webhookId", o.payload, o.attempts`.execute(
      tx,
    ),
  )
  return rows
}

/** Only the process with the latest claim settles an item. */
const settle = async (records: Records, item: Item, kind: Kind, outcome: Outcome, nowMs: number) => {
  const waitMs = kind.waitMs(item.attempts)
  const isDone = outcome.error === null
  await records.system((tx) =>
    tx
      .updateTable('outbox')
      .set({
        last_status: outcome.status ?? null,
        last_error: outcome.error?.slice(0, 500) ?? null,
        leased_until: null,
        next_attempt_at: isDone || waitMs === null ? null : new Date(nowMs + waitMs),
        ...(isDone ? { done_at: new Date(nowMs) } : {}),
        ...(isDone && kind.forget ? { payload: sql`payload - ${sql.val(kind.forget)}::text[]` } : {}),
      })
      .where('outbox_id', '=', item.id)
      .where('attempts', '=', item.attempts)
      .execute(),
  )
}

const renew = (records: Records, items: readonly Item[], nowMs: number) => {
  const leases = JSON.stringify(items.map(({ id, attempts }) => ({ id, attempts })))
  return records.system((tx) =>
    sql`
      update outbox o set leased_until = ${new Date(nowMs + leaseMs)}
      from jsonb_to_recordset(${leases}::jsonb) as lease(id uuid, attempts int)
      where o.outbox_id = lease.id and o.attempts = lease.attempts`.execute(tx),
  )
}

/** Deletes old sent items, and old items of webhooks that stay disabled; unsent mail is kept. */
export const tidyOutbox = async (tx: Tx, { mailBefore, before }: { mailBefore: Date; before: Date }): Promise<void> => {
  await tx.deleteFrom('outbox').where('kind', '=', 'mail').where('done_at', '<', mailBefore).execute()
  await tx
    .deleteFrom('outbox')
    .where('created_at', '<', before)
    .where((row) => row.or([row('next_attempt_at', 'is', null), row('webhook_id', 'is not', null)]))
    .execute()
}

type Outbox = {
  drain: () => Promise<number>
  start: () => void
  close: () => Promise<void>
}

export const openOutbox = (from: { records: Records; clock: Clock; log: Log; kinds: Record<string, Kind> }): Outbox => {
  const { records, clock, log, kinds } = from
  const deliveries = new Map<Item, { kind: string; leasedUntilMs: number; sending: Promise<void> }>()
  let delivered = 0
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const send = async (item: Item, kind: Kind) => {
    const outcome = await kind.deliver(item).catch((error: unknown): Outcome => {
      log.error({ err: error, item: item.id }, 'outbox: delivery failed')
      return { error: 'It could not be sent' }
    })
    await settle(records, item, kind, outcome, clock.now())
    if (outcome.error === null) delivered++
  }

  const keepLeases = async () => {
    const nowMs = clock.now()
    const ending = [...deliveries].filter(([, { leasedUntilMs }]) => leasedUntilMs - nowMs < leaseMs / 2)
    if (ending.length === 0) return
    await renew(
      records,
      ending.map(([item]) => item),
      nowMs,
    )
    for (const [, lease] of ending) lease.leasedUntilMs = nowMs + leaseMs
  }

  const claimFree = async (name: string, kind: Kind) => {
    const free = kind.atOnce - [...deliveries.values()].filter((one) => one.kind === name).length
    if (free <= 0) return
    const nowMs = clock.now()
    for (const item of await claim(records, name, free, nowMs)) {
      const sending = send(item, kind)
        .catch((error: unknown) => log.error({ err: error, item: item.id }, 'outbox: outcome not stored'))
        .finally(() => {
          deliveries.delete(item)
          void check() // the next item of its webhook, or the next in the queue
        })
      deliveries.set(item, { kind: name, leasedUntilMs: nowMs + leaseMs, sending })
    }
  }

  let checking: Promise<void> = Promise.resolve()
  let isCheckQueued = false
  const check = () => {
    if (isCheckQueued) return checking
    isCheckQueued = true
    checking = checking
      .then(async () => {
        isCheckQueued = false
        await keepLeases()
        if (!isStopped) for (const [name, kind] of Object.entries(kinds)) await claimFree(name, kind)
      })
      .catch((error: unknown) => log.error({ err: error }, 'outbox: check failed'))
    return checking
  }

  /** Waits until nothing is in delivery and the last check is empty. */
  const settled = async () => {
    await check()
    for (let last = checking; ; last = checking) {
      await last
      await Promise.all([...deliveries.values()].map(({ sending }) => sending))
      if (last === checking && deliveries.size === 0) return
    }
  }

  return {
    drain: async () => {
      const before = delivered
      await settled()
      return delivered - before
    },
    start: () => {
      timer = setInterval(() => void check(), pollIntervalMs)
    },
    close: async () => {
      isStopped = true
      clearInterval(timer)
      await settled()
    },
  }
}
