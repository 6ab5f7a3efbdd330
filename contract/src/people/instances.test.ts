import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edgeAgeMinutes, isEdgeGood } from './instances.ts'

const nowMs = Date.UTC(2026, 10, 20, 12)
const ago = (ms: number) => new Date(nowMs - ms).toISOString()

test('an edge is good while its last report is under 15 minutes old', () => {
  expect(isEdgeGood(ago(15 * 60_000 - 1), nowMs)).toBe(true)
  expect(isEdgeGood(ago(15 * 60_000), nowMs)).toBe(false)
})

test('an edge without any report counts as silent for 16 minutes and is not good', () => {
  expect(edgeAgeMinutes(null, nowMs)).toBe(16)
  expect(isEdgeGood(null, nowMs)).toBe(false)
})

test('an edge with a later report is never worse', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400_000 }), fc.nat(86_400_000), (age, newer) => {
      if (isEdgeGood(ago(age), nowMs)) expect(isEdgeGood(ago(age - newer), nowMs)).toBe(true)
    }),
  )
})
