import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { everySecond, lines, workedExample } from '#delivery/scoring/delivery.fixture.ts'
import {
  arrival,
  expected,
  instanceId,
  measuredOf,
  openWorld,
  reportOf,
  rowsOf,
  sold,
  startMs,
  swings,
  type World,
} from './engine.fixture.ts'

test('rows are a function of the stored samples, whatever the order, repetition, gaps and crashes', async () => {
  await fc.assert(
    fc.asyncProperty(
      swings,
      fc.array(arrival, { minLength: 120, maxLength: 120 }),
      fc.integer({ min: 7, max: 60 }),
      fc.boolean(),
      async (steps, arrivals, size, isOrdered) => {
        const world = openWorld(sold)
        const { frequency, setPoint, power } = measuredOf(steps)
        const cut = (list: readonly number[], from: number) => list.slice(from, from + size)
        const messages = Array.from({ length: Math.ceil(frequency.length / size) }, (_, i) => {
          const { order = 0, fate = 'sent', after = 'go on' } = arrivals[i % arrivals.length] ?? {}
          return { i, at: isOrdered ? i : i + order, fate, after }
        }).toSorted((a, b) => a.at - b.at)
        let engine = await world.start()
        const owed: (() => void)[] = []
        for (const { i, fate, after } of messages) {
          const at = { t0Ms: startMs + i * size * 1000, dtMs: 1000 }
          world.setNow(Math.max(world.now(), at.t0Ms + size * 1000))
          const values = { frequency: cut(frequency, i * size), setPoint: cut(setPoint, i * size) }
          const kw = { power: cut(power, i * size) }
          const energy = { t0Ms: at.t0Ms, dtMs: 1000, values: { energy: [1000 + i] } }
          if (fate === 'power later') owed.push(() => world.store({ ...at, values: kw }))
          if (fate === 'changed') owed.push(() => world.store({ ...at, values: { ...values, ...kw } }))
          if (fate === 'power later') world.store({ ...at, values })
          else if (fate === 'changed')
            world.store({ ...at, values: { frequency: values.frequency.map(() => 49.7), ...kw } })
          else if (fate !== 'lost') world.store({ ...at, values: { ...values, ...kw } })
          if (fate === 'twice') world.store({ ...at, values: { ...values, ...kw } })
          if (i % 3 === 0) world.store(energy)
          if (owed.length > 3) owed.shift()?.()
          engine.tick()
          if (after === 'settle') await engine.settled()
          if (after === 'pause') await Promise.resolve()
          if (after === 'kill') {
            engine.kill()
            engine = await world.start()
          }
        }
        for (const send of owed) send()
        await engine.settled()
        world.setNow(world.now() + 3_600_000)
        engine.tick()
        await engine.settled()
        expect(rowsOf(world)).toEqual(expected(world, sold, world.now()))
        await engine.close()
      },
    ),
    { numRuns: 40, endOnFailure: true },
  )
}, 120_000)

const { dip, answer } = workedExample
const example = { frequency: everySecond(dip).y as number[], power: answer }

test('a market that fails does not delay the others and is evaluated again', async () => {
  const world = openWorld(['FFR', 'FCR-D-INC'])
  world.broken.add('FFR')
  const engine = await world.start()
  world.setNow(startMs + dip.length * 1000)
  world.store({ t0Ms: startMs, dtMs: 1000, values: { ...example, frequency: dip.map((hz) => hz - 0.1) } })
  const markets = () => {
    world.setNow(world.now() + 1000)
    engine.tick()
    return [...new Set(world.rows().map(({ market }) => market))]
  }
  await expect.poll(markets).toEqual(['FCR-D-INC'])
  world.broken.clear()
  await expect.poll(markets).toEqual(expect.arrayContaining(['FFR', 'FCR-D-INC']))
  await engine.close()
})

