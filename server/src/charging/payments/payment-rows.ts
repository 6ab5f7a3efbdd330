import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import type { PaymentState } from '@gridmast/contract/choices.ts'
import type { PaymentEvent } from '@gridmast/contract/charging/payments.ts'
import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import { queueItems } from '#platform/messaging/outbox.ts'
import type { Tx } from '#platform/records/records.ts'
import { hasRow, insertRow, selectRows, updateRows } from '#platform/records/rows.ts'

/** Money is whole øre in the store and at the provider, and exact decimals in DKK everywhere else. */

/** `12.345` -> 1235: rounded once, here, halves away from zero. */
export const oreOf = (dkk: string): number => Number(roundDecimal(multiplyDecimals(dkk, '100'), 0))

/** 1235 -> `12.35`. */
export const dkkOf = (ore: number): string => roundDecimal(multiplyDecimals(String(ore), '0.01'), 2)

/** Payments as rows: states, requests to the provider, history. Rules: payments.md. */

export const outboxKind = 'payment'

export const lockPayment = (tx: Tx, customerId: string, paymentId: string) =>
  selectRows(tx, customerId, 'payment', { payment_id: paymentId }).selectAll().forUpdate().executeTakeFirst()
export type PaymentRow = NonNullable<Awaited<ReturnType<typeof lockPayment>>>

type Noted = {
  amountOre?: number | null
  who?: string | null
  words?: string | null
  atMs?: number
}

export const note = (tx: Tx, row: PaymentRow, event: PaymentEvent, nowMs: number, noted: Noted = {}) =>
  insertRow(tx, row.customer_id, 'payment_event', {
    payment_id: row.payment_id,
    event,
    at: new Date(noted.atMs ?? nowMs),
    amount_ore: noted.amountOre ?? null,
    who: noted.who ?? null,
    words: noted.words?.slice(0, 500) ?? null,
  }).execute()

type Changed = Partial<
  Pick<PaymentRow, 'cost_ore' | 'captured_ore' | 'refunded_ore' | 'redirect_url' | 'command_id' | 'transaction_id'>
>

export const move = (
  tx: Tx,
  row: PaymentRow,
  state: PaymentState,
  nowMs: number,
  changed: Changed & { failure?: string | null } = {},
) =>
  updateRows(tx, row.customer_id, 'payment', { payment_id: row.payment_id })
    .set({ state, changed_at: new Date(nowMs), failure: null, ...changed })
    .execute()

type OperationKind = 'reserve' | 'capture' | 'release' | 'refund'

/** Stored with its idempotency key and queued: it is sent after the commit. */
export const addOperation = async (
  tx: Tx,
  row: Pick<PaymentRow, 'customer_id' | 'payment_id'>,
  kind: OperationKind,
  { amountOre, userId = null, nowMs }: { amountOre: number; userId?: string | null; nowMs: number },
): Promise<void> => {
  const operationId = newId(nowMs)
  await insertRow(tx, row.customer_id, 'payment_operation', {
    payment_id: row.payment_id,
    operation_id: operationId,
    kind,
    amount_ore: amountOre,
    user_id: userId,
    asked_at: new Date(nowMs),
  }).execute()
  await queueItems(tx, [{ id: operationId, customerId: row.customer_id, kind: outboxKind, payload: {}, nowMs }])
}

export const release = async (
  tx: Tx,
  row: PaymentRow,
  nowMs: number,
  { userId = null, who = null, words = null }: { userId?: string | null; who?: string | null; words?: string | null },
): Promise<void> => {
  await move(tx, row, 'releasing', nowMs)
  await note(tx, row, 'release', nowMs, { amountOre: row.reserved_ore, who, words })
  await addOperation(tx, row, 'release', { amountOre: row.reserved_ore, userId, nowMs })
}

export const capture = async (
  tx: Tx,
  row: PaymentRow,
  nowMs: number,
  { costOre, userId = null, who = null }: { costOre: number; userId?: string | null; who?: string | null },
): Promise<void> => {
  const amountOre = Math.min(costOre, row.reserved_ore)
  await move(tx, row, 'capturing', nowMs, { cost_ore: costOre })
  await note(tx, row, 'capture', nowMs, { amountOre, who })
  await addOperation(tx, row, 'capture', { amountOre, userId, nowMs })
}

export const isBusy = (tx: Tx, row: PaymentRow): Promise<boolean> =>
  hasRow(tx, row.customer_id, 'payment_operation', { payment_id: row.payment_id, state: 'open' })

/** Requests that no process would send any more: a restored backup holds back all waiting ones, so they are queued again as possibly sent. */
export const requeue = async (tx: Tx, nowMs: number): Promise<void> => {
  const now = new Date(nowMs)
  await sql`
    update payment_operation set sent = true where state = 'open' and not sent
      and operation_id in (select outbox_id from outbox where kind = ${outboxKind} and next_attempt_at is null and done_at is null)`.execute(
    tx,
  )
  await sql`
    update outbox set next_attempt_at = ${now}, leased_until = null where kind = ${outboxKind} and next_attempt_at is null
      and outbox_id in (select operation_id from payment_operation where state = 'open')`.execute(tx)
}
