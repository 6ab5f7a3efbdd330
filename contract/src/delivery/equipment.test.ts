import { describe, expect, test } from 'vitest'
import { edgeVersionValue, isHeld, isTestable } from './equipment.ts'

test.each([
  ['v4.4.0', 40_400, true],
  ['4.4.0', 40_400, true],
  ['v4.3.9', 40_309, false],
  ['v4.3.99', 40_399, false],
  ['v10.0.1', 100_001, true],
  ['v4.4.12-rc1', 40_412, true],
  ['v4.4', null, false],
  ['v4.100.0', null, false],
  ['', null, false],
  [null, null, false],
])('the edge version %s reads as %j', (version, value, testable) => {
  expect(edgeVersionValue(version)).toBe(value)
  expect(isTestable(version)).toBe(testable)
})

describe('equipment may follow a command', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  const command = (setPoint: number, heldMs: number) => ({
    _id: 'x',
    setPoint,
    status: 'APPLIED',
    detail: null,
    issuedAt: '2026-11-20T09:40:00Z',
    answeredAt: null,
    heldUntil: new Date(nowMs + heldMs).toISOString(),
  })
  test('until its release or the end of its hold time', () => {
    expect(isHeld(command(40, 1), nowMs)).toBe(true)
    expect(isHeld(command(40, 0), nowMs)).toBe(false)
    expect(isHeld(command(0, 1000), nowMs)).toBe(false)
  })
})
