import { bulkDownload } from '@gridmast/contract/grid/prices.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import { type BidRequestForm, createBidRequest, findBidGates } from '@gridmast/contract/trading/bid-requests.ts'
import { addDays, datesBetween, dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { habits } from './habits.ts'
import type { Portal } from './portal.ts'
import { type ImportBids, mondayOf, partsOf, placeWeeks, weeksOf } from './weekly-bids.ts'

// A Friday.
const nowMs = Date.parse('2026-11-20T12:00:00Z')
const id = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`
const habit = {
  instance: 'cold',
  name: 'Cold',
  area: 'DK2',
  market: 'FCR-D-INC',
  share: 0.5,
  note: 'x',
  mw: Array.from({ length: 24 }, (_, hour) => (hour === 7 ? 0.2 : 0)),
  excluded: (monday: string) => [{ date: addDays(monday, 5), reason: 'closed' }],
}

/** A portal with prices of 74.60 DKK, 10 EUR, from a day on. */
const openPortal = (pricedFrom: string) => {
  const requests: BidRequestForm[] = []
  const ask = (async (call, { query, body }: { query: { startDate: string; endDate: string }; body: unknown }) => {
    if (call.path === findBidGates.path) return { firstOpenDay: '2026-11-21' }
    if (call.path === findLicences.path) return { licenses: [{ _id: id(1), groups: [{ _id: id(2), name: 'Cold' }] }] }
    if (call.path === createBidRequest.path) return requests.push(createBidRequest.body.parse(body))
    expect(call.path).toBe(bulkDownload.path)
    const days = datesBetween(query.startDate, query.endDate).filter((day) => day >= pricedFrom)
    const starts = days.flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => new Date(dayBounds(day).fromMs + hour * hourMs).toISOString()),
    )
    return { prices: starts.map((start_time) => ({ start_time, price: '74.6' })) }
  }) as Portal['ask'] // the four calls in use
  return { ask, requests }
}

test('closed days of weeks with prices are imported and open days are requested, once per week', async () => {
  const { ask, requests } = openPortal('2026-10-28')
  const imported: Parameters<ImportBids>[0][number][] = []
  const importBids: ImportBids = async (lines) => void imported.push(...lines)
  const run = { habits: [habit], nowMs, priceDays: 32, progress: {}, save: () => {} }
  expect(await placeWeeks(ask, importBids, run)).toEqual({ placed: 3, left: 1 })
  expect(imported).toMatchObject([
    {
      instance: 'cold',
      market: 'FCR-D-INC',
      startDate: '2026-11-16',
      endDate: '2026-11-20',
      excludedDays: [],
      requestedAt: '2026-11-12T08:10:00.000Z',
    },
    { startDate: '2026-11-09', endDate: '2026-11-15', excludedDays: [{ date: '2026-11-14', reason: 'closed' }] },
  ])
  expect(new Set(imported[0]?.price)).toEqual(new Set([5]))
  expect(requests).toMatchObject([
    { startDate: '2026-11-23', endDate: '2026-11-29', groupId: id(2) },
    { startDate: '2026-11-21', endDate: '2026-11-22', excludedDays: [{ date: '2026-11-21' }] },
  ])
  expect(await placeWeeks(ask, importBids, run)).toEqual({ placed: 0, left: 1 })
  expect(imported).toHaveLength(2)
})

test('after a failed import the same lines are imported, also on another day', async () => {
  const { ask } = openPortal('2026-01-01')
  const imported: Parameters<ImportBids>[0][] = []
  const run = { habits: [habit], nowMs, priceDays: 22, progress: {}, save: () => {} }
  const failing: ImportBids = async (lines) => {
    imported.push(lines)
    throw new Error('the server is away')
  }
  await expect(placeWeeks(ask, failing, run)).rejects.toThrow('the server is away')
  await placeWeeks(ask, async (lines) => void imported.push(lines), { ...run, nowMs: nowMs + 24 * hourMs })
  expect(imported[1]).toEqual(imported[0])
})

test('an energy price has two decimals', () => {
  const week = { habit: { ...habit, market: 'aFRR' }, monday: '2026-11-16' }
  expect(partsOf(week, [4.35], '2026-11-17').open?.regulationPrice).toEqual([64.35])
})

test('bids fit their markets, and the battery is offered once per hour', () => {
  for (const { market, mw } of habits) expect(mw).toHaveLength(market === 'FCR' ? 6 : 24)
  const battery = habits.filter(({ instance }) => instance === 'batteri')
  expect(battery.map(({ market }) => market)).toEqual(['FFR', 'FCR-D-INC'])
  for (let hour = 0; hour < 24; hour++) expect(battery.filter(({ mw }) => (mw[hour] ?? 0) > 0)).toHaveLength(1)
})

test('a week with excluded days before the open one only has no past part', () => {
  const week = {
    habit: { ...habit, excluded: (monday: string) => [{ date: monday, reason: 'x' }] },
    monday: '2026-11-16',
  }
  const { past, open } = partsOf(week, habit.mw, '2026-11-17')
  expect(past).toBeNull()
  expect(open).toMatchObject({ startDate: '2026-11-17', endDate: '2026-11-22', excludedDays: [] })
  expect(mondayOf('2026-11-22')).toBe('2026-11-16')
  expect(weeksOf([habit], nowMs, 3)).toEqual([])
})
