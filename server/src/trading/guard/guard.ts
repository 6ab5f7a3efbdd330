import { limits } from '@gridmast/contract/limits.ts'
import type { RiskSlot } from '@gridmast/contract/trading/penalty-guard.ts'
import type { WebhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { forEachIsolated } from '#platform/jobs/due-work.ts'
import { newId } from '#platform/records/ids.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { queueWebhook } from '#platform/messaging/webhook.ts'
import { queuePushes } from '#people/push/queue.ts'
import { soldAtRisk, soldAtRiskPush } from '#trading/placing/mails.ts'
import { findBidSubscribers } from '#trading/requests/queries.ts'
import {
  addGuardAlert,
  closeGuardAlerts,
  closeRisk,
  findOpenInstances,
  findSoldAhead,
  getSupport,
  type GuardAlert,
  lockOpenRisks,
  saveRisk,
  type SoldAhead,
} from './guard-rows.ts'
import { type Outlook, outlookOf } from './outlook.ts'
import { type Shortfall, shortfallsOf, type SoldPeriod, stepOf, unknownShortfall } from './shortfall.ts'

const toSlot = (sold: SoldPeriod, shortfall: Shortfall, state: RiskSlot['state']): RiskSlot => ({
  product: sold.product,
  start: new Date(sold.fromMs).toISOString(),
  end: new Date(sold.toMs).toISOString(),
  state,
  soldKw: sold.kw,
  atStakeEur: sold.eur,
  ...(state === 'unknown' ? unknownShortfall : shortfall),
})

type GuardApp = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'live' | 'log'>

const notify = async (
  tx: Tx,
  { config }: GuardApp,
  { customer_id: customerId, name }: SoldAhead,
  { instance_id, market, slots, trigger_id }: GuardAlert,
  nowMs: number,
): Promise<void> => {
  const support = await getSupport(tx, customerId, config.OPERATOR_EMAIL)
  const path = `/demandResponse/${market}?tab=soldCapacity&instance=${instance_id}`
  const atRisk = { instance: name, market, slots, support, link: portalAddress(config, path) }
  const letter = soldAtRisk(atRisk)
  for (const to of await findBidSubscribers(tx, customerId, instance_id, market))
    await queueMail(tx, { customerId, to }, letter, { nowMs })
  const data: WebhookData['sold-capacity'] = {
    _id: trigger_id,
    groupId: instance_id,
    groupName: name,
    biddingMarket: market,
    slots: [...slots],
  }
  await queueWebhook(tx, customerId, 'sold-capacity', data, nowMs)
  const about = { customerId, instanceId: instance_id, topic: `slots ${instance_id} ${market}` }
  await queuePushes(tx, 'slots', [{ ...about, ...soldAtRiskPush(atRisk), path, atMs: nowMs }], nowMs)
}

const keyOf = (product: string, startMs: number) => `${product} ${startMs}`

type Guarded = { ahead: SoldAhead; outlook: Outlook; isOpen: boolean }

const guardInstance = async (app: GuardApp, { ahead, outlook, isOpen }: Guarded, nowMs: number): Promise<boolean> => {
  const { customer_id, instance_id, sold } = ahead
  const shortfalls = shortfallsOf(sold, outlook.expected)
  const periods = sold.map((period, i) => ({ period, shortfall: shortfalls[i] ?? unknownShortfall }))
  const isFine = periods.every((one) => stepOf(one.period, one.shortfall, outlook.isSilent, null).to === 'none')
  if (isFine && !isOpen) return false
  return app.records.tenant(customer_id, async (tx) => {
    const at = new Date(nowMs)
    const stored = await lockOpenRisks(tx, customer_id, instance_id, nowMs)
    const open = new Map(stored.map((risk) => [keyOf(risk.product, risk.starts_at.getTime()), risk]))
    const alerts = new Map<string, GuardAlert & { slots: RiskSlot[] }>()
    const saved: Parameters<typeof saveRisk>[2][] = []
    const closed: Parameters<typeof closeRisk>[2][] = []
    const replaced = new Set<string>()
    for (const { period, shortfall } of periods) {
      const { market, product, fromMs } = period
      const before = open.get(keyOf(product, fromMs)) ?? null
      open.delete(keyOf(product, fromMs))
      const step = stepOf(period, shortfall, outlook.isSilent, before)
      if (step.to === 'none') continue
      if (before && step.to !== 'keep') replaced.add(before.trigger_id)
      if (step.to === 'close') {
        closed.push({ instance_id, product, starts_at: new Date(fromMs) })
        continue
      }
      const slot = toSlot(period, shortfall, step.state)
      let trigger_id = before?.trigger_id ?? ''
      if (step.to === 'notify') {
        const alert = alerts.get(market) ?? { instance_id, market, slots: [], trigger_id: newId(nowMs) }
        alert.slots.push(slot)
        alerts.set(market, alert)
        trigger_id = alert.trigger_id
      }
      saved.push({ slot, instance_id, market, trigger_id, told_kw: step.told_kw })
    }
    for (const risk of open.values()) {
      closed.push({ ...risk, instance_id })
      replaced.add(risk.trigger_id)
    }
    for (const alert of alerts.values()) await addGuardAlert(tx, customer_id, alert, at)
    for (const risk of saved) await saveRisk(tx, customer_id, risk, at)
    for (const risk of closed) await closeRisk(tx, customer_id, risk, at)
    if (replaced.size > 0) await closeGuardAlerts(tx, customer_id, [...replaced], at)
    for (const alert of alerts.values()) await notify(tx, app, ahead, alert, nowMs)
    return alerts.size > 0
  })
}

export const guardSold = async (app: GuardApp, upForMs = Infinity): Promise<number> => {
  const nowMs = app.clock.now()
  const { ahead, opened } = await app.records.system(async (tx) => ({
    ahead: await findSoldAhead(tx, nowMs),
    opened: await findOpenInstances(tx, nowMs),
  }))
  const open = new Set(opened.map(({ instance_id }) => instance_id))
  const sellers = new Set(ahead.map(({ instance_id }) => instance_id))
  const withoutSold = opened
    .filter(({ instance_id }) => !sellers.has(instance_id))
    .map((one): SoldAhead => ({ ...one, name: '', up: null, down: null, sold: [] }))
  let notified = 0
  const guard = async (one: SoldAhead) => {
    const outlook = await outlookOf(app, one, nowMs)
    // After an outage of Gridmast silence counts only once every edge has had time to report.
    if (outlook.isSilent && upForMs < limits.edgeAliveMs) return
    if (await guardInstance(app, { ahead: one, outlook, isOpen: open.has(one.instance_id) }, nowMs)) {
      notified++
      app.live.publish(one.customer_id, 'alerts', {})
    }
  }
  await forEachIsolated([...ahead, ...withoutSold], guard, ({ instance_id }, error) =>
    app.log.error({ err: error, instance: instance_id }, 'sold capacity not compared with expected capacity'),
  )
  return notified
}

export const guardJob: Job<App> = {
  name: 'penalty-guard',
  cron: '*/5 * * * *',
  atStart: true,
  retries: 0,
  run: async (app) => void (await guardSold(app, process.uptime() * 1000)),
}
