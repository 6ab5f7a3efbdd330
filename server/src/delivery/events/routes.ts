import * as contract from '@gridmast/contract/delivery/events.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { type EventType, eventTypes, isMarket, type MarketId, markets } from '@gridmast/contract/markets.ts'
import { addDays, dayBounds, formatDateTime, minuteMs, quarterMs, today } from '@gridmast/contract/time.ts'
import type { ActivationSpan } from '#delivery/scoring/measured.ts'
import { type Product, products } from '#delivery/scoring/products.ts'
import { lastKnownMs } from '#delivery/scoring/samples.ts'
import { scoreWindows } from '#delivery/scoring/score.ts'
import { findTests } from '#delivery/equipment/manual-set-points.ts'
import { invalid, notFound } from '#platform/http/errors.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, fileDays, tableFile } from '#platform/files/table-file.ts'
import type { Points } from '#readings/decimate.ts'
import { ownRoute, route } from '#context.ts'
import { deliveryOf, judgedSpans, judgeRunning } from './delivery-log.ts'
import { eventsFile, type JudgedSpan, secondsFile } from './files.ts'
import { judgedOf, loadEvent, readMeasured, type Source, type Subject, subjectOf, triggerNo } from './judge.ts'
import {
  type EventRow,
  countSmaller,
  findCommands,
  findDisturbances,
  findEvents,
  findEventsById,
  findMarkets,
  findRunning,
  getEvent,
  getMeasuring,
  type Measuring,
  sumUpEvents,
} from './queries.ts'
import { record } from './record.ts'
import { capacityText, toEvent, toOutcome, toRunning, toWindow } from './to-event.ts'

const defaultDays = 7
const aroundMs = minuteMs
const silentMs = 5 * minuteMs

const checkMarket = (market: string | undefined): MarketId | undefined => {
  if (market !== undefined && !isMarket(market)) throw invalid({ market: 'No such market' })
  return market
}

const typesOf = (names: readonly string[]): EventType[] => {
  const groups = new Set(names.filter(isMarket).map((name) => markets[name].group))
  return eventTypes.filter((type) => groups.has(type))
}

const find = route(contract.findEvents, async ({ own, nowMs, query }) => {
  const { startDate: first, endDate: last, market, by, limit, skip, sort, order, format, ...filters } = query
  const endDate = last ?? [today(nowMs), first ?? ''].toSorted().at(-1) ?? ''
  const startDate = first ?? addDays(endDate, 1 - defaultDays)
  const span = { fromMs: dayBounds(startDate).fromMs, toMs: dayBounds(endDate).toMs }
  const filter = { ...filters, ...span, market: checkMarket(market) }
  if (format) return eventsFile(own, filter, { startDate, endDate })
  return own(async (tx, customerId) => {
    const names = await findMarkets(tx, customerId, query)
    const { count, min, avg, max, consumption } = await sumUpEvents(tx, customerId, filter)
    const grouped =
      by === 'disturbance' ? await findDisturbances(tx, customerId, filter, { limit, skip, sort, order }) : null
    const rows = grouped
      ? await findEventsById(tx, customerId, grouped.ids.flat())
      : await findEvents(tx, customerId, filter, { limit, skip, sort, order })
    return {
      events: rows.map(toEvent),
      totalCount: count,
      hiddenCount: await countSmaller(tx, customerId, filter),
      disturbances: grouped?.ids ?? null,
      rowCount: grouped?.total ?? count,
      minDuration: min,
      avgDuration: avg,
      maxDuration: max,
      totalConsumption: consumption,
      eventTypes: typesOf(names),
      startDate,
      endDate,
    }
  })
})

const dashboard = ownRoute(contract.dashboardEvents, async (tx, customerId, { nowMs, query }) => {
  const { startDate, endDate, market, limit, ...filters } = query
  const types = typesOf(await findMarkets(tx, customerId, query))
  const eventType = query.eventType ?? types[0] ?? 'fcr_based'
  const span = {
    fromMs: startDate ? dayBounds(startDate).fromMs : 0,
    toMs: endDate ? dayBounds(endDate).toMs : Date.UTC(2100, 0, 1),
  }
  const filter = { ...filters, ...span, market: checkMarket(market), eventType }
  const rows = await findEvents(tx, customerId, filter, { limit, skip: 0 })
  const { count } = await sumUpEvents(tx, customerId, {
    ...dayBounds(today(nowMs)),
    eventType,
    leastDeltaLoad: filters.leastDeltaLoad,
  })
  return { events: rows.map(toEvent), today: count, eventType, eventTypes: types }
})

