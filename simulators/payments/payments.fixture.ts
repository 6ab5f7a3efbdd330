import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import * as contract from '@gridmast/contract/charging/payments.ts'
import { openVipps } from '../../server/src/connectors/vipps/fetch.ts'
import { followPayments } from '../../server/src/charging/payments/follow.ts'
import { paymentKind, mobilePay } from '../../server/src/charging/payments/operations.ts'
import { idOf, newId } from '../../server/src/platform/records/ids.ts'
import { openOutbox } from '../../server/src/platform/messaging/outbox.ts'
import { openTestApp } from '../../server/src/testing/app.ts'
import { addChargers } from '../../server/src/testing/chargers.ts'
import { freePort } from '../../server/src/testing/whole-server.ts'
import type { Fault } from './faults.ts'
import type { Held } from './ledger.ts'
import { openPayments } from './server.ts'

export const keys = {
  merchantSerialNumber: '123456',
  clientId: 'client',
  clientSecret: 'secret',
  subscriptionKey: 'subscription',
}
const customerId = idOf('customer', 'north')
export const chargerId = idOf('charger', 'north', 'P1')

export const serveProvider = async (
  now: () => number,
  onAsk: (path: string) => void = () => {},
  approveMs: number | null = null,
) => {
  const server = openPayments({ now, approveMs })
  const asked: string[] = []
  server.prependListener('request', ({ method, url = '' }) => {
    asked.push(`${method} ${url}`)
    onAsk(url)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  const post = (path: string, body: object) =>
    fetch(`${baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) }).then((answer) => answer.json())
  const ledger = async () => (await (await fetch(`${baseUrl}/_ledger`)).json()) as Record<string, Held>
  return {
    baseUrl,
    asked,
    fault: (fault: Partial<Fault>) => post('/_faults', fault),
    hooks: (settings: { times?: number; shuffled?: boolean }) => post('/_hooks', settings),
    driver: (paymentId: string, what: 'approve' | 'abort' | 'expire') => post(`/_driver/${paymentId}/${what}`, {}),
    held: async (paymentId: string) => (await ledger())[paymentId],
    taken: async (paymentId: string) =>
      ((await ledger())[paymentId]?.events ?? []).filter(({ name }) => name === 'CAPTURED').map(({ value }) => value),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const openDesk = async (startIso = '2026-11-20T12:00:00Z') => {
  let nowMs = Date.parse(startIso)
  const provider = await serveProvider(() => nowMs)
  const port = await freePort()
  const app = await openTestApp({ VIPPS_URL: provider.baseUrl, PUBLIC_URL: `http://127.0.0.1:${port}` })
  app.setNow(startIso)
  await app.http.listen({ port, host: '127.0.0.1' })
  await addChargers(app.records, [{ identity: 'P1' }])
  await app.records.system(async (tx) => {
    await tx
      .updateTable('licence')
      .set({ settings: JSON.stringify({ mobilepay: true }) })
      .where('type', '=', 'CFM')
      .execute()
    await tx.updateTable('charger').set({ online: true }).where('charger_id', '=', chargerId).execute()
    await tx
      .insertInto('charging_price')
      .values({
        customer_id: customerId,
        charger_id: chargerId,
        valid_from: '2026-01-01',
        area: 'DK2',
        tax_dkk_per_mwh: '119',
        driver_dkk_per_kwh: '2.5',
      })
      .execute()
  })
  const vipps = openVipps(provider.baseUrl, keys, { timeoutMs: 1000, now: () => nowMs })
  const providerOf = () => Promise.resolve(mobilePay(vipps))
  const outbox = openOutbox({ ...app, kinds: paymentKind(app, providerOf) })
  const sudoer = () => app.tokenOf('sudoer@north.example')
  const setNow = (ms: number) => {
    nowMs = ms
    app.setNow(new Date(ms).toISOString())
  }
  const shown = async (paymentId: string) =>
    (await app.ask(contract.getPayment, { token: await sudoer(), params: { id: paymentId } })).body.data
  const follow = () => followPayments(app, providerOf)
  const reserve = async (connectorId = 1) =>
    app.ask(contract.reservePayment, { token: await sudoer(), body: { chargerId, connectorId } })
  const begin = async (paymentId: string) => {
    const transactionId = newId()
    await app.records.system(async (tx) => {
      const { command_id, evse_no } = await tx
        .selectFrom('payment')
        .select(['command_id', 'evse_no'])
        .where('payment_id', '=', paymentId)
        .executeTakeFirstOrThrow()
      const command = tx.updateTable('charger_command').where('command_id', '=', command_id)
      await command.set({ state: 'accepted', is_open: false, answer: 'Accepted' }).execute()
      await tx
        .insertInto('charger_transaction')
        .values({
          customer_id: customerId,
          transaction_id: transactionId,
          charger_id: chargerId,
          evse_no,
          command_id,
          mode: 'remote',
          state: 'active',
          started_at: new Date(nowMs),
          meter_start_wh: '0',
        })
        .execute()
    })
    return transactionId
  }
  const end = (transactionId: string, { wh, dkk }: { wh: number; dkk: string | null }) =>
    app.records.system(async (tx) => {
      await tx
        .updateTable('charger_transaction')
        .set({ state: 'ended', ended_at: new Date(nowMs), consumption_wh: String(wh) })
        .where('transaction_id', '=', transactionId)
        .execute()
      const row = { from_at: new Date(nowMs), wh: [wh], spread: false, unknown: 'price', driver_dkk: dkk }
      await tx
        .insertInto('charging_cost')
        .values({ customer_id: customerId, transaction_id: transactionId, ...row })
        .execute()
      await tx.deleteFrom('charging_due').execute()
    })
  const approved = async (connectorId = 1) => {
    const { _id } = (await reserve(connectorId)).body.data.payment
    await outbox.drain()
    await provider.driver(_id, 'approve')
    await follow()
    return _id
  }
  const charging = async (connectorId = 1) => {
    const _id = await approved(connectorId)
    const transactionId = await begin(_id)
    await follow()
    return { _id, transactionId }
  }
  return {
    app,
    provider,
    customerId,
    sudoer,
    shown,
    follow,
    reserve,
    begin,
    end,
    drain: outbox.drain,
    now: () => nowMs,
    pass: async (ms: number) => {
      setNow(nowMs + ms)
      await outbox.drain()
      await follow()
      await outbox.drain()
    },
    settled: async (paymentId: string) => {
      for (let left = 20; left > 0; left--) {
        setNow(nowMs + 10 * 60_000)
        await outbox.drain()
        await follow()
        await outbox.drain()
        const { state, isOpen } = (await shown(paymentId)).payment
        if (!isOpen && state !== 'charging' && state !== 'ended') return
      }
      throw new Error('it is still open')
    },
    saveAccount: async (more: object = {}) =>
      app.ask(contract.savePaymentAccount, { token: await sudoer(), body: { ...keys, reserve: '200', ...more } }),
    approved,
    charging,
    ended: async (cost: { wh: number; dkk: string | null } = { wh: 4000, dkk: '10' }) => {
      const { _id, transactionId } = await charging()
      await end(transactionId, cost)
      return { _id, transactionId }
    },
    close: async () => {
      await outbox.close()
      await app.close()
      provider.close()
    },
  }
}
