import { cutOffMs, gateMs, nextOpenDay, requestSlots, type Gate } from '@gridmast/contract/bid-slots.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { addDays, type LocalDate } from '@gridmast/contract/time.ts'
import { operator } from '#config.ts'
import type { App } from '#context.ts'
import { daysBefore, forecastOf, measuredAvailable, type SlotsKw } from '#delivery/scoring/available.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { newId } from '#platform/records/ids.ts'
import { isAway } from '#platform/http/errors.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { bidCsv } from './bid-file.ts'
import { bidsOf, type Offer } from '#trading/requests/expansion.ts'
import { bidFile } from './mails.ts'
import { tellMissedGates } from './missed-gates.ts'
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

export const dueDays = (gate: Gate, nowMs: number): LocalDate[] => {
  const days: LocalDate[] = []
  for (let day = addDays(nextOpenDay(gate, nowMs), -1); gateMs(gate, day) > nowMs; day = addDays(day, -1))
    days.push(day)
  return days.filter((day) => cutOffMs(gate, day) <= nowMs)
}

type PlacedFile = { customerId: string; gate: Gate; day: LocalDate; nowMs: number }

/** Available capacity for requests that leave it to their contract; read before the transaction, because it may be slow. */
const forecasts = async (
  { records, readings }: PlacingApp,
  { customerId, gate: { market }, day, nowMs }: PlacedFile,
) => {
  const signals = await records.tenant(customerId, (tx) => findCapacitySignals(tx, customerId, market, day))
  const found = new Map<string, SlotsKw>()
  for (const { instance_id, up, down } of signals) {
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

type Forecasts = ReadonlyMap<string, SlotsKw>

const makeFile = async (tx: Tx, made: PlacedFile, forecastKw: Forecasts): Promise<Content | null> => {
  const { customerId, gate, day, nowMs } = made
  const { market, auction } = gate
  const file = { customer_id: customerId, market, auction, day, file_id: newId(nowMs), sent_at: new Date(nowMs) }
  if (!(await claimFile(tx, file))) return null
  const requests = await lockDueRequests(tx, customerId, market, day)
  const earlier = Map.groupBy(await findEarlierBids(tx, customerId, market, day), ({ instanceId }) => instanceId)
  const bids = requests.flatMap((request) => {
    const offer = offerOf(request, market, forecastKw.get(request.instance_id) ?? [])
    return bidsOf(offer, auction, day, earlier.get(request.instance_id) ?? []).map((bid) => ({ ...bid, request }))
  })
  if (bids.length === 0) return null
  await addBids(tx, { customerId, market, auction, day, sentAt: file.sent_at }, bids)
  await markPlaced(tx, customerId, [...new Set(bids.map(({ request }) => request.request_id))], file.sent_at)
  const name = `bids-${market}${auction === '' ? '' : `-${auction.replace(' ', '-')}`}-${day}.csv`
  const content = await bidCsv(gate, day, bids)
  await saveFile(tx, customerId, file.file_id, { name, content })
  const mostMw = bids.map(({ capacityMw }) => capacityMw).reduce((a, b) => (compareDecimals(a, b) < 0 ? b : a))
  return { name, content, bids: bids.length, mostMw }
}

const placeFor = async (app: PlacingApp, made: PlacedFile): Promise<number> => {
  const forecastKw = await forecasts(app, made)
  return app.records.tenant(made.customerId, async (tx) => {
    const content = await makeFile(tx, made, forecastKw)
    if (content) await tell(tx, app, made, content)
    return content?.bids ?? 0
  })
}

type Content = { name: string; content: string; bids: number; mostMw: string }

const tell = async (tx: Tx, app: PlacingApp, { customerId, gate, day, nowMs }: PlacedFile, content: Content) => {
  const { market, auction } = gate
  const { name: company } = await selectRows(tx, customerId, 'customer').select('name').executeTakeFirstOrThrow()
  const letter = bidFile({ company, market, auction, day, gateMs: gateMs(gate, day), ...content })
  await queueMail(tx, operator(app.config, customerId), letter, { nowMs })
  await writeAudit(tx, customerId, nowMs, {
    who: 'Gridmast',
    action: 'bid-request.place',
    subject: `${market} ${day}`,
    after: { market, auction, day, bids: content.bids, mostMw: content.mostMw, file: content.name },
  })
}

/** A customer whose bids fail does not block the others and is retried until the gate closes. */
export const placeDue = async (app: PlacingApp): Promise<number> => {
  let sent = 0
  const gates = await app.records.system(findAllGates)
  for (const gate of gates)
    for (const day of dueDays(gate, app.clock.now()))
      for (const customerId of await app.records.system((tx) => findDueCustomers(tx, gate, day)))
        try {
          sent += await placeFor(app, { customerId, gate, day, nowMs: app.clock.now() })
        } catch (error) {
          // Bids without a forecast are sent even while the readings store is down.
          app.log[isAway(error) ? 'warn' : 'error'](
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
  run: async (app) => {
    await placeDue(app)
    await tellMissedGates(app)
  },
}
