import { createBidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import { expect, test } from 'vitest'
import { wishes, writeBids } from './bids.ts'
import type { Portal } from './portal.ts'

test.each(['2026-11-20T12:00:00Z', '2026-03-29T00:30:00Z', '2026-10-25T01:30:00Z'])(
  'the contract takes what is asked for on %s, in whole weeks from a Monday that is not closed yet',
  async (now) => {
    const uuid = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`
    const groups = wishes.map(({ instance }, i) => ({ _id: uuid(i), name: instance }))
    const asked: { startDate: string; endDate: string; groupId: string }[] = []
    const ask = (async (call, { body }: { body: unknown }) => {
      if (call.path === findLicences.path) return { licenses: [{ _id: uuid(99), groups }] }
      asked.push(createBidRequest.body.parse(body))
      return {}
    }) as Portal['ask'] // the two calls in use
    expect(await writeBids(ask, Date.parse(now))).toBe(2)
    for (const { startDate, endDate } of asked) {
      expect(new Date(startDate).getUTCDay()).toBe(1)
      expect(new Date(endDate).getUTCDay()).toBe(0)
      expect(Date.parse(startDate) - Date.parse(now)).toBeGreaterThan(14 * 86_400_000)
    }
  },
)
