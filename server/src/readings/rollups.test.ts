import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOut, openRecent } from './rollups.ts'

test('the work of a round covers every changed minute and stays small', () => {
  const minute = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 1_000_000 })))
  fc.assert(
    fc.property(fc.array(minute, { maxLength: 400 }), (found) => {
      const minutes = found.toSorted(([a, x], [b, y]) => a - b || x - y)
      const shares = shareOut(minutes, 200)
      const works = shares.flat()
      for (const [signalNo, at] of minutes)
        expect(works.some((w) => w.signalNos.includes(signalNo) && at >= w.fromMinute && at < w.toMinute)).toBe(true)
      for (const share of shares) {
        const changed = minutes.filter(([signalNo, at]) =>
          share.some((w) => w.signalNos.includes(signalNo) && at >= w.fromMinute && at < w.toMinute),
        ).length
        const all = share.reduce((sum, w) => sum + w.signalNos.length * (w.toMinute - w.fromMinute), 0)
        expect(share.length).toBeLessThanOrEqual(40)
        expect(changed + (all - changed) / 8).toBeLessThanOrEqual(200)
      }
    }),
  )
})

test('a span is called unchanged only if nothing newer was written there', () => {
  const write = fc.record({
    at: fc.integer({ min: 0, max: 1000 }),
    length: fc.integer({ min: 1, max: 20 }),
    waitUs: fc.constantFrom(1, 30_000_000, 90_000_000),
    rollUp: fc.boolean(),
  })
  const question = fc.record({ from: fc.integer({ min: 0, max: 1000 }), length: fc.integer({ min: 1, max: 200 }) })
  fc.assert(
    fc.property(fc.array(write, { maxLength: 60 }), question, (writes, { from, length }) => {
      const recent = openRecent(10)
      let version = 10
      let rolled = 10
      const raw: { at: number; version: number }[] = []
      for (const { at, length: count, waitUs, rollUp } of writes) {
        version += waitUs
        const values = Array.from({ length: count }, () => 1)
        recent.note({ signalNo: 1, t0Ms: at, dtMs: 1, values }, version, rolled)
        values.forEach((_, i) => raw.push({ at: at + i, version }))
        if (rollUp) rolled = version
      }
      const newer = raw.some((row) => row.version > rolled && row.at >= from && row.at < from + length)
      if (newer) expect(recent.mayHaveChanged(1, { fromMs: from, toMs: from + length }, rolled)).toBe(true)
      expect(recent.mayHaveChanged(1, { fromMs: from, toMs: from + length }, 9)).toBe(true)
      if (writes.at(-1)?.rollUp) expect(recent.mayHaveChanged(1, { fromMs: 0, toMs: 2000 }, rolled)).toBe(false)
    }),
    { numRuns: 500 },
  )
})