test('1-Hz telemetry gives one row that is running, then ended, then final', async () => {
  const world = openWorld(['FCR-D-INC'])
  const engine = await world.start()
  const seen: (number | null | undefined)[] = []
  for (let s = 0; s < dip.length; s++) {
    world.setNow(startMs + s * 1000 + 200)
    const at = { t0Ms: startMs + s * 1000, dtMs: 1000 }
    world.store({ ...at, values: { frequency: dip.slice(s, s + 1), power: answer.slice(s, s + 1) } })
    engine.tick()
    await engine.settled()
    seen.push(world.rows()[0]?.endMs)
  }
  expect(seen.indexOf(null)).toBe(103)
  expect(seen.findIndex((endMs) => typeof endMs === 'number')).toBe(231)
  expect(world.rows()).toEqual([
    expect.objectContaining({
      market: 'FCR-D-INC',
      direction: 'increased',
      startMs: startMs + 102_000,
      endMs: startMs + 171_000,
      delta_load: 70,
      extreme_hz: 49.62,
      score: 93.5,
      verdict: 'partly delivered',
      is_final: true,
      processed_delta_load: expect.closeTo(69.99, 1),
      consumption_estimated: true,
    }),
  ])
  await engine.close()
})

test('a day of history that arrives newest first keeps the live row', async () => {
  const world = openWorld(['FCR-D-INC'])
  const engine = await world.start()
  const dayMs = 86_400_000
  for (let i = 0; i < 11; i++) {
    world.setNow(startMs + dayMs + i * 30_000)
    const values = { frequency: example.frequency.slice(i * 30, i * 30 + 30), power: answer.slice(i * 30, i * 30 + 30) }
    world.store({ t0Ms: startMs + dayMs + i * 30_000, dtMs: 1000, values })
    for (const half of [1, 0])
      world.store({
        t0Ms: startMs + dayMs - (i + 1) * 1_800_000 + half * 150_000,
        dtMs: 1000,
        values: {
          frequency: dip.slice(half * 150, half * 150 + 151),
          power: answer.slice(half * 150, half * 150 + 151),
        },
      })
    engine.tick()
    if (i % 3 === 0) await engine.settled()
  }
  await engine.settled()
  expect(rowsOf(world)).toEqual(expected(world, ['FCR-D-INC'], world.now()))
  expect(world.rows()).toHaveLength(12)
  await engine.close()
})

test('an activation without samples ends after five minutes, also across a restart', async () => {
  const world = openWorld(['FCR-D-INC'])
  const first = await world.start()
  world.store({ t0Ms: startMs, dtMs: 1000, values: { frequency: dip.slice(0, 120), power: answer.slice(0, 120) } })
  world.setNow(startMs + 121_000)
  await first.settled()
  expect(world.rows().map(({ endMs }) => endMs)).toEqual([null])
  first.kill()
  const engine = await world.start()
  await engine.settled()
  world.setNow(startMs + 119_000 + 300_000)
  engine.tick()
  await engine.settled()
  expect(world.rows().map(({ endMs }) => endMs)).toEqual([null])
  world.setNow(startMs + 119_000 + 312_000)
  engine.tick()
  await engine.settled()
  expect(world.rows().map(({ endMs }) => endMs)).toEqual([startMs + 120_000])
  await engine.close()
})

test('a manual set point is no activation, and the same set point of the market is', async () => {
  const percent = lines([0, 0], [120, 0], [121, 60], [400, 60], [401, 0], [600, 0])
  const runsOf = async (isTest: boolean) => {
    const world = openWorld(['aFRR'])
    if (isTest) world.tests.push({ fromMs: startMs + 118_000, toMs: startMs + 415_000 })
    const engine = await world.start()
    world.setNow(startMs + 601_000)
    const power = percent.map((one) => 900 - 4.2 * one)
    world.store({ t0Ms: startMs, dtMs: 1000, values: { setPoint: percent, power } })
    await engine.settled()
    await engine.close()
    return world.rows()
  }
  expect(await runsOf(true)).toEqual([])
  expect(await runsOf(false)).toMatchObject([{ direction: 'increased', max_set_point: 60, delta_load: 60 }])
})

test('an instance that joins a market is judged from then on, including an activation that is running', async () => {
  const hour = 3_600_000
  const message = (t0Ms: number, from: number, to?: number) => ({
    t0Ms: t0Ms + from * 1000,
    dtMs: 1000,
    values: { frequency: dip.slice(from, to), power: answer.slice(from, to) },
  })
  const world = openWorld([])
  let engine = await world.start()
  world.setNow(startMs + 300_000)
  world.store(message(startMs, 0))
  world.store(message(startMs + hour, 0, 112))
  world.setNow(startMs + hour + 112_000)
  world.join('FCR-D-INC')
  engine.changed()
  await engine.settled()
  world.setNow(startMs + hour + 400_000)
  world.store(message(startMs + hour, 112))
  await engine.settled()
  const found = () => world.rows().map((row) => [row.startMs - startMs, row.delta_load, row.score])
  expect(found()).toEqual([[hour + 102_000, 70, 93.5]])
  engine.kill()
  engine = await world.start()
  await engine.settled()
  expect(found()).toEqual([[hour + 102_000, 70, 93.5]])
  await engine.close()
})

