import { expect, test } from 'vitest'
import { join } from 'node:path'
import { openConfig } from './config.ts'
import { loadOf, plannedKw, socPercent } from '../loads.ts'
import { asked } from '../activation.ts'
import { basicKw, capacityOf, sampleAt, socOf } from './device.ts'
import { readWorld } from './world-file.ts'

const edges = readWorld(join(import.meta.dirname, '../../demo/world.yaml'), [])
const [edge] = edges
if (!edge) throw new Error('the demo world has no edge')
const [group] = edge.groups
if (!group) throw new Error('the edge has no group')

const from = Date.parse('2026-11-21T06:00:00Z') / 1000
const config = (version: number, kW: number) =>
  JSON.stringify({
    v: 1,
    version,
    issuedAt: '2026-11-20T17:00:00Z',
    groups: [
      {
        groupId: group.key,
        flexibleKw: 1000,
        droop: [],
        sold: [
          { market: 'FCR-D-INC', product: 'FCR-D-INC', from: '2026-11-21T06:00:00Z', to: '2026-11-21T07:00:00Z', kW },
        ],
      },
    ],
  })

test('equipment delivers the sold power in a sold slot, at most its capacity, and its full capacity otherwise', () => {
  const obey = openConfig(edge, () => {})
  obey(config(2, 50))
  expect(
    [from - 1, from, from + 3599, from + 3600].map((second) => capacityOf(group, 'FCR-D-INC', true, second)),
  ).toEqual([group.load.flexibleKw, 50, 50, group.load.flexibleKw])
  obey(config(3, 1e6))
  expect(capacityOf(group, 'FCR-D-INC', true, from)).toBe(group.load.flexibleKw)
})

test('a set point is a percentage of the power sold on its market and direction', () => {
  const battery = { ...group, markets: ['aFRR', 'FCR-D-INC'], load: loadOf('b', 'battery', 180) }
  const of = (market: string, product: string, kW: number) => ({ market, product, kW })
  const called = Array.from({ length: 86_400 }, (_, i) => from + i).find((second) =>
    Array.from({ length: 6 }, (_, back) => asked('aFRR', battery.grid, second - back)).every((u) => u === 1),
  )
  if (called === undefined) throw new Error('aFRR never asks for all')
  const soldAs = (...sold: ReturnType<typeof of>[]) => ({
    ...battery,
    sold: sold.map((slot) => ({ ...slot, fromS: from, toS: from + 86_400 })),
  })
  const movedBy = (one: typeof battery) =>
    sampleAt({ ...one, markets: [] }, [], called).kw - sampleAt(one, [], called).kw
  for (const [kw, sold] of [
    [100, soldAs(of('aFRR', 'aFRR-INC', 100), of('FCR-D-INC', 'FCR-D-INC', 150))],
    [100, soldAs(of('aFRR', 'aFRR-INC', 60), of('aFRR', 'aFRR-INC', 40), of('aFRR', 'aFRR-DEC', 80))],
    [180, soldAs(of('aFRR', 'aFRR-DEC', 80))],
    [180, soldAs(of('aFRR', 'aFRR-INC', 500))],
  ] as const) {
    expect(movedBy(sold)).toBeCloseTo(kw, 0)
    expect(sampleAt(sold, [], called).setPoint).toBe(100)
  }
})

test('an older version and an invalid message change nothing', () => {
  const told: string[] = []
  const obey = openConfig(edge, (text) => told.push(text))
  obey(config(2, 50))
  obey(config(1, 70))
  obey('{"v":1')
  expect(capacityOf(group, 'FCR-D-INC', true, from)).toBe(50)
  expect(told).toEqual([`${edge.key}: a config that cannot be read`])
})

test('a received plan runs by quarter and ends when a config omits it', () => {
  const obey = openConfig(edge, () => {})
  const schedule = { planId: '01942f3e-8c1f-7c1a-9f00-0d0c5e6a7b80', from: '2026-11-21T06:00:00Z', kW: [12.5, 0] }
  const groups = [{ groupId: group.key, flexibleKw: 1000, droop: [], sold: [], schedule }]
  obey(JSON.stringify({ v: 1, version: 9, issuedAt: '2026-11-20T17:00:00Z', groups }))
  expect([from, from + 899, from + 900].map((second) => basicKw(group, second))).toEqual([12.5, 12.5, 0])
  expect([from - 1, from + 1800].map((second) => basicKw(group, second))).toEqual(
    [from - 1, from + 1800].map((second) => plannedKw(group.load, second)),
  )
  obey(config(10, 50))
  expect(basicKw(group, from)).toBe(plannedKw(group.load, from))
})

test('the state of charge of a battery follows its plan, also after a replacement', () => {
  const battery = { ...group, load: loadOf('b', 'battery', 100) }
  const obey = openConfig({ ...edge, groups: [battery] }, () => {})
  const tell = (version: number, at: string, kW: number[]) => {
    const schedule = { planId: '01942f3e-8c1f-7c1a-9f00-0d0c5e6a7b80', from: at, kW }
    const groups = [{ groupId: battery.key, flexibleKw: 100, droop: [], sold: [], schedule }]
    obey(JSON.stringify({ v: 1, version, issuedAt: '2026-11-20T17:00:00Z', groups }))
  }
  tell(1, '2026-11-21T06:00:00Z', [40, 0, -40])
  const began = socPercent(battery.load, from) ?? 0
  // 100 kW are 240 kWh: a quarter at 40 kW stores 9.5 of them, and discharging one costs 10.53.
  const stored = (kwh: number) => began + (100 * kwh) / 240
  expect([0, 450, 900, 1800].map((s) => socOf(battery, from + s))).toEqual(
    [0, 4.75, 9.5, 9.5].map((kwh) => expect.closeTo(stored(kwh), 6)),
  )
  tell(2, '2026-11-21T06:30:00Z', [0, 40])
  expect(socOf(battery, from + 2700)).toBeCloseTo(stored(9.5), 6)
  expect(socOf(battery, from + 3600)).toBe(socPercent(battery.load, from + 3600))
})
