import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/charging/payments.ts'
import { localDateOf } from '@gridmast/contract/time.ts'
import { findRunning } from '#charging/chargers/connectors.ts'
import { findChargingPrices, priceOn } from '#charging/costs/prices.ts'
import { ownRoute } from '#context.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { hasRow, insertRow, lockRow } from '#platform/records/rows.ts'
import { accounts, readAccount } from './account.ts'
import { addOperation, capture, dkkOf, lockPayment, oreOf, type PaymentRow, release } from './payment-rows.ts'
import { readCost } from './follow.ts'
import { getPayment, lists } from './listing.ts'

const getLocked = async (tx: Tx, customerId: string, paymentId: string): Promise<PaymentRow> => {
  const row = await lockPayment(tx, customerId, paymentId)
  if (!row) throw notFound()
  return row
}

const checkNotBusy = async (tx: Tx, row: PaymentRow) => {
  const open = { payment_id: row.payment_id, state: 'open' }
  if (await hasRow(tx, row.customer_id, 'payment_operation', open)) throw new Refusal(409, m.paymentBusy)
}

const openPayments = ['reserving', 'waiting', 'reserved', 'charging']

/** The charger is locked, so that two requests at once do not both get its connector. */
const checkConnector = async (tx: Tx, customerId: string, chargerId: string, evseNo: number, nowMs: number) => {
  const key = { charger_id: chargerId, enabled: true }
  const charger = await lockRow(tx, customerId, 'charger', key, ['name', 'connectors', 'online'])
  if (evseNo > charger.connectors) throw new Refusal(409, m.noSuchConnector)
  if (!charger.online) throw new Refusal(409, m.chargerOffline)
  if (await findRunning(tx, { customerId, chargerId, evseNo })) throw new Refusal(409, m.connectorCharging)
  const reserved = { charger_id: chargerId, evse_no: evseNo, state: openPayments }
  if (await hasRow(tx, customerId, 'payment', reserved)) throw new Refusal(409, m.connectorReserved)
  const price = priceOn(await findChargingPrices(tx, customerId, chargerId), localDateOf(nowMs))
  if (!price?.driver_dkk_per_kwh || Number(price.driver_dkk_per_kwh) === 0) throw new Refusal(409, m.noDriverPrice)
  return charger.name
}

const reserve = ownRoute(contract.reservePayment, async (tx, customerId, { app, audit, viewer, body, nowMs }) => {
  const { chargerId, connectorId } = body
  const name = await checkConnector(tx, customerId, chargerId, connectorId, nowMs)
  const account = await readAccount(tx, customerId)
  if (!account) throw new Refusal(409, m.paymentAccountMissing)
  const paymentId = newId(nowMs)
  await insertRow(tx, customerId, 'payment', {
    payment_id: paymentId,
    charger_id: chargerId,
    evse_no: connectorId,
    user_id: viewer.userId,
    state: 'reserving',
    reserved_ore: account.reserve_ore,
    simulated: app.config.EDS_SIMULATED === 'on',
    created_at: new Date(nowMs),
    changed_at: new Date(nowMs),
  }).execute()
  const row = await getLocked(tx, customerId, paymentId)
  await addOperation(tx, row, 'reserve', { amountOre: row.reserved_ore, nowMs, by: viewer })
  await audit(tx, 'payment.reserve', name, {
    after: { payment: paymentId, connectorId, reserved: dkkOf(row.reserved_ore) },
  })
  return { payment: await getPayment(tx, customerId, paymentId) }
})

const retry = ownRoute(contract.retryCapture, async (tx, customerId, { audit, viewer, params, nowMs }) => {
  const row = await getLocked(tx, customerId, params.id)
  if (row.state !== 'capture-failed') throw new Refusal(409, m.captureNotFailed)
  await checkNotBusy(tx, row)
  const cost = await readCost(tx, row, nowMs)
  if (cost && 'words' in cost) throw new Refusal(409, cost.words)
  const costOre = cost?.ore ?? row.cost_ore
  if (!costOre) throw new Refusal(409, m.captureNotFailed)
  await capture(tx, row, costOre, nowMs, viewer)
  await audit(tx, 'payment.capture', row.payment_id, {
    after: { amount: dkkOf(Math.min(costOre, row.reserved_ore)) },
  })
  return { payment: await getPayment(tx, customerId, params.id) }
})

const releaseReserved = ownRoute(contract.releasePayment, async (tx, customerId, { audit, viewer, params, nowMs }) => {
  const row = await getLocked(tx, customerId, params.id)
  if (row.state !== 'waiting' && row.state !== 'reserved' && row.state !== 'capture-failed')
    throw new Refusal(409, m.notReserved)
  await checkNotBusy(tx, row)
  await release(tx, row, nowMs, viewer)
  await audit(tx, 'payment.release', row.payment_id, { after: { amount: dkkOf(row.reserved_ore) } })
  return { payment: await getPayment(tx, customerId, params.id) }
})

const refund = ownRoute(contract.refundPayment, async (tx, customerId, { audit, viewer, params, body, nowMs }) => {
  const row = await getLocked(tx, customerId, params.id)
  const amountOre = oreOf(body.amount)
  if (amountOre > (row.captured_ore ?? 0) - row.refunded_ore) throw invalid({ amount: m.refundTooMuch })
  await checkNotBusy(tx, row)
  await addOperation(tx, row, 'refund', { amountOre, nowMs, by: viewer, words: body.note || null })
  await audit(tx, 'payment.refund', row.payment_id, { after: { amount: dkkOf(amountOre), note: body.note } })
  return { payment: await getPayment(tx, customerId, params.id) }
})

export const payments = [...lists, reserve, retry, releaseReserved, refund, ...accounts]
