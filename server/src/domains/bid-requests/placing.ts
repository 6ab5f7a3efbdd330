import { cutOffMs, gateMs, nextOpenDay, requestSlots, type Gate } from '@gridmast/contract/bid-slots.ts'
import { addDecimals } from '@gridmast/contract/numbers.ts'
import { addDays, type LocalDate } from '@gridmast/contract/time.ts'
import { operator } from '#config.ts'
import type { App } from '#context.ts'
import { daysBefore, forecastOf, measuredAvailable, type SlotsKw } from '#delivery/available.ts'
import { writeAudit } from '#platform/audit.ts'
import { newId } from '#platform/ids.ts'
import type { Job } from '#platform/jobs.ts'
import { queueMail } from '#platform/mail.ts'
import type { Tx } from '#platform/records.ts'
import { bidCsv } from './bid-file.ts'
import { bidsOf, type Offer } from './expansion.ts'
import { bidFile } from './mails.ts'
import {
  addBids,
  claimFile,
  findAllGates,
  findCapacitySignals,
  findDueCustomers,
  findEarlierBids,
  lockDueRequests,
  markPlaced,
  saveFile,
  type DueRequest,
} from './placed.ts'

type PlacingApp = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'log'>

/** Days whose cut-off has passed and whose gate is still open. */
export const dueDays = (gate: Gate, nowMs: number): LocalDate[] => {
  const days: LocalDate[] = []
  for (let day = addDays(nextOpenDay(gate, nowMs), -1); gateMs(gate, day) > nowMs; day = addDays(day, -1))
    days.push(day)
  return days.filter((day) => cutOffMs(gate, day) <= nowMs)
}

/** What stands ready on each instance whose request leaves the capacity to its contract. Read before the transaction: it may take a while. */
const forecasts = async ({ records, readings }: PlacingApp, customerId: string, market: string, nowMs: number) => {
  const found = new Map<string, SlotsKw>()
  for (const { instance_id, up, down } of await records.tenant(customerId, (tx) =>
    findCapacitySignals(tx, customerId, market),
  )) {
    const measured = await measuredAvailable(readings, { up, down }, market, daysBefore(nowMs))
    found.set(instance_id, forecastOf([...measured.values()], requestSlots(market) ?? 0))
  }
  return found
}

const offerOf = (request: DueRequest, market: string, forecastKw: SlotsKw): Offer => ({
  market,
  area: request.area,
  customBidding: request.custom_bidding,
  capacity: request.capacity_mw,
  price: request.price_eur,
  regulationPrice: request.regulation_price_eur,
  contract: request.auctions ? { auctions: request.auctions, priceEur: request.default_price_eur ?? '0' } : null,
  forecastKw,
})

/** Answers how many bids were sent; null where another process has made this file. */
const placeFor = async (app: PlacingApp, customerId: string, gate: Gate, day: LocalDate): Promise<number | null> => {
  const { market, auction } = gate
  const nowMs = app.clock.now()
  const forecastKw = await forecasts(app, customerId, market, nowMs)
  return app.records.tenant(customerId, async (tx) => {
    const file = { customer_id: customerId, market, auction, day, file_id: newId(nowMs), sent_at: new Date(nowMs) }
    if (!(await claimFile(tx, file))) return null
    const requests = await lockDueRequests(tx, customerId, market, day)
    const earlier = await findEarlierBids(tx, customerId, market, day)
    const bids = requests.flatMap((request) =>
      bidsOf(
        offerOf(request, market, forecastKw.get(request.instance_id) ?? []),
        auction,
        day,
        earlier.filter(({ instanceId }) => instanceId === request.instance_id),
      ).map((bid) => ({ ...bid, request })),
    )
    if (bids.length === 0) return 0
    await addBids(tx, { customerId, market, auction, day, sentAt: file.sent_at }, bids)
    await markPlaced(tx, customerId, [...new Set(bids.map(({ request }) => request.request_id))], file.sent_at)
    const name = `bids-${market}${auction === '' ? '' : `-${auction.replace(' ', '-')}`}-${day}.csv`
    const content = await bidCsv(gate, day, bids)
    await saveFile(tx, customerId, file.file_id, { name, content })
    await tell(
      tx,
      app,
      { customerId, gate, day, nowMs },
      { name, content, bids: bids.map(({ capacityMw }) => capacityMw) },
    )
    return bids.length
  })
}

type Told = { customerId: string; gate: Gate; day: LocalDate; nowMs: number }

const tell = async (
  tx: Tx,
  app: PlacingApp,
  { customerId, gate, day, nowMs }: Told,
  { name, content, bids }: { name: string; content: string; bids: string[] },
) => {
  const { market, auction } = gate
  const { name: company } = await tx
    .selectFrom('customer')
    .select('name')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  const mw = addDecimals('0', ...bids)
  const letter = bidFile({
    company,
    market,
    auction,
    day,
    gateMs: gateMs(gate, day),
    bids: bids.length,
    mw,
    name,
    content,
  })
  await queueMail(tx, operator(app.config, customerId), letter, { nowMs })
  await writeAudit(tx, customerId, nowMs, {
    who: 'Gridmast',
    action: 'bid-request.place',
    subject: `${market} ${day}`,
    after: { market, auction, day, bids: bids.length, mw, file: name },
  })
}

/** Sends what is due at all gates. One customer whose bids cannot be made holds up no other's; they are tried again until the gate closes. */
export const placeDue = async (app: PlacingApp): Promise<number> => {
  let sent = 0
  const gates = await app.records.system(findAllGates)
  for (const gate of gates)
    for (const day of dueDays(gate, app.clock.now()))
      for (const customerId of await app.records.system((tx) => findDueCustomers(tx, gate, day)))
        try {
          sent += (await placeFor(app, customerId, gate, day)) ?? 0
        } catch (error) {
          app.log.error(
            { error, customerId, market: gate.market, auction: gate.auction, day },
            'bids could not be sent',
          )
        }
  return sent
}

export const placingJob: Job<App> = {
  name: 'place-bids',
  cron: '* * * * *',
  atStart: true,
  run: async (app) => void (await placeDue(app)),
}
