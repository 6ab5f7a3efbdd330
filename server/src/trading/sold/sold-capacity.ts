import { type SoldCapacity, soldCapacity, soldCapacityLastReported } from '@gridmast/contract/trading/bid-basis.ts'
import { bidSlots } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { datesIn } from '@gridmast/contract/slots.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { dayBounds, hourMs, type LocalDate, type Span, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { route, type App } from '#context.ts'
import { measuredAvailable, type SlotsKw } from '#delivery/scoring/available.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile } from '#platform/files/table-file.ts'
import { readWindow } from '#platform/http/chart-window.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import type { RowOf } from '#platform/records/rows.ts'
import { lastReportedOf } from '#readings/samples.ts'
import { findAllSignals } from '#readings/signals.ts'
import { periodsOf } from '#trading/requests/expansion.ts'
import { outlookOf } from '#trading/guard/outlook.ts'
import { leastExpected } from '#trading/guard/shortfall.ts'
import { sqlRows } from '#platform/records/rows.ts'

type Selection = { market: string; licenseId?: string | undefined; instanceId?: string | undefined }

const ofSelection = (customerId: string, { licenseId, instanceId }: Selection) => sql`
  ${instanceId === undefined ? sql`` : sql`and b.instance_id = ${instanceId}`}
  ${licenseId === undefined ? sql`` : sql`and b.instance_id in (select instance_id from instance where customer_id = ${customerId} and licence_id = ${licenseId})`}`

type SoldRow = RowOf<'bid', 'product' | 'starts_at'> & { kw: number }

const findSold = (tx: Tx, customerId: string, selection: Selection, days: readonly LocalDate[]): Promise<SoldRow[]> =>
  sqlRows<SoldRow>(tx)`
    select product, starts_at, (sum(won_mw) * 1000)::float8 as kw
    from bid b where customer_id = ${customerId} and market = ${selection.market} and day = any(${days}::date[]) and won
      ${ofSelection(customerId, selection)}
    group by product, starts_at order by starts_at, product`

type SoldNow = { _id: string; product: string; kw: number }

const findSoldNow = async (tx: Tx, customerId: string, selection: Selection, nowMs: number): Promise<SoldNow[]> => {
  const now = new Date(nowMs)
  // No period is longer than a day of 25 hours, so earlier ones have ended.
  const since = new Date(nowMs - 25 * hourMs)
  return sqlRows<SoldNow>(tx)`
    select b.instance_id as _id, b.product, (sum(b.won_mw) * 1000)::float8 as kw
    from instance i join bid b on b.customer_id = i.customer_id and b.instance_id = i.instance_id
    where i.customer_id = ${customerId} and i.enabled and b.market = ${selection.market} and b.won
      and b.starts_at > ${since} and b.starts_at <= ${now} and b.ends_at > ${now}
      ${ofSelection(customerId, selection)}
    group by i.position, b.instance_id, b.product order by i.position, b.product`
}

type Signals = Awaited<ReturnType<typeof findAllSignals>>

const measuringOf = (signals: Signals, { market, licenseId, instanceId }: Selection) => {
  const selected = signals.filter(
    (one) => (!licenseId || one.licence_id === licenseId) && (!instanceId || one.instance_id === instanceId),
  )
  if ((licenseId || instanceId) && selected.length === 0) throw notFound()
  const onMarket = selected.filter((one) => instanceId || (one.enabled && one.markets.includes(market)))
  return [...Map.groupBy(onMarket, ({ instance_id }) => instance_id)].flatMap(([_id, series]) => {
    const up = series.find(({ kind }) => kind === 'capacityUp')
    const down = series.find(({ kind }) => kind === 'capacityDown')
    return up && down ? [{ _id, name: up.name, simulated: up.simulated, signals: { up: up.no, down: down.no } }] : []
  })
}

type Measuring = ReturnType<typeof measuringOf>[number]

type Period = Span & { day: LocalDate; index: number }

const sumOf = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => a + b, 0))

const availableOf = async (
  { readings }: App,
  instances: readonly Measuring[],
  market: string,
  days: readonly LocalDate[],
) => {
  const read = await Promise.all(
    instances.map(async (one) => ({ ...one, kw: await measuredAvailable(readings, one.signals, market, days) })),
  )
  const measured = read.filter(({ kw }) => [...kw.values()].some((ofDay) => ofDay.some((value) => value !== null)))
  return {
    kwOf: ({ day, index }: Period) => sumOf(measured.flatMap(({ kw }) => kw.get(day)?.[index] ?? [])),
    instances: measured.map(({ _id, name }) => ({ _id, name })),
  }
}

