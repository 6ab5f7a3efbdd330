import { expect, test } from 'vitest'
import { noBus } from '#platform/messaging/bus.ts'
import { openBacklogs } from './backlogs.ts'

const status = (backlogS: number, keptS: number) => ({ v: 1 as const, online: true, backlogS, keptS })
const edge = (edgeId: string, customerId = 'north') => ({ customerId, edgeId })

test('T1: the share of samples that has arrived, over the edges of one company, while one of them has a backlog', () => {
  const backlogs = openBacklogs(noBus)
  const share = (customerId = 'north', nowMs = 1000) => backlogs.arrivedShare(customerId, nowMs)
  expect(share()).toBeNull()
  backlogs.note(edge('a'), 0, status(600, 1000))
  backlogs.note(edge('b'), 0, status(0, 1000))
  backlogs.note(edge('c', 'south'), 0, status(1000, 1000))
  expect(share()).toBeCloseTo(0.7)
  expect(share('south')).toBe(0)
  // Without a report for three minutes it is unknown.
  expect(share('north', 180_000)).toBeNull()
  backlogs.note(edge('a'), 0, status(100, 1000))
  expect(share()).toBeNull()
  backlogs.note(edge('a'), 0, status(600, 1000))
  backlogs.note(edge('a'), 0, { v: 1, online: false })
  expect(share()).toBeNull()
})

test('another process is told of it', () => {
  const heard: ((data: unknown) => void)[] = []
  const other = openBacklogs({ broadcast: () => {}, listen: (_, listener) => (heard.push(listener), () => {}) })
  const told: unknown[] = []
  openBacklogs({ broadcast: (_, data) => told.push(data), listen: () => () => {} }).note(
    edge('a'),
    0,
    status(250, 1000),
  )
  heard[0]?.(told[0])
  heard[0]?.({ edgeId: 'a' })
  expect(other.arrivedShare('north', 0)).toBe(0.75)
})
