import type { Failure } from '#connectors/fetch-text.ts'
import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import type { Fetched, Vipps } from '#connectors/vipps/fetch.ts'
import type { PaymentState } from '#connectors/vipps/parse.ts'
import type { Item, Kind, Outcome } from '#platform/messaging/outbox.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, updateRows } from '#platform/records/rows.ts'
import {
  addOperation,
  type Change,
  changeState,
  lockPayment,
  logEvent,
  outboxKind,
  type PaymentRow,
  release,
  setState,
} from './payment-rows.ts'

/**
 * Requests to the provider, each an outbox item with its own idempotency key. A request that may have been sent is queried first: an operation that
 * the provider has done is not sent again, and a refusal is accepted only where it has not been done.
 */

/** `unknown`: the outcome is uncertain, so the state is queried and the request is sent again. */
type ProviderAnswer<T> = { kind: 'done'; value: T } | { kind: 'refused' | 'unknown'; words: string }

/** A payment at the provider, in øre. */
export type ProviderPayment = {
  state: 'waiting' | 'authorised' | 'declined'
  capturedOre: number
  refundedOre: number
  reservedOre: number
  approveUrl: string | null
}

/** The provider refuses the request for good; invalid keys, limits, conflicts and provider errors say nothing about the payment. */
const isRefusal = ({ httpStatus }: Failure) => httpStatus !== null && [400, 404, 410, 422].includes(httpStatus)

const answerOf = async <T, V>(request: Promise<Fetched<T>>, valueOf: (value: T) => V): Promise<ProviderAnswer<V>> => {
  const fetched = await request
  if (fetched.ok) return { kind: 'done', value: valueOf(fetched.value) }
  return { kind: isRefusal(fetched) ? 'refused' : 'unknown', words: fetched.detail }
}

const toProviderPayment = (one: PaymentState): ProviderPayment => ({
  state: one.state === 'AUTHORIZED' ? 'authorised' : one.state === 'CREATED' ? 'waiting' : 'declined',
  capturedOre: one.capturedOre,
  refundedOre: one.refundedOre,
  reservedOre: one.state === 'AUTHORIZED' ? one.authorisedOre - one.capturedOre - one.cancelledOre : 0,
  approveUrl: one.redirectUrl,
})

/** Each request names the payment and its idempotency key. */
export const mobilePay = (vipps: Vipps) => ({
  read: (payment: string) => answerOf(vipps.get(payment), toProviderPayment),
  reserve: (payment: string, key: string, reservation: Parameters<Vipps['reserve']>[2]) =>
    answerOf(vipps.reserve(payment, key, reservation), (approveUrl) => ({ approveUrl })),
  capture: (payment: string, key: string, ore: number) => answerOf(vipps.capture(payment, key, ore), () => notApproved),
  release: (payment: string, key: string) => answerOf(vipps.release(payment, key), () => notApproved),
  refund: (payment: string, key: string, ore: number) => answerOf(vipps.refund(payment, key, ore), () => notApproved),
})
type Provider = ReturnType<typeof mobilePay>
export type ProviderOf = (customerId: string) => Promise<Provider | null>

type Approval = Pick<ProviderPayment, 'approveUrl'>
const notApproved: Approval = { approveUrl: null }

type PaymentApp = Pick<App, 'config' | 'records' | 'clock' | 'log'>

const reserveWithinMs = 10 * minuteMs

const findOperation = (tx: Tx, customerId: string, operationId: string) =>
  tx
    .selectFrom('payment_operation as o')
    .innerJoin('payment as p', onKey('p', 'o', 'payment_id'))
    .innerJoin('charger as c', onKey('c', 'p', 'charger_id'))
    .select(['o.operation_id', 'o.payment_id', 'o.kind', 'o.amount_ore', 'o.sent', 'o.asked_at'])
    .select(['p.refunded_ore', 'c.name as charger_name'])
    .where('o.customer_id', '=', customerId)
    .where('o.operation_id', '=', operationId)
    .where('o.state', '=', 'open')
    .executeTakeFirst()
type Operation = NonNullable<Awaited<ReturnType<typeof findOperation>>>

const updateOperation = (tx: Tx, customerId: string, operationId: string) =>
  updateRows(tx, customerId, 'payment_operation', { operation_id: operationId, state: 'open' })

const isDone = ({ kind, amount_ore, refunded_ore }: Operation, payment: ProviderPayment): boolean => {
  if (kind === 'capture') return payment.capturedOre >= amount_ore
  if (kind === 'refund') return payment.refundedOre >= refunded_ore + amount_ore
  return kind === 'reserve' || (payment.state !== 'waiting' && payment.reservedOre === 0)
}

