import { setTimeout as wait } from 'node:timers/promises'
import { findChargingPrices, saveChargingPrice } from '@gridmast/contract/charging/charging-costs.ts'
import { findChargers } from '@gridmast/contract/charging/ev-charging.ts'
import { remoteStop } from '@gridmast/contract/charging/sessions.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import {
  findPayments,
  getPayment,
  paymentAccount,
  refundPayment,
  reservePayment,
  savePaymentAccount,
} from '@gridmast/contract/charging/payments.ts'
import { minuteMs, today } from '@gridmast/contract/time.ts'
import type { Portal } from './portal.ts'

type Ask = Portal['ask']

const driverPrice = '3.25'
const chargesMs = 100_000
const pollMs = 3000
const waitsForMs = 8 * minuteMs

const setUpPayments = async (ask: Ask): Promise<void> => {
  const { account } = await ask(paymentAccount, {})
  if (!account)
    await ask(savePaymentAccount, {
      body: {
        merchantSerialNumber: '990058',
        clientId: 'gridmast-demo',
        clientSecret: 'gridmast-demo',
        subscriptionKey: 'gridmast-demo',
        reserve: '250',
      },
    })
  const { chargers } = await ask(findChargingPrices, {})
  const unpriced = chargers.filter(({ now }) => now !== null && now.driverPrice === null)
  for (const area of ['DK1', 'DK2'] as const) {
    const here = unpriced.filter(({ now }) => now?.area === area)
    const tax = here[0]?.now?.taxValue
    if (tax === undefined) continue
    const taxValue = Number(tax)
    const ids = here.map(({ _id }) => _id)
    await ask(saveChargingPrice, { body: { chargers: ids, validFrom: today(Date.now()), area, taxValue, driverPrice } })
  }
}

const findFree = async (ask: Ask, taken: ReadonlySet<string>) => {
  const licence = (await ask(findLicences, {})).licenses.find(({ name }) => name === 'evCharging')
  if (!licence) return null
  const { chargers } = await ask(findChargers, { params: { id: licence._id } })
  for (const { _id: chargerId, meta, connectors } of chargers.toReversed())
    for (const { connectorId, state, transactionId } of connectors)
      if (meta.isActive && state === 'available' && transactionId === null && !taken.has(chargerId))
        return { chargerId, connectorId }
  return null
}

const until = async (ask: Ask, id: string, states: readonly string[]) => {
  for (let left = waitsForMs; left > 0; left -= pollMs) {
    const { payment } = await ask(getPayment, { params: { id } })
    if (states.includes(payment.state)) return payment
    await wait(pollMs)
  }
  return null
}

type PaymentCase = 'pays' | 'is refused' | 'gets some back'

const drive = async (ask: Ask, story: PaymentCase, taken: Set<string>, providerUrl: string): Promise<void> => {
  const free = await findFree(ask, taken)
  if (!free) return
  taken.add(free.chargerId)
  const { payment } = await ask(reservePayment, { body: free })
  const begun = await until(ask, payment._id, ['charging', 'released', 'declined', 'failed'])
  if (begun?.state !== 'charging') return
  await wait(chargesMs)
  if (story === 'is refused')
    await fetch(`${providerUrl}/_faults`, {
      method: 'POST',
      body: JSON.stringify({ kind: '400', operation: 'capture', times: 1 }),
    })
  await ask(remoteStop, { body: free }).catch(() => {}) // the car may be full already
  const paid = await until(ask, payment._id, ['captured', 'capture-failed'])
  if (story !== 'gets some back' || paid?.captured == null || Number(paid.captured) < 1) return
  await ask(refundPayment, { params: { id: payment._id }, body: { amount: '1', note: 'Kablet sad fast' } })
}

const everyMs = 20 * minuteMs

export const runDrivers = async (enter: () => Promise<Portal>, providerUrl: string): Promise<never> => {
  const taken = new Set<string>()
  const one = async (story: PaymentCase) => {
    try {
      const portal = await enter()
      await drive(portal.ask, story, taken, providerUrl)
      await portal.signOut()
    } catch (error) {
      console.error(`A driver could not pay: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const portal = await enter()
  await setUpPayments(portal.ask)
  const { totalCount } = await portal.ask(findPayments, { query: {} })
  await portal.signOut()
  if (totalCount === 0) {
    await Promise.all([one('gets some back'), one('pays'), one('pays')])
    await one('is refused')
  }
  for (;;) {
    taken.clear()
    await wait(everyMs)
    await one('pays')
  }
}
