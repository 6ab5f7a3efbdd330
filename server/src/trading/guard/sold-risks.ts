import { findSoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { findMeasuring, findRisks, findSoldAhead, getInstance, getSupport } from './guard-rows.ts'
import { outlookOf } from './outlook.ts'
import { hoursOf, shortfallsOf, type SoldPeriod } from './shortfall.ts'

const minSpareKw = 10
const maxSpare = 5
/** A wall screen shows no money and nothing to do about a risk. */
const ofDesk = { lossEur: null, atStakeEur: null, spare: [] }

const soldKwAt = (sold: readonly SoldPeriod[], ms: number) =>
  sold.filter((one) => one.fromMs <= ms && ms < one.toMs).reduce((sum, { kw }) => sum + kw, 0)

export const soldRisks = route(findSoldRisks, async ({ app, own, viewer, nowMs, query }) => {
  const { market, instanceId } = query
  const { risks, ahead, support, measuring } = await own(async (tx, customerId) => {
    if (instanceId !== undefined) await getInstance(tx, customerId, instanceId)
    const rows = await findRisks(tx, customerId, nowMs, query)
    const markets = [...new Set(rows.map((risk) => risk.market))]
    return {
      risks: rows,
      ahead: await findSoldAhead(tx, nowMs, customerId),
      support: await getSupport(tx, customerId, app.config.OPERATOR_EMAIL),
      measuring: rows.length > 0 ? await findMeasuring(tx, customerId, markets) : [],
    }
  })
  const selected = ahead.flatMap(({ sold, ...one }) =>
    instanceId === undefined || one.instance_id === instanceId
      ? [{ ...one, sold: sold.filter((period) => market === undefined || period.market === market) }]
      : [],
  )
  const outlooks = new Map(
    await Promise.all(
      [...measuring, ...selected.filter(({ sold }) => sold.length > 0)].map(
        async (one) => [one.instance_id, await outlookOf(app, one, nowMs)] as const,
      ),
    ),
  )
  const soldOf = new Map(ahead.map(({ instance_id, sold }) => [instance_id, sold]))
  const unknown = selected.flatMap(({ instance_id, sold }) => {
    const outlook = outlooks.get(instance_id)
    if (!outlook || outlook.isSilent) return []
    return shortfallsOf(sold, outlook.expected).filter(({ shortKw }) => shortKw === null)
  })
  const findSpare = (onMarket: string, product: string, span: Span) =>
    measuring
      .flatMap(({ instance_id, name, markets }) => {
        const outlook = outlooks.get(instance_id)
        if (!outlook || outlook.isSilent || !markets.includes(onMarket)) return []
        const others = (soldOf.get(instance_id) ?? []).filter((one) => one.fromMs < span.toMs && one.toMs > span.fromMs)
        const period = { market: onMarket, product, kw: 1e9, eur: null, ...span }
        const expectedKw = shortfallsOf([period, ...others], outlook.expected)[0]?.expectedKw ?? null
        if (expectedKw === null) return []
        const neededKw = Math.max(0, ...hoursOf(span).map((ms) => soldKwAt(others, ms)))
        const kw = Math.floor(expectedKw - neededKw)
        return kw >= minSpareKw ? [{ instanceId: instance_id, groupName: name, kw }] : []
      })
      .toSorted((a, b) => b.kw - a.kw)
  // Instances at risk share their periods: without this cache a thousand would be compared with a thousand.
  const cache = new Map<string, ReturnType<typeof findSpare>>()
  const spareOf = (risk: (typeof risks)[number]) => {
    const key = `${risk.market} ${risk.product} ${risk.start} ${risk.end}`
    const span = { fromMs: Date.parse(risk.start), toMs: Date.parse(risk.end) }
    const spare = cache.get(key) ?? findSpare(risk.market, risk.product, span)
    cache.set(key, spare)
    const others = spare.slice(0, maxSpare + 1).filter((one) => one.instanceId !== risk.groupId)
    return others.slice(0, maxSpare).map(({ groupName, kw }) => ({ groupName, kw }))
  }
  const onWall = viewer.wall !== undefined
  return {
    risks: risks.map((risk) => (onWall ? { ...risk, ...ofDesk } : { ...risk, spare: spareOf(risk) })),
    soldCount: selected.reduce((sum, { sold }) => sum + sold.length, 0),
    unknownCount: unknown.length,
    support: onWall ? { name: '', phone: null, email: '' } : support,
  }
})
