import { randomUUID } from 'node:crypto'

/** Payments at the provider: amounts in øre, each change once per idempotency key. */

export type EventName =
  | 'CREATED'
  | 'ABORTED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'CAPTURED'
  | 'REFUNDED'
  | 'AUTHORIZED'
  | 'TERMINATED'
type State = 'CREATED' | 'ABORTED' | 'EXPIRED' | 'AUTHORIZED' | 'TERMINATED'
export type Event = {
  name: EventName
  value: number
  pspReference: string
  timestamp: string
  idempotencyKey: string | null
}

export type Held = {
  msn: string
  reference: string
  pspReference: string
  state: State
  value: number
  cancelled: number
  captured: number
  refunded: number
  redirectUrl: string
  createdMs: number
  events: Event[]
}

export type Reply = { status: number; body: object }
export type Keys = Record<string, { asked: string; reply: Reply }>
export type Ledger = { payments: Record<string, Held>; keys: Keys }

const amount = (value: number) => ({ currency: 'DKK', value })

/** Errors of the API (RFC 7807). */
export const problem = (status: number, title: string, detail: string): Reply => ({
  status,
  body: {
    type: 'https://developer.vippsmobilepay.com/docs/knowledge-base/errors',
    title,
    status,
    detail,
    traceId: randomUUID(),
  },
})

export const standing = (one: Held): Reply => ({
  status: 200,
  body: {
    aggregate: {
      authorizedAmount: amount(one.state === 'AUTHORIZED' ? one.value : 0),
      cancelledAmount: amount(one.cancelled),
      capturedAmount: amount(one.captured),
      refundedAmount: amount(one.refunded),
    },
    amount: amount(one.value),
    state: one.state,
    paymentMethod: { type: 'WALLET' },
    pspReference: one.pspReference,
    reference: one.reference,
    redirectUrl: one.redirectUrl,
  },
})

export const happened = (
  one: Held,
  name: EventName,
  value: number,
  nowMs: number,
  key: string | null = null,
): Event => {
  const event = {
    name,
    value,
    pspReference: randomUUID(),
    timestamp: new Date(nowMs).toISOString(),
    idempotencyKey: key,
  }
  one.events.push(event)
  return event
}

/** The same key gives the same answer; with another request it is refused. */
export const once = (keys: Keys, key: string, asked: string, deed: () => Reply): Reply => {
  const known = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (known)
    return known.asked === asked
      ? known.reply
      : problem(409, 'Conflict', 'Idempotency-Key was used for another request')
  const reply = deed()
  if (reply.status < 400) keys[key] = { asked, reply }
  return reply
}

const leftOf = (one: Held) => (one.state === 'AUTHORIZED' ? one.value - one.captured - one.cancelled : 0)

type Change = { one: Held; value: number; nowMs: number; key: string }
type Done = { reply: Reply; event: Event | null }
const refused = (reply: Reply): Done => ({ reply, event: null })

export const captureOf = ({ one, value, nowMs, key }: Change): Done => {
  if (one.state !== 'AUTHORIZED') return refused(problem(400, 'Bad Request', `Payment is ${one.state}`))
  if (value <= 0 || value > leftOf(one)) return refused(problem(400, 'Bad Request', 'Amount is more than what is left'))
  one.captured += value
  return { event: happened(one, 'CAPTURED', value, nowMs, key), reply: standing(one) }
}

export const cancelOf = ({ one, nowMs, key }: Change): Done => {
  if (one.state === 'CREATED') {
    one.state = 'TERMINATED'
    one.cancelled = one.value
    return { event: happened(one, 'TERMINATED', one.value, nowMs, key), reply: standing(one) }
  }
  const left = leftOf(one)
  if (left === 0) return refused(problem(400, 'Bad Request', 'Nothing is left to cancel'))
  one.cancelled += left
  return { event: happened(one, 'CANCELLED', left, nowMs, key), reply: standing(one) }
}

export const refundOf = ({ one, value, nowMs, key }: Change): Done => {
  if (value <= 0 || value > one.captured - one.refunded)
    return refused(problem(400, 'Bad Request', 'Amount is more than what was captured'))
  one.refunded += value
  return { event: happened(one, 'REFUNDED', value, nowMs, key), reply: standing(one) }
}
