import type { MarketId } from '@gridmast/contract/markets.ts'
import type { Span } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { findActivations } from '#delivery/scoring/activations.ts'
import { consumptionIn } from '#delivery/scoring/consumption.ts'
import { follows } from '#delivery/scoring/delivery.fixture.ts'
import { demandOf, products } from '#delivery/scoring/products.ts'
import { scoreActivation } from '#delivery/scoring/score.ts'
import type { StoredGroup } from '#readings/readings.ts'
import { openEventEngine, type Ports } from './engine.ts'
import type { EdgeReport, SoldSpan, StoredRow, Watched } from './examine.ts'

export const startMs = Date.parse('2026-11-20T10:00:00Z')
const nos = { frequency: 1, power: 2, setPoint: 3, energy: 4 }
export const instanceId = '019a0000-0000-7000-8000-000000000001'
type Message = { t0Ms: number; dtMs: number; values: Partial<Record<keyof typeof nos, readonly (number | null)[]>> }

export const openWorld = (sold: readonly MarketId[], capacityKw = 420) => {
  const samples = new Map(Object.values(nos).map((no) => [no, new Map<number, { value: number; version: number }>()]))
  const rows = new Map<string, StoredRow & { market: string }>()
  const moved = new Map<string, string>()
  const reports: (EdgeReport & { market: string })[] = []
  const tests: Span[] = []
  const won: (SoldSpan & { market: string })[] = []
  const broken = new Set<string>()
  const unreadable = new Error('unreadable')
  const listeners = new Set<(group: StoredGroup) => void>()
  let version = startMs * 1000
  let progress: number | null = null
  let nowMs = startMs
  let newestMs = -Infinity
  const newest = new Map<number, number>()
  const watched: Watched[] = sold.map((market) => ({ instanceId, market, nos, capacityKw, sinceMs: -Infinity }))

  const seriesOf = (no: number, { fromMs, toMs }: Span) => {
    const series = { x: [] as number[], y: [] as number[] }
    const first = Math.max(Math.ceil(fromMs / 1000) * 1000, startMs - 86_400_000)
    for (let tMs = first; tMs < Math.min(toMs, newestMs + 1); tMs += 1000) {
      const sample = samples.get(no)?.get(tMs)
      if (!sample) continue
      series.x.push(tMs)
      series.y.push(sample.value)
    }
    return series
  }
  const ports: Ports<Watched> = {
    readings: {
      onStored: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      storedVersion: () => version,
      storedSince: async function* (since) {
        for (const [signalNo, of] of samples) {
          const newer = [...of].filter(([, sample]) => sample.version > since).toSorted(([a], [b]) => a - b)
          for (const [tMs, sample] of newer) yield { signalNo, fromMs: tMs, toMs: tMs + 1, version: sample.version }
        }
      },
      latest: async (signalNos) =>
        new Map(
          signalNos.flatMap((no) => {
            const tMs = newest.get(no) ?? -1
            const sample = samples.get(no)?.get(tMs)
            return sample ? [[no, { tMs, value: sample.value }] as const] : []
          }),
        ),
      samples: async ({ signalNos, ...span }) => ({
        toMs: span.toMs,
        series: new Map(signalNos.map((no) => [no, seriesOf(no, span)])),
      }),
    },
    watched: async () => watched,
    unfinished: async () =>
      [...rows.values()].filter(({ is_final }) => !is_final).map((row) => Object.assign({ instanceId }, row)),
    reportedSince: async (sinceMs) =>
      reports
        .filter(({ received_at }) => received_at.getTime() >= sinceMs)
        .map((one) => Object.assign({ instanceId }, one)),
    spanRows: async (spans) => {
      if (spans.some(({ watched: { market } }) => broken.has(market))) throw unreadable
      return spans.map(({ watched: { market }, span }) => ({
        ...span,
        rows: [...rows.values()].filter(
          (row) => row.market === market && row.startMs <= span.toMs && (row.endMs ?? Infinity) >= span.fromMs,
        ),
        reports: reports.filter(
          (one) =>
            one.market === market &&
            one.startMs <= span.toMs + 60_000 &&
            (one.endMs ?? one.startMs) >= span.fromMs - 60_000,
        ),
        tests,
        sold: won.filter(
          ({ market: soldMarket, fromMs, toMs }) => soldMarket === market && fromMs <= span.toMs && toMs > span.fromMs,
        ),
      }))
    },
    save: async (examined) => {
      for (const { watched: one, save, remove, moved: ids } of examined) {
        for (const { from, to } of ids) moved.set(from, to)
        for (const { event_id } of remove) rows.delete(event_id)
        for (const row of save)
          rows.set(row.event_id, { ...row, market: one.market, late: false, told_at: null, pushed_at: null })
      }
    },
    progress: async () => progress,
    saveProgress: async (reached) => void (progress = reached),
    now: () => nowMs,
    onError: (error) => {
      if (error !== unreadable) throw error
    },
  }
  return {
    tests,
    moved,
    won,
    broken,
    join: (market: MarketId) => void watched.push({ instanceId, market, nos, capacityKw, sinceMs: nowMs }),
    leave: () => void watched.splice(0),
    rows: () => [...rows.values()].toSorted((a, b) => a.startMs - b.startMs || a.market.localeCompare(b.market)),
    series: (kind: keyof typeof nos) => seriesOf(nos[kind], { fromMs: 0, toMs: Infinity }),
    reports,
    now: () => nowMs,
    setNow: (ms: number) => void (nowMs = ms),
    store: ({ t0Ms, dtMs, values }: Message) => {
      version += 1_000_000
      const runs = Object.entries(values).map(([kind, list]) => {
        const signalNo = nos[kind as keyof typeof nos] // keys of Message
        list.forEach((value, i) => {
          if (value === null) return
          const tMs = t0Ms + i * dtMs
          samples.get(signalNo)?.set(tMs, { value, version })
          newest.set(signalNo, Math.max(newest.get(signalNo) ?? tMs, tMs))
          newestMs = Math.max(newestMs, tMs)
        })
        return { run: { signalNo, t0Ms, dtMs, values: list }, version }
      })
      for (const listener of listeners) listener({ runs, version })
    },
    start: async () => {
      const silence: (() => void)[] = []
      let isDead = false
      const alive = async <T>(work: () => Promise<T>): Promise<T> => (isDead ? new Promise<T>(() => {}) : work())
      const engine = await openEventEngine<Watched>({
        ...ports,
        readings: {
          ...ports.readings,
          onStored: (listener) => {
            const stop = ports.readings.onStored(listener)
            silence.push(stop)
            return stop
          },
        },
        spanRows: (spans) => alive(() => ports.spanRows(spans)),
        save: (examined) => alive(() => ports.save(examined)),
        saveProgress: (reached) => alive(() => ports.saveProgress(reached)),
      })
      const kill = () => {
        isDead = true
        for (const stop of silence) stop()
      }
      return { ...engine, kill }
    },
  }
}

