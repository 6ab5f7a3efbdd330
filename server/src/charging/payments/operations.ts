import type { Failure } from '#connectors/ask.ts'
import type { Fetched, Vipps } from '#connectors/vipps/fetch.ts'
import type { Standing } from '#connectors/vipps/parse.ts'
import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import type { Item, Kind, Outcome } from '#platform/messaging/outbox.ts'
import type { Tx } from '#platform/records/records.ts'
import { updateRows } from '#platform/records/rows.ts'
import { addOperation, lockPayment, move, note, outboxKind, release, type PaymentRow } from './payment-rows.ts'

/** `unknown`: the outcome is uncertain, so the state is queried and the request is sent again. */
export type Said<T> = { kind: 'done'; value: T } | { kind: 'refused' | 'unknown'; words: string }

/** A payment at the provider, in øre. */
export type Standings = {
  state: 'waiting' | 'authorised' | 'declined'
  capturedOre: number
  refundedOre: number
  leftOre: number
  approveUrl: string | null
}

type Reservation = { ore: number; words: string; returnUrl: string }

export type Provider = {
  reserve: (reference: string, key: string, asked: Reservation) => Promise<Said<{ approveUrl: string }>>
  look: (reference: string) => Promise<Said<Standings>>
  capture: (reference: string, key: string, ore: number) => Promise<Said<unknown>>
  release: (reference: string, key: string) => Promise<Said<unknown>>
  refund: (reference: string, key: string, ore: number) => Promise<Said<unknown>>
}

/** The provider refuses the request for good; invalid keys, limits, conflicts and provider errors say nothing about the payment. */
const isRefusal = ({ httpStatus }: Failure) => httpStatus !== null && [400, 404, 410, 422].includes(httpStatus)

const said = async <T, V>(answer: Promise<Fetched<T>>, make: (value: T) => V): Promise<Said<V>> => {
  const fetched = await answer
  if (fetched.ok) return { kind: 'done', value: make(fetched.value) }
  return { kind: isRefusal(fetched) ? 'refused' : 'unknown', words: fetched.detail }
}

const toStandings = (one: Standing): Standings => ({
  state: one.state === 'AUTHORIZED' ? 'authorised' : one.state === 'CREATED' ? 'waiting' : 'declined',
  capturedOre: one.capturedOre,
  refundedOre: one.refundedOre,
  leftOre: one.state === 'AUTHORIZED' ? one.authorisedOre - one.capturedOre - one.cancelledOre : 0,
  approveUrl: one.redirectUrl,
})

export const mobilePay = (vipps: Vipps): Provider => ({
  reserve: (reference, key, asked) => said(vipps.reserve(reference, key, asked), (approveUrl) => ({ approveUrl })),
  look: (reference) => said(vipps.look(reference), toStandings),
  capture: (reference, key, ore) => said(vipps.capture(reference, key, ore), toStandings),
  release: (reference, key) => said(vipps.release(reference, key), toStandings),
  refund: (reference, key, ore) => said(vipps.refund(reference, key, ore), toStandings),
})

/**
 * Requests to the provider, each an outbox item with its own idempotency key. A request that may have been sent is queried first: an operation that
 * the provider has done is not sent again, and a refusal is accepted only where it has not been done.
 */

type PaymentApp = Pick<App, 'config' | 'records' | 'clock' | 'log'>
export type ProviderOf = (customerId: string) => Promise<Provider | null>

const reserveWithinMs = 10 * minuteMs

const read = (tx: Tx, customerId: string, operationId: string) =>
  tx
    .selectFrom('payment_operation as o')
    .innerJoin('payment as p', (join) =>
      join.onRef('p.customer_id', '=', 'o.customer_id').onRef('p.payment_id', '=', 'o.payment_id'),
    )
    .innerJoin('charger as c', (join) =>
      join.onRef('c.customer_id', '=', 'p.customer_id').onRef('c.charger_id', '=', 'p.charger_id'),
    )
    .select(['o.operation_id', 'o.payment_id', 'o.kind', 'o.amount_ore', 'o.sent', 'o.asked_at'])
    .select(['p.refunded_ore', 'c.name as charger_name'])
    .where('o.customer_id', '=', customerId)
    .where('o.operation_id', '=', operationId)
    .where('o.state', '=', 'open')
    .executeTakeFirst()
type Operation = NonNullable<Awaited<ReturnType<typeof read>>>

const ofOperation = (tx: Tx, customerId: string, operationId: string) =>
  updateRows(tx, customerId, 'payment_operation', { operation_id: operationId, state: 'open' })

type Done = { approveUrl: string | null }

const isDone = ({ kind, amount_ore, refunded_ore }: Operation, seen: Standings): boolean => {
  if (kind === 'capture') return seen.capturedOre >= amount_ore
  if (kind === 'refund') return seen.refundedOre >= refunded_ore + amount_ore
  return kind === 'reserve' || (seen.state !== 'waiting' && seen.leftOre === 0)
}