test('late samples from before an instance joined a market are not judged, and its earlier rows stay', async () => {
  const hour = 3_600_000
  const day = (at: number) => ({ t0Ms: at, dtMs: 1000, values: { frequency: dip, power: answer } })
  const world = openWorld(['FCR-D-INC'])
  const engine = await world.start()
  const found = () => world.rows().map((row) => [row.startMs - startMs, row.score])
  world.setNow(startMs + 400_000)
  world.store(day(startMs))
  await engine.settled()
  expect(found()).toEqual([[102_000, 93.5]])
  world.leave()
  engine.changed()
  await engine.settled()
  world.setNow(startMs + 3 * hour)
  world.join('FCR-D-INC')
  engine.changed()
  world.store(day(startMs + hour))
  const power = answer.map(() => 900)
  world.store({ ...day(startMs), values: { frequency: dip, power } })
  const early = reportOf('edge-1', startMs + 2 * hour, startMs + 2 * hour + 9000, startMs)
  world.reports.push(early)
  engine.reported({ instanceId, ...early })
  await engine.settled()
  expect(found()).toEqual([[102_000, 93.5]])
  world.setNow(startMs + 5 * hour)
  world.store(day(startMs + 4 * hour))
  await engine.settled()
  expect(found()).toEqual([
    [102_000, 93.5],
    [4 * hour + 102_000, 93.5],
  ])
  await engine.close()
})

test('the event of an edge is attached within a minute, and is a row of its own without telemetry', async () => {
  const world = openWorld(['FCR-D-INC'])
  const engine = await world.start()
  const report = (eventId: string, fromS: number, toS: number, receivedMs: number) => {
    const one = reportOf(eventId, startMs + fromS * 1000, startMs + toS * 1000, receivedMs)
    world.reports.push(one)
    engine.reported({ ...one, instanceId })
  }
  const second = 3_600_000
  world.setNow(startMs + 400_000)
  report('edge-1', 190, 230, world.now())
  report('edge-2', 3600 + 103, 3600 + 170, world.now())
  world.store({ t0Ms: startMs, dtMs: 1000, values: { frequency: dip, power: answer } })
  await engine.settled()
  expect(world.rows().map(({ edge_event_id, source }) => [edge_event_id, source])).toEqual([['edge-1', 'telemetry']])
  world.setNow(startMs + 2 * second)
  engine.reported({ instanceId, market: 'FCR-D-INC', startMs: startMs + second + 103_000, endMs: null })
  await engine.settled()
  expect(world.rows().map(({ edge_event_id, source, delta_load }) => [edge_event_id, source, delta_load])).toEqual([
    ['edge-1', 'telemetry', 70],
    ['edge-2', 'edge', null],
  ])
  world.store({ t0Ms: startMs + second, dtMs: 1000, values: { frequency: dip, power: answer } })
  await engine.settled()
  expect(world.rows().map(({ edge_event_id, source }) => [edge_event_id, source])).toEqual([
    ['edge-1', 'telemetry'],
    ['edge-2', 'telemetry'],
  ])
  await engine.close()
})