const running = route(contract.runningEvents, async ({ app, own, nowMs, query }) => {
  const filter = { market: checkMarket(query.market), instanceId: query.instanceId }
  const events = await own(async (tx, customerId) => {
    await findMarkets(tx, customerId, query)
    const subjects: { row: EventRow; subject: Subject }[] = []
    for (const row of await findRunning(tx, customerId, filter))
      subjects.push({ row, subject: (await subjectOf(tx, customerId, row, nowMs)).subject })
    return subjects
  })
  const all = await Promise.all(
    events.map(async ({ row, subject }) => {
      const judged = judgedOf(row)
      const outcome = await judgeRunning(app.readings, subject, judged, toOutcome(row.outcome), nowMs)
      return nowMs - lastKnownMs(outcome.measured.trigger) > silentMs ? [] : [toRunning(row, judged, outcome)]
    }),
  )
  return { running: all.flat() }
})

const activationFromHz = (product: Product, direction: ActivationSpan['direction']): number | null => {
  if (product.trigger !== 'frequency') return null
  const sign = direction === 'increased' ? -1 : 1
  if ('latch' in product) return 50 + (sign * product.latch.thresholdMilliHz) / 1000
  const { deadbandMilliHz, zeroMilliHz, fullMilliHz } = product.droop
  const fromMilliHz = Math.max(deadbandMilliHz, zeroMilliHz + product.activeFrom * (fullMilliHz - zeroMilliHz))
  return 50 + (sign * fromMilliHz) / 1000
}

const dataLog = route(contract.eventDataLog, async ({ app, own, nowMs, params }) => {
  const { row, subject, instance } = await loadEvent(own, params.id, nowMs)
  const judged = judgedOf(row)
  const { startMs } = judged
  const endMs = judged.endMs ?? nowMs
  const span = { fromMs: startMs - aroundMs, toMs: Math.min(endMs, nowMs) + aroundMs, maxPoints: limits.defaultPoints }
  const readSeries = async (signalNo: number | undefined) =>
    signalNo === undefined ? { x: [], y: [] } : app.readings.window({ signalNo, ...span })
  const product = products[subject.market]
  const [trigger, power, delivery] = [
    await readSeries(triggerNo(subject.market, instance.nos)),
    await readSeries(instance.nos.power),
    await deliveryOf(app.readings, row, subject, nowMs),
  ]
  const curve = (name: string, points: Points) => ({ name, unit: 'kW', kind: 'line' as const, ...points })
  return {
    event: toEvent(row),
    trigger: {
      ...(product.trigger === 'frequency' ? { name: 'Frequency', unit: 'Hz' } : { name: 'Set Point', unit: '%' }),
      kind: 'line' as const,
      ...trigger,
    },
    activationFrom: activationFromHz(product, judged.direction),
    power: { name: 'Power', unit: 'kW', kind: 'line' as const, ...power },
    dataLog: power.x.flatMap((tMs, i) => {
      const kw = power.y[i]
      return typeof kw === 'number' && tMs >= startMs && tMs < endMs
        ? [{ timestamp: new Date(tMs).toISOString(), power: kw }]
        : []
    }),
    delivery: [
      curve('Required', delivery.curves.requiredKw),
      curve('Delivered', delivery.curves.deliveredKw),
      curve('Least', delivery.curves.floorKw),
      curve('Most', delivery.curves.ceilingKw),
    ],
    score: delivery.score,
    windows: delivery.windows.map(toWindow),
  }
})

const quarters = (source: Source, subject: Subject, fromMs: number, toMs: number): JudgedSpan[] => {
  const first = Math.ceil(fromMs / quarterMs)
  return Array.from({ length: Math.max(0, Math.floor(toMs / quarterMs) - first) }, (_, i) => {
    const span = { fromMs: (first + i) * quarterMs, toMs: (first + i + 1) * quarterMs }
    return {
      ...span,
      judge: async () => {
        const measured = await readMeasured(source, subject, { ...span, fromMs: span.fromMs - minuteMs })
        const [score] = scoreWindows(products[subject.market], measured, span.fromMs, span.toMs)
        if (!score) throw new Error('a whole quarter of an hour has a score')
        return { ...score, slope: score.parts.slope, sign: 1 as const }
      },
    }
  })
}

const aboutInstance = ({ name, simulated }: Measuring, market: string, capacities: readonly string[]) => ({
  Instance: name,
  Market: market,
  'Capacity (kW)': [...new Set(capacities)].join('; '),
  ...(simulated ? { Source: 'Simulated' } : {}),
})

