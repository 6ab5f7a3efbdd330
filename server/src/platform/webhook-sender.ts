import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Resolve } from './public-address.ts'
import type { Records } from './records.ts'
import type { Secret } from './secret.ts'
import { postWebhook } from './webhook-post.ts'
import { signedHeaders } from './webhook-signature.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Waits after each send that failed; after the last of them a delivery is given up. */
export const waitsMs = [10_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, 24 * hourMs]

/** Whoever takes a delivery has it for this long, longer than a send lasts: if that process dies, another takes it then. */
export const leaseMs = minuteMs
const timeoutMs = 10_000
const everyMs = 2000
/** Webhooks served at the same moment, each by one send after another. */
const atOnce = 100

type Taken = {
  customer_id: string
  delivery_id: string
  webhook_id: string
  attempts: number
  payload: unknown
  url: string
  secret_sealed: Uint8Array
}

/** The oldest due delivery of each webhook that is free, or of one. The row's own state decides, so two processes take it once. */
const take = async (
  records: Records,
  nowMs: number,
  which: { busy: string[]; free: number } | { webhookId: string },
): Promise<Taken[]> => {
  const now = new Date(nowMs)
  const ofWhich =
    'busy' in which ? sql`d.webhook_id <> all(${which.busy}::uuid[])` : sql`d.webhook_id = ${which.webhookId}`
  const { rows } = await records.system((tx) =>
    sql<Taken>`
      update webhook_delivery t
      set attempts = t.attempts + 1, next_attempt_at = ${new Date(nowMs + leaseMs)}
      from (
        select * from (
          select distinct on (d.webhook_id) d.customer_id, d.delivery_id, d.next_attempt_at as due, w.url, w.secret_sealed
          from webhook_delivery d
          join webhook w on w.customer_id = d.customer_id and w.webhook_id = d.webhook_id
          where d.next_attempt_at <= ${now} and (w.enabled or d.test) and ${ofWhich}
          order by d.webhook_id, d.next_attempt_at, d.delivery_id
        ) each order by due limit ${'free' in which ? which.free : 1}
      ) due
      where t.customer_id = due.customer_id and t.delivery_id = due.delivery_id and t.next_attempt_at <= ${now}
      returning t.customer_id, t.delivery_id, t.webhook_id, t.attempts, t.payload, due.url, due.secret_sealed`.execute(
      tx,
    ),
  )
  return rows
}

const settle = async (
  records: Records,
  taken: Taken,
  answer: { status: number | null; error: string | null },
  nowMs: number,
) => {
  const waitMs = waitsMs[taken.attempts - 1]
  await records.system((tx) =>
    tx
      .updateTable('webhook_delivery')
      .set({
        last_status: answer.status,
        last_error: answer.error,
        ...(answer.error === null
          ? { delivered_at: new Date(nowMs), next_attempt_at: null }
          : { next_attempt_at: waitMs === undefined ? null : new Date(nowMs + waitMs) }),
      })
      .where('customer_id', '=', taken.customer_id)
      .where('delivery_id', '=', taken.delivery_id)
      .where('attempts', '=', taken.attempts)
      .execute(),
  )
}

export type WebhookSender = {
  /** Sends what is due now and waits for it. */
  drain: () => Promise<void>
  /** Looks every two seconds from now on. */
  start: () => void
  close: () => Promise<void>
}

export const openWebhookSender = (from: {
  records: Records
  secret: Secret
  clock: Clock
  log: Log
  allowPrivate: boolean
  timeoutMs?: number
  resolve?: Resolve
}): WebhookSender => {
  const { records, secret, clock, log } = from
  const lines = new Map<string, Promise<void>>()
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const post = async (taken: Taken) => {
    const body = JSON.stringify(taken.payload)
    const signed = { id: taken.delivery_id, body, nowMs: clock.now() }
    return postWebhook({
      url: taken.url,
      body,
      headers: signedHeaders(secret.unseal(taken.secret_sealed), signed),
      timeoutMs: from.timeoutMs ?? timeoutMs,
      allowPrivate: from.allowPrivate,
      ...(from.resolve ? { resolve: from.resolve } : {}),
    })
  }

  const send = async (taken: Taken) => {
    const answer = await post(taken).catch((error: unknown) => {
      log.error({ error, delivery: taken.delivery_id }, 'webhook')
      return { status: null, error: 'The request could not be made' }
    })
    await settle(records, taken, answer, clock.now())
  }

  /** One webhook's deliveries, one after another: a receiver that stalls holds up nobody but itself. */
  const serve = async (first: Taken) => {
    let next: Taken | undefined = first
    while (next) {
      await send(next)
      next = stopped ? undefined : (await take(records, clock.now(), { webhookId: first.webhook_id }))[0]
    }
  }

  let looking: Promise<void> = Promise.resolve()
  const look = () => {
    looking = looking.then(async () => {
      const free = atOnce - lines.size
      if (stopped || free <= 0) return
      for (const taken of await take(records, clock.now(), { busy: [...lines.keys()], free })) {
        const line = serve(taken)
          .catch((error: unknown) => log.error({ error }, 'webhook'))
          .finally(() => lines.delete(taken.webhook_id))
        lines.set(taken.webhook_id, line)
      }
    })
    looking = looking.catch((error: unknown) => log.error({ error }, 'webhooks'))
    return looking
  }

  return {
    drain: async () => {
      await look()
      await Promise.all(lines.values())
    },
    start: () => {
      timer = setInterval(() => void look(), everyMs)
    },
    close: async () => {
      stopped = true
      clearInterval(timer)
      await looking
      await Promise.all(lines.values())
    },
  }
}