/** Sum of expected kW over the instances that report and have enough measurements; null in past periods. */
const expectedOf = async (
  app: App,
  instances: readonly Measuring[],
  market: string,
  periods: readonly Period[],
  nowMs: number,
): Promise<SlotsKw> => {
  if (periods.every(({ toMs }) => toMs <= nowMs)) return periods.map(() => null)
  const outlooks = await Promise.all(instances.map(({ signals }) => outlookOf(app, signals, nowMs)))
  const reporting = outlooks.flatMap(({ isSilent, expected }) => (isSilent ? [] : [expected]))
  return periods.map((period) =>
    period.toMs <= nowMs
      ? null
      : sumOf(reporting.flatMap((expected) => leastExpected({ ...period, market, product: market }, expected) ?? [])),
  )
}

const lastReported = async ({ readings }: App, measuring: readonly Measuring[]): Promise<string | null> => {
  const reported = await Promise.all(measuring.map(({ signals }) => lastReportedOf(readings, signals.up)))
  const sorted = reported.flatMap((one) => one ?? []).toSorted()
  return sorted.at(-1) ?? null
}

type Slot = SoldCapacity['slots'][number]

const soldFile = (market: string, days: readonly LocalDate[], slots: readonly Slot[]) => {
  const products = [...new Set(slots.flatMap(({ sold }) => sold.map(({ product }) => product)))]
  const columns: Column<Slot>[] = [
    column.instant('Start', (slot) => slot.start),
    column.instant('End', (slot) => slot.end),
    ...(products.length > 0 ? products : [market]).map((product) =>
      column.decimal<Slot>(`Sold ${product} (kW)`, (slot) => slot.sold.find((one) => one.product === product)?.kw ?? 0),
    ),
    column.decimal('Available (kW)', (slot) => slot.availableKw),
    column.decimal('Expected (kW)', (slot) => slot.expectedKw),
  ]
  const fileName = [`Sold capacity ${market}`, days[0], days.length > 1 && days.at(-1)].filter(Boolean).join(' ')
  return tableFile({ fileName, sheet: 'Sold capacity' }, columns, slots)
}

export const soldCapacities = [
  route(soldCapacityLastReported, async ({ app, readCached, query }) => {
    return { lastReported: await lastReported(app, measuringOf(await readCached(findAllSignals), query)) }
  }),
  route(soldCapacity, async ({ app, own, readCached, nowMs, query }) => {
    const { market } = query
    const span = readWindow(query, nowMs, dayBounds(today(nowMs)), limits.soldDays)
    const days = datesIn(span)
    const measuring = measuringOf(await readCached(findAllSignals), query)
    const { kwOf, instances } = await availableOf(app, measuring, market, days)
    const { sold, soldNow } = await own(async (tx, customerId) => ({
      sold: await findSold(tx, customerId, query, days),
      soldNow: await findSoldNow(tx, customerId, query, nowMs),
    }))
    const periods = days
      .flatMap((day) =>
        bidSlots(market, day).flatMap((slot): Period[] =>
          periodsOf(market, slot).map((period) => ({ ...period, day, index: slot.index })),
        ),
      )
      .filter(({ fromMs, toMs }) => toMs > span.fromMs && fromMs < span.toMs)
    const expected = await expectedOf(app, measuring, market, periods, nowMs)
    const soldAt = Map.groupBy(sold, ({ starts_at }) => starts_at.getTime())
    const slots = periods.map((period, i) => ({
      start: new Date(period.fromMs).toISOString(),
      end: new Date(period.toMs).toISOString(),
      sold: (soldAt.get(period.fromMs) ?? []).map((row) => ({ product: row.product, kw: row.kw })),
      availableKw: kwOf(period),
      expectedKw: expected[i] ?? null,
    }))
    if (query.format) return { file: soldFile(market, days, slots) }
    return {
      slots,
      instances,
      soldNow,
      simulated: simulatedOf(measuring.map(({ simulated }) => simulated)),
      lastReported: await lastReported(app, measuring),
    }
  }),
]
