import { createHash, createHmac } from 'node:crypto'
import type { Event, Held } from './ledger.ts'

export type Hook = { id: string; url: string; secret: string; events: string[] }

const signed = (hook: Pick<Hook, 'url' | 'secret'>, body: string, nowMs: number): Record<string, string> => {
  const { host, pathname, search } = new URL(hook.url)
  const date = new Date(nowMs).toUTCString()
  const hash = createHash('sha256').update(body).digest('base64')
  const text = `POST\n${pathname}${search}\n${date};${host};${hash}`
  const signature = createHmac('sha256', hook.secret).update(text).digest('base64')
  return {
    'content-type': 'application/json',
    'x-ms-date': date,
    'x-ms-content-sha256': hash,
    authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
  }
}

const toldBody = (one: Held, event: Event): string =>
  JSON.stringify({
    msn: one.msn,
    reference: one.reference,
    pspReference: event.pspReference,
    name: event.name,
    amount: { currency: 'DKK', value: event.value },
    timestamp: event.timestamp,
    idempotencyKey: event.idempotencyKey,
    success: true,
  })

/** Each is sent `times` times without retries: the portal queries the state itself. */
export const tell = async (
  hooks: readonly Hook[],
  one: Held,
  event: Event,
  times: number,
  nowMs: number,
): Promise<void> => {
  const body = toldBody(one, event)
  const name = `epayments.payment.${event.name.toLowerCase()}.v1`
  for (const hook of hooks.filter(({ events }) => events.includes(name)))
    for (let i = 0; i < times; i++)
      await fetch(hook.url, {
        method: 'POST',
        body,
        headers: signed(hook, body, nowMs),
        signal: AbortSignal.timeout(5000),
      })
        .then((answer) => answer.body?.cancel())
        .catch(() => {})
}
