import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curveSpecs } from '../../benchmarks/growth-curves.ts'
import { root } from '../run.ts'
import { type Costs, missingCurves, readCosts } from './costs.ts'
import { readDemand } from './demand.ts'
import { type Demand, planFor } from './rules.ts'
import { examples, pageParts, planText, withParts } from './text.ts'

/** Each unit costs 0.1 of its unit, measured up to 1,000; an edge needs 0.1 ms of CPU a second. */
const costs: Costs = {
  date: '2026-11-27',
  machine: { processor: '2 × test', memoryGib: 8, node: '24', helloUs: 20 },
  curves: Object.fromEntries(
    Object.keys(curveSpecs).map((name) => [
      name,
      {
        date: '2026-11-27',
        points: [
          [1, 1],
          [1000, 100],
        ],
        base: 1,
        slope: 0.1,
        isLinear: true,
      },
    ]),
  ),
}
const small: Demand = {
  customers: 10,
  edges: 100,
  chargers: 100,
  meters: 100,
  users: 50,
  samplesPerSecond: 500,
  retentionDays: 400,
}
const valueOf = (demand: Demand, name: string) =>
  planFor(demand, costs)
    .sections.flatMap(({ lines }) => lines)
    .find(({ what }) => what.startsWith(name))

test('a small installation is one process without connections of PostgreSQL', () => {
  const plan = planFor(small, costs)
  expect(plan.roles.map(({ role, processes }) => [role, processes])).toEqual([['all', 1]])
  expect(valueOf(small, 'PostgreSQL')?.value).toBe('none')
  expect(valueOf(small, 'MQTT')).toEqual({ what: 'MQTT', value: '100', from: 'measured' })
})

test('a core of ingest is two processes of half a core', () => {
  const plan = planFor({ ...small, edges: 10_000, samplesPerSecond: 50_000 }, costs)
  expect(plan.roles.find(({ role }) => role === 'ingest')).toMatchObject({ processes: 2, cores: 0.5, connections: 44 })
})

test('samples on disk are samples a second, seconds and days times their bytes', () => {
  expect(valueOf({ ...small, samplesPerSecond: 1000 }, 'Samples')?.value).toBe('3.5 GB')
})

test('more than ten times the measured size is extrapolated', () => {
  expect(valueOf({ ...small, edges: 10_000 }, 'MQTT')?.from).toBe('measured')
  expect(valueOf({ ...small, edges: 10_001 }, 'MQTT')?.from).toBe('extrapolated')
})

test('the bottleneck is the limit that is used most', () => {
  expect(planFor({ ...small, meters: 1_000_000 }, costs).bottleneck).toMatch(/^requests to Eloverblik \(\d+ % used\)$/)
})

test('more equipment never needs fewer processes', () => {
  const count = fc.integer({ min: 1, max: 200_000 })
  const processes = (edges: number) =>
    planFor({ ...small, edges, samplesPerSecond: 5 * edges }, costs).roles.reduce((sum, one) => sum + one.processes, 0)
  fc.assert(
    fc.property(count, count, (one, more) => {
      expect(processes(one + more)).toBeGreaterThanOrEqual(processes(one))
    }),
  )
})

const given = { customers: '1', edges: '2', chargers: '3', meters: '4', users: '5' }

test('an edge has five samples a second unless stated, kept for 400 days', () => {
  expect(readDemand(given)).toMatchObject({ edges: 2, samplesPerSecond: 10, retentionDays: 400 })
  expect(readDemand({ ...given, 'samples-per-second': '7' }).samplesPerSecond).toBe(7)
})

test.each([
  [{ ...given, edges: 'many' }, '--edges many: expected a whole number from 0 to 1000000.'],
  [{ ...given, users: '0' }, '--users 0: expected a whole number from 1 to 10000000.'],
  [{ ...given, 'retention-days': '7' }, '--retention-days 7: expected a whole number from 31 to 36500.'],
  [{ customers: '1' }, '--edges is missing, a whole number from 0 to 1000000.'],
])('bad input is one sentence: %j', (options, message) => {
  expect(() => readDemand(options)).toThrow(message)
})

test('missing costs are one sentence', () => {
  expect(() => readCosts('/nowhere.json')).toThrow(/^\/nowhere.json has no measured costs: run/)
  expect(() => planFor(small, { ...costs, curves: {} })).toThrow(
    'Costs of history, customers, edges, chargers, streams are not measured: run node benchmarks/growth.ts history',
  )
})

test('docs/capacity.md has the curves and the examples of the tool', () => {
  const stored = readCosts(join(root, 'benchmarks/growth.json'))
  const page = readFileSync(join(root, 'docs/capacity.md'), 'utf8')
  expect(page).toBe(withParts(page, pageParts(stored, readFileSync(join(root, 'benchmarks/growth.md'), 'utf8'))))
  if (missingCurves(stored).length === 0)
    for (const { demand } of examples) expect(page).toContain(planText(demand, planFor(demand, stored)))
})
