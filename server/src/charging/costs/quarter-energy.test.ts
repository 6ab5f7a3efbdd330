import { describe, expect, test } from 'vitest'
import { isPlausible, quarterEnergy, type RegisterReading } from './quarter-energy.ts'

const at = (time: string) => Date.parse(`2026-11-22T${time}Z`)
const session = (from: string, to: string, wh: number | null, meterStartWh: number | null = 1000) => ({
  fromMs: at(from),
  toMs: at(to),
  meterStartWh,
  wh,
  maxKw: 22,
})
const readings = (...rows: [string, number][]): RegisterReading[] => rows.map(([time, wh]) => ({ atMs: at(time), wh }))

describe('energy of each quarter', () => {
  test('the worked example', () => {
    const taken = quarterEnergy(session('10:10:00', '10:40:00', 5500), readings(['10:20:00', 2000], ['10:30:00', 5000]))
    expect(taken).toEqual({ fromMs: at('10:00:00'), wh: [500, 3500, 1500], spread: false })
  })

  test('without readings energy is spread evenly, and flagged as spread above half an hour', () => {
    expect(quarterEnergy(session('10:00:00', '11:00:00', 4001), [])).toEqual({
      fromMs: at('10:00:00'),
      wh: [1000, 1001, 1000, 1000],
      spread: true,
    })
    expect(quarterEnergy(session('10:05:00', '10:35:00', 3000), [])?.spread).toBe(false)
  })

  test('a running session is counted up to its register', () => {
    expect(quarterEnergy(session('10:10:00', '10:25:00', null), readings(['10:25:00', 2500]))).toEqual({
      fromMs: at('10:00:00'),
      wh: [500, 1000],
      spread: false,
    })
  })

  test('a session without a start register begins with its first reading', () => {
    expect(
      quarterEnergy(session('10:00:00', '10:30:00', null, null), readings(['10:00:00', 7000], ['10:30:00', 9000]))?.wh,
    ).toEqual([1000, 1000])
  })

  test.each([
    ['above what was taken', ['10:07:00', 90_000]],
    ['below the start', ['10:07:00', 3]],
    ['astray once, high', ['10:07:00', 4900]],
    ['of another session', ['11:07:00', 3000]],
  ] satisfies [string, [string, number]][])('a reading that is %s changes nothing', (_, odd) => {
    const good: [string, number][] = [
      ['10:05:00', 2000],
      ['10:15:00', 3000],
      ['10:20:00', 4000],
    ]
    const whole = session('10:00:00', '10:30:00', 4000)
    expect(quarterEnergy(whole, readings(...good, odd))).toEqual(quarterEnergy(whole, readings(...good)))
  })

  test('order and repetition of readings do not matter', () => {
    const whole = session('10:00:00', '10:59:00', 7001)
    const rows = readings(['10:10:00', 1500], ['10:20:00', 1500], ['10:33:00', 6000], ['10:50:00', 7900])
    const once = quarterEnergy(whole, rows)
    expect(quarterEnergy(whole, [...rows, ...rows].toReversed())).toEqual(once)
    expect(once?.wh.reduce((sum, part) => sum + part, 0)).toBe(7001)
  })

  test('unknown energy is not 0', () => {
    expect(quarterEnergy(session('10:00:00', '10:30:00', null), [])).toBeNull()
    expect(quarterEnergy(session('10:00:00', '10:30:00', 0), [])?.wh).toEqual([0, 0])
  })

  test('a session that ends at its start is one quarter', () => {
    expect(quarterEnergy(session('10:00:00', '10:00:00', 12), [])?.wh).toEqual([12])
  })

  test('for any readings the quarters are whole Wh, not negative, and add up to the session', () => {
    let seed = 7
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
    for (let round = 0; round < 500; round++) {
      const whole = session('10:00:00', '10:00:00', Math.round(random() * 30_000), random() < 0.2 ? null : 1000)
      whole.toMs += Math.round(random() * 20_000_000)
      const rows = Array.from({ length: Math.floor(random() * 20) }, () => ({
        atMs: whole.fromMs + Math.round((random() * 1.2 - 0.1) * (whole.toMs - whole.fromMs)),
        wh: 1000 + Math.round((random() * 1.4 - 0.2) * 30_000),
      }))
      const taken = quarterEnergy(whole, rows)
      expect(taken?.wh.reduce((sum, part) => sum + part, 0)).toBe(whole.wh)
      expect(taken?.wh.every((part) => Number.isInteger(part) && part >= 0)).toBe(true)
    }
  })
})

describe('energy that a connector of 22 kW cannot have delivered', () => {
  test.each([
    ['300 kWh in 36 seconds', '10:00:36', 300_000, [], false],
    ['66 kWh in an hour, three times the maximum', '11:00:00', 66_000, [], true],
    ['a Wh more', '11:00:00', 66_001, [], false],
    ['a register in whole kWh within a second', '10:00:01', 1000, [], true],
    ['a register that jumps by 50 kWh in the last of five hours', '15:00:00', 100_000, [['14:55:00', 49_000]], false],
    [
      'a jump that stays until the end',
      '15:00:00',
      100_000,
      [
        ['12:00:00', 20_000],
        ['12:01:00', 70_000],
        ['14:59:30', 99_900],
      ],
      false,
    ],
    [
      'one reading astray',
      '11:00:00',
      20_000,
      [
        ['10:30:00', 10_000],
        ['10:31:00', 4_000_000],
        ['10:32:00', 10_700],
      ],
      true,
    ],
  ] satisfies [string, string, number, [string, number][], boolean][])('%s', (_, to, wh, rows, expected) => {
    const whole = { ...session('10:00:00', to, wh, 0), wh }
    expect(isPlausible(whole, readings(...rows))).toBe(expected)
  })
})
