import { limits } from '@gridmast/contract/limits.ts'
import type { RiskSlot } from '@gridmast/contract/trading/penalty-guard.ts'
import type { WebhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { addGuardAlert, closeGuardAlerts } from './guard-alert.ts'
import { forEachIsolated } from '#platform/jobs/due-work.ts'
import { newId } from '#platform/records/ids.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { queueWebhook } from '#platform/messaging/webhook.ts'
import { findBidReaders } from '#trading/requests/bid-readers.ts'
import {
  type Ahead,
  closeRisk,
  findOpenInstances,
  findSoldAhead,
  getSupport,
  lockOpen,
  saveRisk,
} from './guard-rows.ts'
import { soldAtRisk } from '#trading/placing/mails.ts'
import { type Outlook, outlookOf } from '#trading/requests/outlook.ts'
import { type Judged, judgeSold, type Sold, stepOf } from './shortfall.ts'

const toSlot = (sold: Sold, judged: Judged, state: RiskSlot['state']): RiskSlot => ({
  product: sold.product,
  start: new Date(sold.fromMs).toISOString(),
  end: new Date(sold.toMs).toISOString(),
  state,
  soldKw: sold.kw,
  atStakeEur: sold.eur,
  ...(state === 'unknown'
    ? { expectedKw: null, usualErrorKw: null, shortKw: null, lossEur: null }
    : {
        expectedKw: judged.expectedKw,
        usualErrorKw: judged.usualErrorKw,
        shortKw: judged.shortKw,
        lossEur: judged.lossEur,
      }),
})

type GuardApp = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'live' | 'log'>
type Told = {
  customerId: string
  instanceId: string
  name: string
  market: string
  slots: RiskSlot[]
  triggerId: string
}

const tell = async (tx: Tx, { config }: Pick<App, 'config'>, told: Told, nowMs: number): Promise<void> => {
  const { customerId, instanceId, name, market, slots, triggerId } = told
  const support = await getSupport(tx, customerId)
  const link = portalAddress(config, `/demandResponse/${market}?tab=soldCapacity&instance=${instanceId}`)
  const letter = soldAtRisk({ instance: name, market, slots, support: supportOf(support, config.OPERATOR_EMAIL), link })
  for (const to of await findBidReaders(tx, customerId, instanceId, market))
    await queueMail(tx, { customerId, to }, letter, { nowMs })
  const data: WebhookData['sold-capacity'] = {
    _id: triggerId,
    groupId: instanceId,
    groupName: name,
    biddingMarket: market,
    slots,
  }
  await queueWebhook(tx, customerId, 'sold-capacity', data, nowMs)
}

export const supportOf = (own: Awaited<ReturnType<typeof getSupport>>, operatorEmail: string) => ({
  name: own.name ?? 'Gridmast operator',
  phone: own.phone ?? null,
  email: own.email ?? operatorEmail,
})

const keyOf = (product: string, startMs: number) => `${product} ${startMs}`

type Looked = { ahead: Ahead; outlook: Outlook; isOpen: boolean }

const guardOne = async (app: GuardApp, { ahead, outlook, isOpen }: Looked, nowMs: number): Promise<boolean> => {
  const { customer_id: customerId, instance_id: instanceId, name, sold } = ahead
  const judged = judgeSold(sold, outlook.expected)
  const isFine = sold.every((one, i) => !judged[i] || stepOf(one, judged[i], outlook.isSilent, null).to === 'none')
  if (isFine && !isOpen) return false
  return app.records.tenant(customerId, async (tx) => {
    const open = new Map(
      (await lockOpen(tx, customerId, instanceId, nowMs)).map((row) => [keyOf(row.product, row.startMs), row]),
    )
    const fresh = new Map<string, Told>()
    const saved: { slot: RiskSlot; triggerId: string; market: string; toldKw: number }[] = []
    const left = new Set<string>()
    const closed: { product: string; startMs: number }[] = []
    for (const [i, one] of sold.entries()) {
      const found = judged[i]
      const key = keyOf(one.product, one.fromMs)
      const before = open.get(key) ?? null
      open.delete(key)
      if (!found) continue
      const step = stepOf(one, found, outlook.isSilent, before)
      if (step.to === 'none') continue
      if (step.to === 'close') {
        closed.push({ product: one.product, startMs: one.fromMs })
        if (before) left.add(before.triggerId)
        continue
      }
      const slot = toSlot(one, found, step.state)
      let triggerId = before?.triggerId ?? ''
      if (step.to === 'tell') {
        if (before) left.add(before.triggerId)
        const told = fresh.get(one.market) ?? {
          customerId,
          instanceId,
          name,
          market: one.market,
          slots: [],
          triggerId: newId(nowMs),
        }
        told.slots.push(slot)
        fresh.set(one.market, told)
        triggerId = told.triggerId
      }
      saved.push({ slot, triggerId, market: one.market, toldKw: step.toldKw })
    }
    for (const { product, startMs, triggerId } of open.values()) {
      closed.push({ product, startMs })
      left.add(triggerId)
    }
    for (const told of fresh.values()) await addGuardAlert(tx, { ...told, nowMs })
    for (const { slot, ...place } of saved) await saveRisk(tx, slot, { ...place, customerId, instanceId, nowMs })
    const at = new Date(nowMs)
    for (const one of closed) await closeRisk(tx, { ...one, customerId, instanceId, at })
    if (left.size > 0) await closeGuardAlerts(tx, customerId, [...left], at)
    for (const told of fresh.values()) await tell(tx, app, told, nowMs)
    return fresh.size > 0
  })
}

export const guardSold = async (app: GuardApp, upForMs = Infinity): Promise<number> => {
  const nowMs = app.clock.now()
  const { ahead, others, open } = await app.records.system(async (tx) => {
    const found = await findSoldAhead(tx, nowMs)
    const seen = new Set(found.map(({ instance_id }) => instance_id))
    const opened = await findOpenInstances(tx, nowMs)
    const open = new Set(opened.map(({ instance_id }) => instance_id))
    return { ahead: found, others: opened.filter(({ instance_id }) => !seen.has(instance_id)), open }
  })
  const nothingSold = others.map((one): Ahead => ({ ...one, name: '', up: null, down: null, sold: [] }))
  let told = 0
  const guard = async (one: Ahead) => {
    const outlook = await outlookOf(app, one, { nowMs })
    // After an outage of Gridmast silence counts only once every edge has had time to report.
    if (outlook.isSilent && upForMs < limits.edgeAliveMs) return
    if (await guardOne(app, { ahead: one, outlook, isOpen: open.has(one.instance_id) }, nowMs)) {
      told++
      app.live.publish(one.customer_id, 'alerts', {})
    }
  }
  await forEachIsolated([...ahead, ...nothingSold], guard, ({ instance_id }, error) =>
    app.log.error({ error, instance: instance_id }, 'what is sold was not compared with what is expected'),
  )
  return told
}

export const guardJob: Job<App> = {
  name: 'penalty-guard',
  cron: '*/5 * * * *',
  atStart: true,
  retries: 0,
  run: async (app) => void (await guardSold(app, process.uptime() * 1000)),
}
