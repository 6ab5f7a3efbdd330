import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOut } from './rollups.ts'

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
