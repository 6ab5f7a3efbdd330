import { hourMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { groupRisks, type Risk } from './risk-groups.ts'

const startMs = Date.parse('2026-11-19T23:00:00Z')
const at = (hour: number) => new Date(startMs + hour * hourMs).toISOString()
const risk = (hour: number, part: Partial<Risk> = {}): Risk => ({
  product: 'FFR',
  market: 'FFR',
  groupId: 'a',
  groupName: 'Cold store 1',
  raisedAt: at(0),
  start: at(hour),
  end: at(hour + 1),
  state: 'short',
  soldKw: 200,
  expectedKw: 150,
  usualErrorKw: 10,
  shortKw: 50,
  lossEur: '0.10',
  atStakeEur: '1.20',
  spare: [],
  ...part,
})
const silent = { state: 'unknown', expectedKw: null, usualErrorKw: null, shortKw: null, lossEur: null } as const

test('a silent instance of many slots is one row, and its neighbouring slots of one size are one line', () => {
  const slots = [0, 1, 2, 5].map((hour) => risk(hour, silent))
  const [group, ...more] = groupRisks([...slots, risk(6, { ...silent, soldKw: 300 })])
  expect(more).toEqual([])
  expect(group).toMatchObject({ state: 'unknown', soldKw: { least: 200, most: 300 }, shortKw: null, lossEur: null })
  expect(group?.slots).toHaveLength(5)
  expect(group?.lines.map(({ start, end }) => [start, end])).toEqual([
    [at(0), at(3)],
    [at(5), at(6)],
    [at(6), at(7)],
  ])
})

test('instances, products and states are separate; money adds up, and is unknown without a price', () => {
  const groups = groupRisks([
    risk(0, { shortKw: 20 }),
    risk(1),
    risk(0, silent),
    risk(0, { product: 'FFR-2' }),
    risk(2, { groupId: 'b', lossEur: null }),
    risk(3, { groupId: 'b' }),
  ])
  expect(groups.map(({ groupId, product, state, slots }) => [groupId, product, state, slots.length])).toEqual([
    ['a', 'FFR', 'short', 2],
    ['a', 'FFR', 'unknown', 1],
    ['a', 'FFR-2', 'short', 1],
    ['b', 'FFR', 'short', 2],
  ])
  expect(groups[0]).toMatchObject({ shortKw: 50, lossEur: '0.2', atStakeEur: '2.4' })
  expect(groups[3]).toMatchObject({ lossEur: null, atStakeEur: '2.4' })
  // What is short is told hour by hour: each misses something else.
  expect(groups[0]?.lines).toHaveLength(2)
})

test('only an instance with spare kW in all of the slots is a replacement, with the least of them', () => {
  const spare = (battery: number) => [{ groupName: 'Battery', kw: battery }]
  const [group] = groupRisks([
    risk(0, { spare: [...spare(120), { groupName: 'Heat pump', kw: 90 }] }),
    risk(1, { spare: spare(80) }),
  ])
  expect(group?.spare).toEqual([{ groupName: 'Battery', kw: 80 }])
})
