import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/charging/payments.ts'
import { portalAddress } from '#config.ts'
import { type App, ownRoute, route } from '#context.ts'
import { type Keys, openVipps, type Vipps } from '#connectors/vipps/fetch.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, selectRows } from '#platform/records/rows.ts'
import { dkkOf, oreOf } from './payment-rows.ts'
import { mobilePay, type ProviderOf } from './operations.ts'

export const readAccount = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'payment_account').selectAll().executeTakeFirst()
type Account = NonNullable<Awaited<ReturnType<typeof readAccount>>>

const keysOf = ({ secret }: Pick<App, 'secret'>, account: Account): Keys => ({
  merchantSerialNumber: account.merchant_serial_number,
  clientId: account.client_id,
  clientSecret: secret.unseal(account.client_secret_sealed),
  subscriptionKey: secret.unseal(account.subscription_key_sealed),
})

export const openProviders = (app: Pick<App, 'config' | 'records' | 'secret' | 'clock'>): ProviderOf => {
  const open = new Map<string, { savedMs: number; vipps: Vipps }>()
  return async (customerId) => {
    const account = await app.records.tenant(customerId, (tx) => readAccount(tx, customerId))
    if (!account) return null
    const savedMs = account.saved_at.getTime()
    const cached = open.get(customerId)
    if (cached?.savedMs === savedMs) return mobilePay(cached.vipps)
    const vipps = openVipps(app.config.VIPPS_URL, keysOf(app, account), app.clock)
    open.set(customerId, { savedMs, vipps })
    return mobilePay(vipps)
  }
}

export const webhookPath = (customerId: string): string => `/payments/told/${customerId}`

const get = ownRoute(contract.paymentAccount, async (tx, customerId) => {
  const account = await readAccount(tx, customerId)
  return {
    account: account
      ? {
          merchantSerialNumber: account.merchant_serial_number,
          clientId: account.client_id,
          reserve: dkkOf(account.reserve_ore),
          isTold: account.webhook_id !== null,
          savedAt: account.saved_at.toISOString(),
        }
      : null,
  }
})

const save = route(contract.savePaymentAccount, async ({ app, own, audit, viewer, body, nowMs }) => {
  const before = await own(readAccount)
  const { merchantSerialNumber, clientId } = body
  const clientSecret = body.clientSecret || (before && app.secret.unseal(before.client_secret_sealed))
  const subscriptionKey = body.subscriptionKey || (before && app.secret.unseal(before.subscription_key_sealed))
  if (!clientSecret) throw invalid({ clientSecret: m.required })
  if (!subscriptionKey) throw invalid({ subscriptionKey: m.required })
  const keys = { merchantSerialNumber, clientId, clientSecret, subscriptionKey }
  const vipps = openVipps(app.config.VIPPS_URL, keys, app.clock)
  const checked = await vipps.check()
  if (!checked.ok)
    throw new Refusal(409, isRefused(checked.httpStatus) ? m.paymentAccountRefused : m.paymentAccountAway)
  const isSame = before?.merchant_serial_number === merchantSerialNumber && before.webhook_id !== null
  const listening = isSame ? null : await vipps.listen(portalAddress(app.config, webhookPath(viewer.customerId)))
  await own(async (tx, customerId) => {
    const fresh = {
      merchant_serial_number: merchantSerialNumber,
      client_id: clientId,
      reserve_ore: oreOf(body.reserve),
      client_secret_sealed: app.secret.seal(clientSecret),
      saved_at: new Date(nowMs),
      subscription_key_sealed: app.secret.seal(subscriptionKey),
      ...(listening && {
        webhook_id: listening.ok ? listening.value.id : null,
        webhook_secret_sealed: listening.ok ? app.secret.seal(listening.value.secret) : null,
      }),
    }
    await insertRow(tx, customerId, 'payment_account', fresh)
      .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(fresh))
      .execute()
    await audit(tx, 'payment.account', merchantSerialNumber, {
      ...(before && { before: { merchantSerialNumber: before.merchant_serial_number, clientId: before.client_id } }),
      after: { merchantSerialNumber, clientId, reserve: body.reserve },
    })
  })
})

const isRefused = (status: number | null) => status !== null && status >= 400 && status < 500 && status !== 429

export const accounts = [get, save]