const send = (app: PaymentApp, provider: Provider, operation: Operation): Promise<ProviderAnswer<Approval>> => {
  const { payment_id: payment, operation_id: key, amount_ore: ore } = operation
  if (operation.kind === 'capture') return provider.capture(payment, key, ore)
  if (operation.kind === 'refund') return provider.refund(payment, key, ore)
  if (operation.kind === 'release') return provider.release(payment, key)
  if (app.clock.now() - operation.asked_at.getTime() > reserveWithinMs)
    return Promise.resolve({ kind: 'refused', words: 'The reservation came too late' })
  const words = `${operation.charger_name}: charging`.slice(0, 100)
  return provider.reserve(payment, key, { ore, words, returnUrl: portalAddress(app.config, '/payments/approved') })
}

const perform = async (app: PaymentApp, provider: Provider, operation: Operation) => {
  /** The answer where the provider has done the operation or cannot tell; null where it has not done it. */
  const query = async (): Promise<ProviderAnswer<Approval> | null> => {
    const payment = await provider.read(operation.payment_id)
    if (payment.kind === 'done') return isDone(operation, payment.value) ? payment : null
    return payment.kind === 'unknown' ? payment : null
  }
  const before = operation.sent ? await query() : null
  if (before) return before
  const answer = await send(app, provider, operation)
  return answer.kind === 'refused' ? ((await query()) ?? answer) : answer
}

const settle = async (
  tx: Tx,
  row: PaymentRow,
  operation: Operation,
  answer: ProviderAnswer<Approval>,
  nowMs: number,
): Promise<void> => {
  const amountOre = operation.amount_ore
  const isRefused = answer.kind !== 'done'
  const words = isRefused ? answer.words : null
  const change = (...of: Change) => changeState(tx, row, nowMs, ...of)
  switch (operation.kind) {
    case 'reserve':
      if (row.state !== 'reserving') return
      if (isRefused) return change('failed', { failure: words }, { words })
      await change('waiting', { redirect_url: answer.value.approveUrl }, { amountOre })
      if (nowMs - operation.asked_at.getTime() > reserveWithinMs) await release(tx, row, nowMs)
      return
    case 'capture':
      if (isRefused) return change('capture-failed', { failure: words }, { amountOre, words })
      await change('captured', { captured_ore: amountOre }, { amountOre })
      // The rest is released at once, not only when the reservation expires.
      if (amountOre < row.reserved_ore)
        await addOperation(tx, row, 'release', { amountOre: row.reserved_ore - amountOre, nowMs })
      return
    case 'release':
      if (row.captured_ore === null)
        await setState(tx, row, isRefused ? 'failed' : 'released', nowMs, { failure: words })
      await logEvent(tx, row, isRefused ? 'failed' : 'released', nowMs, { amountOre, words })
      return
    case 'refund': {
      const refundedOre = row.refunded_ore + (isRefused ? 0 : amountOre)
      await setState(tx, row, stateOf(row, refundedOre), nowMs, { refunded_ore: refundedOre, failure: words })
      await logEvent(tx, row, isRefused ? 'refund-failed' : 'refunded', nowMs, { amountOre, words })
    }
  }
}

const stateOf = ({ captured_ore }: PaymentRow, refundedOre: number) =>
  refundedOre === 0 ? 'captured' : refundedOre === captured_ore ? 'refunded' : 'partly-refunded'

const deliver = async (app: PaymentApp, providerOf: ProviderOf, { id, customerId }: Item): Promise<Outcome> => {
  const { records, clock } = app
  if (customerId === null) return { error: null }
  const operation = await records.tenant(customerId, async (tx) => {
    const open = await findOperation(tx, customerId, id)
    // Set before sending: after a crash the request counts as possibly sent.
    if (open && !open.sent) await updateOperation(tx, customerId, id).set({ sent: true }).execute()
    return open
  })
  if (!operation) return { error: null }
  const provider = await providerOf(customerId)
  const answer: ProviderAnswer<Approval> = provider
    ? await perform(app, provider, operation)
    : { kind: 'unknown', words: 'No sales unit is set up' }
  const nowMs = clock.now()
  const error = answer.kind === 'done' ? null : answer.words.slice(0, 500)
  await records.tenant(customerId, async (tx) => {
    const row = await lockPayment(tx, customerId, operation.payment_id)
    if (!row) return
    const update = updateOperation(tx, customerId, id)
    if (answer.kind === 'unknown') return void (await update.set({ error }).execute())
    const closed = await update.set({ state: answer.kind, error, answered_at: new Date(nowMs) }).executeTakeFirst()
    if (closed.numUpdatedRows > 0n) await settle(tx, row, operation, answer, nowMs)
  })
  return { error: answer.kind === 'unknown' ? answer.words : null }
}

const waitsMs = [2000, 5000, 15_000, minuteMs, 5 * minuteMs, 20 * minuteMs]

/** Requests are never given up: whether money was captured must be certain. */
export const paymentKind = (app: PaymentApp, providerOf: ProviderOf): Record<typeof outboxKind, Kind> => ({
  [outboxKind]: {
    deliver: (item) => deliver(app, providerOf, item),
    waitMs: (attempts) => waitsMs[attempts - 1] ?? hourMs,
    atOnce: 10,
  },
})
