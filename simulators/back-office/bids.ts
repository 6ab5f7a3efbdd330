import { type BidRequestForm, createBidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import { addDays, today, weekday } from '@gridmast/contract/time.ts'
import type { Portal } from './portal.ts'

type Wish = Pick<BidRequestForm, 'biddingMarket' | 'note' | 'customBidding' | 'capacity' | 'price'> & {
  instance: string
  inDays: number
  days: number
}

const hours = (of: (hour: number) => number) => Array.from({ length: 24 }, (_, hour) => of(hour))

export const wishes: readonly Wish[] = [
  {
    instance: 'Nordhavn Køl 1',
    biddingMarket: 'FCR-D-INC',
    inDays: 15,
    days: 7,
    customBidding: true,
    capacity: hours((hour) => (hour >= 7 && hour < 19 ? 0.4 : 0.3)),
    price: hours((hour) => (hour >= 7 && hour < 19 ? 18.5 : 11)),
    note: 'Ugen er planlagt, priser gennemgås mandag',
  },
  {
    instance: 'Nordhavn Køl 2',
    biddingMarket: 'FCR-D-DEC',
    inDays: 15,
    days: 14,
    customBidding: false,
    capacity: [],
    price: [],
    note: 'Overlades til kontrakten',
  },
]

export const writeBids = async (ask: Portal['ask'], nowMs: number): Promise<number> => {
  const { licenses } = await ask(findLicences, {})
  let written = 0
  for (const { instance, inDays, days, ...rest } of wishes) {
    const licence = licenses.find(({ groups }) => groups.some(({ name }) => name === instance))
    const group = licence?.groups.find(({ name }) => name === instance)?._id
    if (!licence || !group) continue
    const from = addDays(today(nowMs), inDays)
    const startDate = addDays(from, (8 - weekday(from)) % 7)
    const form = { ...rest, startDate, endDate: addDays(startDate, days - 1), excludedDays: [] }
    await ask(createBidRequest, { body: { ...form, licenseId: licence._id, groupId: group } })
    written++
  }
  return written
}
