import { findSoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { supportOf } from '#trading/guard/guard.ts'
import { findMeasuring, findRisks, findSoldAhead, getInstance, getSupport } from '#trading/guard/guard-rows.ts'
import { outlookOf } from '#trading/requests/outlook.ts'
import { judgeSold } from '#trading/guard/shortfall.ts'

const leastSpareKw = 10
const mostSpare = 5

export const soldRisks = route(findSoldRisks, async ({ app, own, nowMs, query }) => {
  const { market, instanceId } = query
  const { risks, ahead, support, measuring } = await own(async (tx, customerId) => {
    if (instanceId !== undefined) await getInstance(tx, customerId, instanceId)
    const found = await findRisks(tx, customerId, nowMs, query)
    return {
      risks: found,
      ahead: await findSoldAhead(tx, nowMs, { customerId }),
      support: await getSupport(tx, customerId),
      measuring:
        found.length > 0 ? await findMeasuring(tx, customerId, [...new Set(found.map((one) => one.market))]) : [],
    }
  })
  const wanted = ahead.flatMap(({ sold, ...one }) =>
    instanceId === undefined || one.instance_id === instanceId
      ? [{ ...one, sold: sold.filter((piece) => market === undefined || piece.market === market) }]
      : [],
  )
  const outlooks = new Map(
    await Promise.all(
      [...measuring, ...wanted.filter(({ sold }) => sold.length > 0)].map(
        async (one) => [one.instance_id, await outlookOf(app, one, { nowMs })] as const,
      ),
    ),
  )
  const soldOf = new Map(ahead.map(({ instance_id, sold }) => [instance_id, sold]))
  const unknown = wanted.flatMap(({ instance_id, sold }) => {
    const outlook = outlooks.get(instance_id)
    if (!outlook || outlook.isSilent) return []
    return judgeSold(sold, outlook.expected).filter(({ shortKw }) => shortKw === null)
  })
  const soldBeside = (instanceId: string, { fromMs, toMs }: Span) =>
    (soldOf.get(instanceId) ?? []).filter((one) => one.fromMs < toMs && one.toMs > fromMs)
  const findSpare = (market: string, product: string, span: Span) =>
    measuring
      .flatMap(({ instance_id, name, markets }) => {
        const outlook = outlooks.get(instance_id)
        if (!outlook || outlook.isSilent || !markets.includes(market)) return []
        const others = soldBeside(instance_id, span)
        const [found] = judgeSold([{ market, product, kw: 1e9, eur: null, ...span }, ...others], outlook.expected)
        if (!found || found.expectedKw === null) return []
        const needed = Math.max(0, ...hoursBetween(span.fromMs, span.toMs).map((ms) => sumAt(others, ms)))
        const kw = Math.floor(found.expectedKw - needed)
        return kw >= leastSpareKw ? [{ instanceId: instance_id, groupName: name, kw }] : []
      })
      .toSorted((a, b) => b.kw - a.kw)
  // Instances at risk share their periods: without this cache a thousand would be compared with a thousand.
  const known = new Map<string, ReturnType<typeof findSpare>>()
  const spareOf = ({ market, product, groupId, start, end }: (typeof risks)[number]) => {
    const key = `${market} ${product} ${start} ${end}`
    const found = known.get(key) ?? findSpare(market, product, { fromMs: Date.parse(start), toMs: Date.parse(end) })
    known.set(key, found)
    const others = found.slice(0, mostSpare + 1).filter(({ instanceId }) => instanceId !== groupId)
    return others.slice(0, mostSpare).map(({ groupName, kw }) => ({ groupName, kw }))
  }
  return {
    risks: risks.map((risk) => ({ ...risk, spare: spareOf(risk) })),
    soldCount: wanted.reduce((sum, { sold }) => sum + sold.length, 0),
    unknownCount: unknown.length,
    support: supportOf(support, app.config.OPERATOR_EMAIL),
  }
})

const hoursBetween = (fromMs: number, toMs: number) =>
  Array.from({ length: Math.round((toMs - fromMs) / hourMs) }, (_, i) => fromMs + i * hourMs)

const sumAt = (sold: readonly { fromMs: number; toMs: number; kw: number }[], ms: number) =>
  sold.filter((one) => one.fromMs <= ms && ms < one.toMs).reduce((sum, { kw }) => sum + kw, 0)