export type World = ReturnType<typeof openWorld>

export const expected = (world: World, sold: readonly MarketId[], nowMs: number, capacityKw = 420) =>
  sold
    .flatMap((market) => {
      const product = products[market]
      const trigger = world.series(product.trigger === 'frequency' ? 'frequency' : 'setPoint')
      const power = world.series('power')
      return findActivations(product, trigger, nowMs).map((one) => {
        const { score, verdict } = scoreActivation(product, { trigger, power, capacityKw }, one)
        const used = one.endMs === null ? null : consumptionIn(power, world.series('energy'), one.startMs, one.endMs)
        return {
          market,
          direction: one.direction,
          startMs: one.startMs,
          endMs: one.endMs,
          score,
          verdict,
          delta_load: one.deltaLoadPct,
          extreme_hz: one.extremeHz,
          max_set_point: one.maxSetPointPct,
          consumption_kwh: used?.kWh ?? null,
          consumption_estimated: used?.isEstimated ?? false,
        }
      })
    })
    .toSorted((a, b) => a.startMs - b.startMs || a.market.localeCompare(b.market))

const columns = ['market', 'direction', 'startMs', 'endMs', 'score', 'verdict', 'delta_load', 'extreme_hz'] as const
const moreColumns = ['max_set_point', 'consumption_kwh', 'consumption_estimated'] as const

export const rowsOf = (world: World) =>
  world.rows().map((row) => Object.fromEntries([...columns, ...moreColumns].map((column) => [column, row[column]])))

export const reportOf = (event_id: string, fromMs: number, endMs: number, receivedMs: number) => ({
  event_id,
  market: 'FCR-D-INC',
  direction: 'increased' as const,
  max_set_point: '70',
  external_frequency_hz: '49.7',
  received_at: new Date(receivedMs),
  startMs: fromMs,
  endMs,
})

export const sold: MarketId[] = ['FCR-D-INC', 'FCR-D-DEC', 'FFR', 'FCR-N', 'aFRR']

export const swings = fc.array(
  fc.record({
    restS: fc.integer({ min: 5, max: 400 }),
    holdS: fc.integer({ min: 1, max: 120 }),
    hz: fc.oneof(
      fc.constantFrom(49.97, 49.85, 49.62, 49.68, 50.14, 50.2),
      fc.double({ min: 49.4, max: 50.6, noNaN: true }),
    ),
    percent: fc.constantFrom(0, 0, 30, 60, -40, 100),
  }),
  { minLength: 2, maxLength: 8 },
)

export const measuredOf = (steps: readonly { restS: number; holdS: number; hz: number; percent: number }[]) => {
  const frequency: number[] = []
  const setPoint: number[] = []
  for (const { restS, holdS, hz, percent } of steps)
    for (let s = 0; s < restS + holdS; s++) {
      frequency.push(s < restS ? 50 : hz)
      setPoint.push(s < restS ? 0 : percent)
    }
  for (let s = 0; s < 70; s++) {
    frequency.push(50)
    setPoint.push(0)
  }
  const asked = frequency.map((hz) => Math.max(0, demandOf(products['FCR-D-INC'])(0, hz)))
  const power = follows(asked, 2, 3).map((share, i) => 900 - 420 * share + (i % 7))
  return { frequency, setPoint, power }
}

export const arrival = fc.record({
  order: fc.integer({ min: 0, max: 30 }),
  fate: fc.constantFrom('sent', 'sent', 'sent', 'sent', 'sent', 'twice', 'lost', 'power later', 'changed'),
  after: fc.constantFrom('go on', 'go on', 'go on', 'settle', 'pause', 'kill'),
})