const perform = async (app: PaymentApp, provider: Provider, one: Operation): Promise<Said<Done>> => {
  const { payment_id: reference, operation_id: key, amount_ore: ore } = one
  const look = async (): Promise<Said<Done | null>> => {
    const seen = await provider.look(reference)
    if (seen.kind !== 'done') return seen
    return { kind: 'done', value: isDone(one, seen.value) ? { approveUrl: seen.value.approveUrl } : null }
  }
  const send = async (): Promise<Said<Done>> => {
    if (one.kind === 'reserve') {
      if (app.clock.now() - one.asked_at.getTime() > reserveWithinMs)
        return { kind: 'refused', words: 'The reservation came too late' }
      const words = `${one.charger_name}: charging`.slice(0, 100)
      return provider.reserve(reference, key, {
        ore,
        words,
        returnUrl: portalAddress(app.config, '/payments/approved'),
      })
    }
    const done = one.kind === 'release' ? provider.release(reference, key) : provider[kindOf(one)](reference, key, ore)
    const said = await done
    return said.kind === 'done' ? { kind: 'done', value: { approveUrl: null } } : said
  }
  if (one.sent) {
    const seen = await look()
    if (seen.kind === 'unknown') return seen
    if (seen.kind === 'done' && seen.value) return { kind: 'done', value: seen.value }
  }
  const said = await send()
  if (said.kind !== 'refused') return said
  const seen = await look()
  if (seen.kind === 'unknown') return seen
  return seen.kind === 'done' && seen.value ? { kind: 'done', value: seen.value } : said
}

const kindOf = ({ kind }: Operation) => (kind === 'refund' ? 'refund' : 'capture')

const settle = async (tx: Tx, row: PaymentRow, one: Operation, said: Said<Done>, nowMs: number): Promise<void> => {
  const amountOre = one.amount_ore
  const isRefused = said.kind !== 'done'
  const words = isRefused ? said.words : null
  switch (one.kind) {
    case 'reserve':
      if (row.state !== 'reserving') return
      if (isRefused) {
        await move(tx, row, 'failed', nowMs, { failure: words })
        await note(tx, row, 'failed', nowMs, { words })
        return
      }
      await move(tx, row, 'waiting', nowMs, { redirect_url: said.value.approveUrl })
      await note(tx, row, 'waiting', nowMs, { amountOre })
      if (nowMs - one.asked_at.getTime() > reserveWithinMs) await release(tx, row, nowMs, { words: null })
      return
    case 'capture':
      if (isRefused) {
        await move(tx, row, 'capture-failed', nowMs, { failure: words })
        await note(tx, row, 'capture-failed', nowMs, { amountOre, words })
        return
      }
      await move(tx, row, 'captured', nowMs, { captured_ore: amountOre })
      await note(tx, row, 'captured', nowMs, { amountOre })
      // The rest is released at once, not only when the reservation expires.
      if (amountOre < row.reserved_ore) {
        await note(tx, row, 'release', nowMs, { amountOre: row.reserved_ore - amountOre })
        await addOperation(tx, row, 'release', { amountOre: row.reserved_ore - amountOre, nowMs })
      }
      return
    case 'release':
      if (row.captured_ore === null) await move(tx, row, isRefused ? 'failed' : 'released', nowMs, { failure: words })
      await note(tx, row, isRefused ? 'failed' : 'released', nowMs, { amountOre, words })
      return
    case 'refund': {
      if (isRefused) {
        await move(tx, row, stateOf(row, row.refunded_ore), nowMs, { failure: words })
        await note(tx, row, 'refund-failed', nowMs, { amountOre, words })
        return
      }
      const refunded = row.refunded_ore + amountOre
      await move(tx, row, stateOf(row, refunded), nowMs, { refunded_ore: refunded })
      await note(tx, row, 'refunded', nowMs, { amountOre })
    }
  }
}

const stateOf = ({ captured_ore }: PaymentRow, refundedOre: number) =>
  refundedOre === 0 ? 'captured' : refundedOre === captured_ore ? 'refunded' : 'partly-refunded'

const deliver = async (app: PaymentApp, providerOf: ProviderOf, { id, customerId }: Item): Promise<Outcome> => {
  const { records, clock } = app
  if (customerId === null) return { error: null }
  const one = await records.tenant(customerId, async (tx) => {
    const found = await read(tx, customerId, id)
    // Set before sending: after a crash the request counts as possibly sent.
    if (found && !found.sent) await ofOperation(tx, customerId, id).set({ sent: true }).execute()
    return found
  })
  if (!one) return { error: null }
  const provider = await providerOf(customerId)
  const said: Said<Done> = provider
    ? await perform(app, provider, one)
    : { kind: 'unknown', words: 'No sales unit is set up' }
  const now = new Date(clock.now())
  await records.tenant(customerId, async (tx) => {
    const row = await lockPayment(tx, customerId, one.payment_id)
    if (!row) return
    if (said.kind === 'unknown') {
      await ofOperation(tx, customerId, id)
        .set({ error: said.words.slice(0, 500) })
        .execute()
      return
    }
    const state = said.kind === 'done' ? 'done' : 'refused'
    const words = said.kind === 'done' ? null : said.words.slice(0, 500)
    const closed = await ofOperation(tx, customerId, id)
      .set({ state, error: words, answered_at: now })
      .executeTakeFirst()
    if (closed.numUpdatedRows > 0n) await settle(tx, row, one, said, now.getTime())
  })
  return { error: said.kind === 'unknown' ? said.words : null }
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