test('the capacity of an activation is the sold capacity that was known at its start', async () => {
  const judgedBy = async (won: Partial<World['won'][number]>[], laterWon: typeof won = []) => {
    const world = openWorld(['FCR-D-INC'])
    const span = { fromMs: startMs, toMs: startMs + 3_600_000, decidedMs: startMs - 1, kw: 200 }
    const add = (all: typeof won) =>
      all.forEach((one) => world.won.push({ ...span, market: 'FCR-D-INC', product: 'FCR-D-INC', ...one }))
    add(won)
    const engine = await world.start()
    world.setNow(startMs + 302_000)
    const values = { frequency: example.frequency, power: answer }
    world.store({ t0Ms: startMs, dtMs: 1000, values })
    await engine.settled()
    add(laterWon)
    world.store({ t0Ms: startMs, dtMs: 1000, values })
    await engine.settled()
    await engine.close()
    return world.rows().map(({ capacity_kw, capacity_source }) => [capacity_kw, capacity_source])
  }
  const registered = [[420, 'registered']]
  expect(await judgedBy([])).toEqual(registered)
  expect(await judgedBy([{}])).toEqual([[200, 'sold']])
  expect(await judgedBy([{}, { kw: 120 }, { product: 'FCR-D-DEC', kw: 50 }])).toEqual([[320, 'sold']])
  expect(await judgedBy([{ fromMs: startMs + 3_600_000, toMs: startMs + 7_200_000 }])).toEqual(registered)
  expect(await judgedBy([{ decidedMs: startMs + 600_000 }])).toEqual(registered)
  expect(await judgedBy([], [{}])).toEqual(registered)
  expect(await judgedBy([{}], [{ kw: 100 }])).toEqual([[200, 'sold']])
})

test('a set point is percent of the sold capacity', async () => {
  const world = openWorld(['aFRR'], 180)
  const slot = { fromMs: startMs, toMs: startMs + 3_600_000, decidedMs: startMs - 1 }
  world.won.push({ ...slot, market: 'aFRR', product: 'aFRR-INC', kw: 100 })
  const engine = await world.start()
  world.setNow(startMs + 1_000_000)
  const isAsked = (s: number) => s >= 120 && s < 720
  const values = {
    setPoint: Array.from({ length: 900 }, (_, s) => (isAsked(s) ? 100 : 0)),
    power: Array.from({ length: 900 }, (_, s) => (isAsked(s) ? 400 : 500)),
  }
  world.store({ t0Ms: startMs, dtMs: 1000, values })
  await engine.settled()
  expect(world.rows()).toMatchObject([{ capacity_kw: 100, capacity_source: 'sold', score: 100, verdict: 'delivered' }])
  await engine.close()
})

describe('the id of an activation', () => {
  const dips = (...at: [from: number, to: number][]) =>
    Array.from({ length: 900 }, (_, s) => (at.some(([from, to]) => s >= from && s < to) ? 49.8 : 50))
  const open = async () => {
    const world = openWorld(['FCR-D-INC'])
    const engine = await world.start()
    world.setNow(startMs + 86_400_000)
    return {
      world,
      ids: () => world.rows().map(({ event_id }) => event_id),
      close: () => engine.close(),
      send: async (frequency: readonly number[], from = 0, to = 900) => {
        world.store({ t0Ms: startMs + from * 1000, dtMs: 1000, values: { frequency: frequency.slice(from, to) } })
        await engine.settled()
      },
    }
  }

  test.each([
    ['a minute that was missing arrives', [[120, 400]], [[60, 130]]],
    [
      'it arrives twice',
      [[120, 400]],
      [
        [60, 130],
        [60, 130],
      ],
    ],
    [
      'shuffled, the newest first',
      [[300, 900]],
      [
        [200, 300],
        [100, 200],
        [0, 100],
      ],
    ],
    ['the deepest seconds are corrected', [[0, 900]], [[150, 160]]],
  ] as [string, [number, number][], [number, number][]][])('stays when %s', async (_, first, later) => {
    const { world, ids, send, close } = await open()
    const frequency = dips([90, 350])
    for (const [from, to] of first) await send(frequency, from, to)
    const before = ids()
    expect(before).toHaveLength(1)
    for (const [from, to] of later)
      await send(
        frequency.map((hz) => (hz < 50 ? 49.7 : hz)),
        from,
        to,
      )
    expect([ids(), world.moved.size]).toEqual([before, 0])
    await close()
  })

  test('of two merged activations the older id stays with a reference from the other, and the first part of a split one keeps it', async () => {
    const { world, ids, send, close } = await open()
    await send(dips([100, 200], [300, 400]))
    const [older = '', younger = ''] = ids()
    await send(dips([100, 400]), 200, 300)
    expect([ids(), [...world.moved]]).toEqual([[older], [[younger, older]]])
    await send(dips([100, 200], [300, 400]), 200, 300)
    expect(ids()).toEqual([older, younger])
    await close()
  })
})