const exportOne = route(contract.eventExport, async ({ app, own, nowMs, params }) => {
  const { row, subject, instance } = await loadEvent(own, params.id, nowMs)
  const no = triggerNo(subject.market, instance.nos)
  if (no === undefined) throw notFound()
  const judged = judgedOf(row)
  const endMs = judged.endMs ?? nowMs
  return secondsFile(app.readings, {
    fileName: `Event ${instance.name} ${subject.market} ${row.started_at.toISOString()}`,
    about: {
      ...aboutInstance(instance, subject.market, [capacityText(row)]),
      Start: formatDateTime(judged.startMs),
      End: row.ended_at ? formatDateTime(endMs) : 'Running',
      Direction: row.direction,
      'Delta load (%)': String(row.delta_load ?? '–'),
      'Delivered (%)': String(row.processed_delta_load ?? '–'),
    },
    triggerNo: no,
    powerNo: instance.nos.power,
    product: products[subject.market],
    fromMs: judged.startMs - aroundMs,
    toMs: endMs + aroundMs,
    judged: judgedSpans(app.readings, row, subject, nowMs),
  })
})

const controlSheet = route(contract.controlSheet, async ({ app, own, nowMs, query }) => {
  const market = checkMarket(query.market)
  if (!market) throw notFound()
  const span = { fromMs: dayBounds(query.startDate).fromMs, toMs: dayBounds(query.endDate).toMs }
  const { rows, instance, subject } = await own(async (tx, customerId) => {
    const measuring = await getMeasuring(tx, customerId, query.instanceId)
    const [tests = []] = await findTests(tx, [{ customerId, instanceId: query.instanceId, ...span }])
    const filter = { ...span, market, instanceId: query.instanceId }
    const newestFirst = await findEvents(tx, customerId, filter, { limit: limits.exportRows, skip: 0 })
    // A former market of the instance still has its sheets.
    const isSold = newestFirst.length > 0 || (await findMarkets(tx, customerId, query)).includes(market)
    if (!isSold) throw notFound()
    const { capacityKw, nos } = measuring
    return { rows: newestFirst.toReversed(), instance: measuring, subject: { market, capacityKw, nos, tests } }
  })
  const no = triggerNo(market, instance.nos)
  if (no === undefined) throw notFound()
  const product = products[market]
  const isBand = product.judged.by === 'band' && subject.capacityKw > 0
  const telemetry = rows.filter(({ source }) => source === 'telemetry')
  const registered = capacityText({ capacity_kw: subject.capacityKw, capacity_source: 'registered' })
  return secondsFile(app.readings, {
    fileName: `Control sheet ${instance.name} ${market} ${fileDays(query.startDate, query.endDate)}`,
    about: {
      ...aboutInstance(instance, market, isBand || telemetry.length === 0 ? [registered] : telemetry.map(capacityText)),
      Period: `${query.startDate} to ${query.endDate}`,
      Activations: String(telemetry.length),
    },
    triggerNo: no,
    powerNo: instance.nos.power,
    product,
    ...span,
    judged: isBand
      ? quarters(app.readings, subject, span.fromMs, Math.min(span.toMs, nowMs))
      : telemetry.flatMap((row) => judgedSpans(app.readings, row, { ...subject, capacityKw: row.capacity_kw }, nowMs)),
  })
})

const commandColumns: Column<Awaited<ReturnType<typeof findCommands>>[number]>[] = [
  column.text('Command', ({ command }) => command, 40),
  column.text('Device', ({ device_id }) => device_id),
  column.instant('Time', ({ at }) => at),
]

const commandLog = route(contract.eventCommandLog, async ({ own, nowMs, params, query }) => {
  const { row, commands } = await own(async (tx, customerId) => {
    const event = await getEvent(tx, customerId, params.id)
    const endMs = event.ended_at?.getTime() ?? nowMs
    const span = { fromMs: event.started_at.getTime() - aroundMs, toMs: endMs + aroundMs }
    return { row: event, commands: await findCommands(tx, customerId, event.instance_id, span) }
  })
  if (query.format) {
    const fileName = `Command log ${row.instance_name} ${row.market} ${row.started_at.toISOString()}`
    return { file: tableFile({ fileName, sheet: 'Commands' }, commandColumns, commands) }
  }
  const log = commands.map(({ command, device_id, at }) => ({
    command,
    deviceId: device_id,
    timestamp: at.toISOString(),
  }))
  return { commandLog: log }
})

export const events = [find, dashboard, running, controlSheet, exportOne, record, dataLog, commandLog]
