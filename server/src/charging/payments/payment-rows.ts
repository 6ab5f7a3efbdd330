import type { PaymentState } from '@gridmast/contract/choices.ts'
import type { PaymentEvent } from '@gridmast/contract/charging/payments.ts'
import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { sql } from 'kysely'
import type { Viewer } from '#access/viewer.ts'
import { queueItems } from '#platform/messaging/outbox.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, type RowOf, selectRows, updateRows } from '#platform/records/rows.ts'

/** Payments as rows: states, requests to the provider, history. Money is whole øre here and at the provider, exact decimals in DKK elsewhere. */

/** Money is whole øre here and at the provider, exact decimals in DKK elsewhere. `12.345` -> 1235: rounded once, halves away from zero. */
export const oreOf = (dkk: string): number => Number(roundDecimal(multiplyDecimals(dkk, '100'), 0))

/** 1235 -> `12.35`. */
export const dkkOf = (ore: number): string => roundDecimal(multiplyDecimals(String(ore), '0.01'), 2)

export const outboxKind = 'payment'

export type PaymentRow = RowOf<'payment'>

export const lockPayment = (tx: Tx, customerId: string, paymentId: string): Promise<PaymentRow | undefined> =>
  selectRows(tx, customerId, 'payment', { payment_id: paymentId }).selectAll().forUpdate().executeTakeFirst()

type EventDetails = { amountOre?: number | null; who?: string | null; words?: string | null; atMs?: number }

export const logEvent = (
  tx: Tx,
  row: PaymentRow,
  event: PaymentEvent,
  nowMs: number,
  { amountOre = null, who = null, words = null, atMs = nowMs }: EventDetails = {},
) =>
  insertRow(tx, row.customer_id, 'payment_event', {
    payment_id: row.payment_id,
    event,
    at: new Date(atMs),
    amount_ore: amountOre,
    who,
    words: words?.slice(0, 500) ?? null,
  }).execute()

export const setState = (
  tx: Tx,
  row: PaymentRow,
  state: PaymentState,
  nowMs: number,
  columns: Partial<Omit<PaymentRow, 'customer_id' | 'payment_id'>> = {},
) =>
  updateRows(tx, row.customer_id, 'payment', { payment_id: row.payment_id })
    .set({ state, changed_at: new Date(nowMs), failure: null, ...columns })
    .execute()

export type Change = [
  state: PaymentState & PaymentEvent,
  columns?: Parameters<typeof setState>[4],
  event?: EventDetails,
]

/** A state with the event of the same name. */
export const changeState = async (tx: Tx, row: PaymentRow, nowMs: number, ...[state, columns, event]: Change) => {
  await setState(tx, row, state, nowMs, columns)
  await logEvent(tx, row, state, nowMs, event)
}

type User = Pick<Viewer, 'userId' | 'email'>
type Operation = { amountOre: number; nowMs: number; by?: User | null; words?: string | null }

/** Logged, stored with its idempotency key, and queued: it is sent after the commit. */
export const addOperation = async (
  tx: Tx,
  row: PaymentRow,
  kind: 'reserve' | 'capture' | 'release' | 'refund',
  { amountOre, nowMs, by = null, words = null }: Operation,
): Promise<void> => {
  const operationId = newId(nowMs)
  await logEvent(tx, row, kind, nowMs, { amountOre, who: by?.email ?? null, words })
  await insertRow(tx, row.customer_id, 'payment_operation', {
    payment_id: row.payment_id,
    operation_id: operationId,
    kind,
    amount_ore: amountOre,
    user_id: by?.userId ?? null,
    asked_at: new Date(nowMs),
  }).execute()
  await queueItems(tx, [{ id: operationId, customerId: row.customer_id, kind: outboxKind, payload: {}, nowMs }])
}

export const release = async (tx: Tx, row: PaymentRow, nowMs: number, by: User | null = null): Promise<void> => {
  await setState(tx, row, 'releasing', nowMs)
  await addOperation(tx, row, 'release', { amountOre: row.reserved_ore, nowMs, by })
}

export const capture = async (tx: Tx, row: PaymentRow, costOre: number, nowMs: number, by: User | null = null) => {
  await setState(tx, row, 'capturing', nowMs, { cost_ore: costOre })
  await addOperation(tx, row, 'capture', { amountOre: Math.min(costOre, row.reserved_ore), nowMs, by })
}

/** Requests that no process would send any more: a restored backup holds back all waiting ones, so they are queued again as possibly sent. */
export const requeue = async (tx: Tx, nowMs: number): Promise<void> => {
  await sql`
    update payment_operation set sent = true where state = 'open' and not sent
      and operation_id in (select outbox_id from outbox where kind = ${outboxKind} and next_attempt_at is null and done_at is null)`.execute(
    tx,
  )
  await sql`
    update outbox set next_attempt_at = ${new Date(nowMs)}, leased_until = null where kind = ${outboxKind} and next_attempt_at is null
      and outbox_id in (select operation_id from payment_operation where state = 'open')`.execute(tx)
}
