import { soldCapacity, soldCapacityLastReported } from '@gridmast/contract/trading/bid-basis.ts'
import { bidSlots, requestSlots } from '@gridmast/contract/bid-slots.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { type Span, today, type LocalDate } from '@gridmast/contract/time.ts'
import { route, type App } from '#context.ts'
import { measuredAvailable, type SlotsKw } from '#delivery/scoring/available.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile } from '#platform/files/table-file.ts'
import { notFound } from '#platform/http/errors.ts'
import { lastReportedOf } from '#readings/samples.ts'
import { findAllSignals } from '#readings/signals.ts'
import { periodsOf } from '#trading/requests/expansion.ts'
import { outlookOf } from '#trading/requests/outlook.ts'
import { leastExpected } from '#trading/guard/shortfall.ts'
import { findSoldNow, findSoldOfDay } from './sold.ts'

type Signals = Awaited<ReturnType<typeof findAllSignals>>

type Whose = { market: string; licenseId?: string | undefined; instanceId?: string | undefined }

const measuringOf = (signals: Signals, { market, licenseId, instanceId }: Whose) => {
  const asked = signals.filter(
    (one) => (!licenseId || one.licence_id === licenseId) && (!instanceId || one.instance_id === instanceId),
  )
  if ((licenseId || instanceId) && asked.length === 0) throw notFound()
  const own = asked.filter((one) => instanceId || (one.enabled && one.markets.includes(market)))
  return [...Map.groupBy(own, ({ instance_id }) => instance_id)].flatMap(([_id, series]) => {
    const up = series.find(({ kind }) => kind === 'capacityUp')
    const down = series.find(({ kind }) => kind === 'capacityDown')
    return up && down ? [{ _id, name: up.name, simulated: up.simulated, signals: { up: up.no, down: down.no } }] : []
  })
}

type Measuring = ReturnType<typeof measuringOf>[number]

const availableOf = async ({ readings }: App, instances: readonly Measuring[], market: string, day: LocalDate) => {
  const measured = await Promise.all(
    instances.map(async (one) => ({
      ...one,
      kw: (await measuredAvailable(readings, one.signals, market, [day])).get(day) ?? [],
    })),
  )
  const known = measured.filter(({ kw }) => kw.some((value) => value !== null))
  const kw: SlotsKw = Array.from({ length: requestSlots(market) ?? 0 }, (_, slot) => {
    const values = known.flatMap((one) => one.kw[slot] ?? [])
    return values.length === 0 ? null : values.reduce((a, b) => a + b, 0)
  })
  return { kw, instances: known.map(({ _id, name }) => ({ _id, name })) }
}

type Period = Span & { index: number }

const sumOf = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => a + b, 0))

/** Sum of expected kW over the instances that report and have enough measurements; null in past periods. */
const expectedOf = async (
  app: App,
  instances: readonly Measuring[],
  market: string,
  periods: readonly Period[],
  nowMs: number,
): Promise<SlotsKw> => {
  if (periods.every(({ toMs }) => toMs <= nowMs)) return periods.map(() => null)
  const outlooks = await Promise.all(instances.map(({ signals }) => outlookOf(app, signals, { nowMs })))
  const known = outlooks.flatMap(({ isSilent, expected }) => (isSilent ? [] : [expected]))
  return periods.map((period) =>
    period.toMs <= nowMs
      ? null
      : sumOf(known.flatMap((expected) => leastExpected({ ...period, market, product: market }, expected) ?? [])),
  )
}

const lastReported = async ({ readings }: App, measuring: readonly Measuring[]): Promise<string | null> => {
  const reported = await Promise.all(measuring.map(({ signals }) => lastReportedOf(readings, signals.up)))
  return (
    reported
      .flatMap((one) => one ?? [])
      .toSorted()
      .at(-1) ?? null
  )
}

export const soldCapacities = [
  route(soldCapacityLastReported, async ({ app, readCached, query }) => {
    return { lastReported: await lastReported(app, measuringOf(await readCached(findAllSignals), query)) }
  }),
  route(soldCapacity, async ({ app, own, readCached, nowMs, query }) => {
    const { market, date: day = today(nowMs), licenseId, instanceId, format } = query
    const measuring = measuringOf(await readCached(findAllSignals), query)
    const { kw, instances } = await availableOf(app, measuring, market, day)
    const { sold, soldNow } = await own(async (tx, customerId) => ({
      sold: await findSoldOfDay(tx, customerId, { market, day, licenseId, instanceId }),
      soldNow: await findSoldNow(tx, customerId, { market, nowMs, licenseId, instanceId }),
    }))
    const periods = bidSlots(market, day).flatMap((slot): Period[] =>
      periodsOf(market, slot).map((period) => ({ ...period, index: slot.index })),
    )
    const expected = await expectedOf(app, measuring, market, periods, nowMs)
    const slots = periods.map(({ fromMs, toMs, index }, i) => ({
      start: new Date(fromMs).toISOString(),
      end: new Date(toMs).toISOString(),
      sold: sold
        .filter(({ starts_at }) => starts_at.getTime() === fromMs)
        .map((one) => ({ product: one.product, kw: one.kw })),
      availableKw: kw[index] ?? null,
      expectedKw: expected[i] ?? null,
    }))
    if (format) {
      const products = [...new Set(sold.map(({ product }) => product))]
      const columns: Column<(typeof slots)[number]>[] = [
        column.instant('Start', (slot) => slot.start),
        column.instant('End', (slot) => slot.end),
        ...(products.length > 0 ? products : [market]).map((product) =>
          column.decimal<(typeof slots)[number]>(
            `Sold ${product} (kW)`,
            (slot) => slot.sold.find((one) => one.product === product)?.kw ?? 0,
          ),
        ),
        column.decimal('Available (kW)', (slot) => slot.availableKw),
        column.decimal('Expected (kW)', (slot) => slot.expectedKw),
      ]
      return { file: tableFile({ fileName: `Sold capacity ${market} ${day}`, sheet: 'Sold capacity' }, columns, slots) }
    }
    return {
      slots,
      instances,
      soldNow,
      simulated: simulatedOf(measuring.map(({ simulated }) => simulated)),
      lastReported: await lastReported(app, measuring),
    }
  }),
]
