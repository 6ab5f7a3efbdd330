import { text } from 'node:stream/consumers'
import { cutOffMs, gateMs, nextOpenDay, requestSlots, type Gate } from '@gridmast/contract/bid-slots.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { addDays, dayMs, type LocalDate } from '@gridmast/contract/time.ts'
import { operator } from '#config.ts'
import type { App } from '#context.ts'
import { daysBefore, forecastOf, measuredAvailable, type SlotsKw } from '#delivery/scoring/available.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile, tableStream } from '#platform/files/table-file.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { newId } from '#platform/records/ids.ts'
import { isUnavailable } from '#platform/http/errors.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, selectRows } from '#platform/records/rows.ts'
import { bidsOf } from '#trading/requests/expansion.ts'
import { findGates } from '#trading/requests/queries.ts'
import { bidFile, gateMissed } from './mails.ts'
import {
  addBids,
  claimFile,
  findCapacitySignals,
  findDueCustomers,
  lockDueRequests,
  markPlaced,
  type PlacedBid,
  saveFile,
} from './placing-queries.ts'

type PlacingApp = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'log'>

const closedDays = (gate: Gate, nowMs: number, afterMs: number): LocalDate[] => {
  const days: LocalDate[] = []
  for (let day = addDays(nextOpenDay(gate, nowMs), -1); gateMs(gate, day) > afterMs; day = addDays(day, -1))
    days.push(day)
  return days
}

export const dueDays = (gate: Gate, nowMs: number): LocalDate[] =>
  closedDays(gate, nowMs, nowMs).filter((day) => cutOffMs(gate, day) <= nowMs)

type PlacedFile = { customerId: string; gate: Gate; day: LocalDate; nowMs: number }

/** Available capacity for requests that leave it to their contract; read before the transaction, because it may be slow. */
const forecasts = async (
  { records, readings }: PlacingApp,
  { customerId, gate: { market }, day, nowMs }: PlacedFile,
) => {
  const signals = await records.tenant(customerId, (tx) => findCapacitySignals(tx, customerId, market, day))
  const forecastKw = new Map<string, SlotsKw>()
  for (const { instance_id, up, down } of signals) {
    const measured = await measuredAvailable(readings, { up, down }, market, daysBefore(nowMs))
    forecastKw.set(instance_id, forecastOf([...measured.values()], requestSlots(market) ?? 0))
  }
  return forecastKw
}

type SentBid = Omit<PlacedBid, 'instance_id'>

export const bidCsv = (
  gate: Pick<Gate, 'market' | 'auction'>,
  day: LocalDate,
  bids: readonly SentBid[],
): Promise<string> => {
  const columns: Column<SentBid>[] = [
    column.text('Market', () => gate.market),
    column.text('Product', (bid) => bid.product),
    column.text('Auction', () => gate.auction),
    column.text('Day', () => day),
    column.text('Slot', (bid) => bid.slot),
    column.instant('From', (bid) => bid.starts_at),
    column.instant('To', (bid) => bid.ends_at),
    column.text('Instance', (bid) => bid.instance_name),
    column.decimal('Capacity (MW)', (bid) => bid.capacity_mw),
    column.decimal('Price (EUR/MW)', (bid) => bid.price_eur),
    column.decimal('Energy price (EUR/MWh)', (bid) => bid.regulation_price_eur),
    column.text('Request', (bid) => bid.request_id),
  ]
  return text(tableStream(tableFile({ fileName: 'bids', sheet: 'Bids' }, columns, bids), 'csv'))
}

type Content = { name: string; content: string; bids: number; mostMw: string }

const placeBids = async (
  tx: Tx,
  { customerId, gate, day, nowMs }: PlacedFile,
  forecastKw: ReadonlyMap<string, SlotsKw>,
): Promise<Content | null> => {
  const { market, auction } = gate
  const file = { customer_id: customerId, market, auction, day, sent_at: new Date(nowMs) }
  const file_id = newId(nowMs)
  if (!(await claimFile(tx, { ...file, file_id }))) return null
  const requests = await lockDueRequests(tx, customerId, market, day)
  const earlier = Map.groupBy(
    await selectRows(tx, customerId, 'bid', { market, day })
      .select(['instance_id', 'product', 'starts_at', 'won', 'won_mw'])
      .execute(),
    ({ instance_id }) => instance_id,
  )
  const bids = requests.flatMap((request): PlacedBid[] => {
    const { request_id, instance_id, instance_name } = request
    const offer = { ...request, forecastKw: forecastKw.get(instance_id) ?? [] }
    return bidsOf(offer, auction, day, earlier.get(instance_id) ?? []).map((bid) => ({
      ...bid,
      request_id,
      instance_id,
      instance_name,
    }))
  })
  if (bids.length === 0) return null
  await addBids(tx, file, bids)
  await markPlaced(tx, customerId, [...new Set(bids.map(({ request_id }) => request_id))], file.sent_at)
  const name = `bids-${market}${auction === '' ? '' : `-${auction.replace(' ', '-')}`}-${day}.csv`
  const content = await bidCsv(gate, day, bids)
  await saveFile(tx, customerId, file_id, { name, content })
  const mostMw = bids.map(({ capacity_mw }) => capacity_mw).reduce((a, b) => (compareDecimals(a, b) < 0 ? b : a))
  return { name, content, bids: bids.length, mostMw }
}

const sendFile = async (tx: Tx, app: PlacingApp, { customerId, gate, day, nowMs }: PlacedFile, content: Content) => {
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

const placeFile = async (app: PlacingApp, file: PlacedFile): Promise<number> => {
  const forecastKw = await forecasts(app, file)
  return app.records.tenant(file.customerId, async (tx) => {
    const content = await placeBids(tx, file, forecastKw)
    if (content) await sendFile(tx, app, file, content)
    return content?.bids ?? 0
  })
}

/** A customer whose bids fail does not block the others and is retried until the gate closes. */
export const placeDue = async (app: PlacingApp): Promise<number> => {
  let sent = 0
  for (const gate of await app.records.system((tx) => findGates(tx)))
    for (const day of dueDays(gate, app.clock.now()))
      for (const customerId of await app.records.system((tx) => findDueCustomers(tx, gate, day)))
        try {
          sent += await placeFile(app, { customerId, gate, day, nowMs: app.clock.now() })
        } catch (error) {
          // Bids without a forecast are sent even while the readings store is down.
          app.log[isUnavailable(error) ? 'warn' : 'error'](
            { err: error, customerId, market: gate.market, auction: gate.auction, day },
            'bids could not be sent',
          )
        }
  return sent
}

/** Gates that closed earlier are not reported: after days of downtime the operator is aware of them. */
const reportedWithinMs = dayMs

type Missed = { customer_id: string; company: string; instances: string[] }

/** Customers with requests from before the cut-off and without a bid file: no process ran between cut-off and gate. */
const findMissed = (tx: Tx, gate: Gate, day: LocalDate): Promise<Missed[]> =>
  sqlRows<Missed>(tx)`
    select r.customer_id, c.name as company, array_agg(distinct i.name order by i.name) as instances
    from bid_request r join customer c on c.customer_id = r.customer_id
    join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id and i.enabled and i.bid_active
    where r.market = ${gate.market} and r.status <> 'withdrawn' and r.start_date <= ${day} and r.end_date >= ${day}
      and r.created_at < ${new Date(cutOffMs(gate, day))}
      and not r.excluded_days @> jsonb_build_array(jsonb_build_object('date', ${day}::text))
      and not exists (select from bid_file f
        where f.customer_id = r.customer_id and f.market = r.market and f.auction = ${gate.auction} and f.day = ${day})
    group by r.customer_id, c.name`

/** Notifies the operator once: an empty bid file is claimed in the transaction of the mail. */
export const reportMissedGates = async (app: Omit<PlacingApp, 'readings'>): Promise<number> => {
  const nowMs = app.clock.now()
  let reported = 0
  for (const gate of await app.records.system((tx) => findGates(tx)))
    for (const day of closedDays(gate, nowMs, nowMs - reportedWithinMs).filter((one) => gateMs(gate, one) <= nowMs))
      for (const { customer_id, company, instances } of await app.records.system((tx) => findMissed(tx, gate, day)))
        reported += await app.records.tenant(customer_id, async (tx) => {
          const { market, auction } = gate
          const file = { customer_id, market, auction, day, file_id: newId(nowMs), sent_at: new Date(nowMs) }
          if (!(await claimFile(tx, file))) return 0
          const letter = gateMissed({ company, market, auction, day, gateMs: gateMs(gate, day), instances })
          await queueMail(tx, operator(app.config, customer_id), letter, { nowMs })
          await writeAudit(tx, customer_id, nowMs, {
            who: 'Gridmast',
            action: 'bid-request.miss',
            subject: `${market} ${day}`,
            after: { market, auction, day, instances },
          })
          return 1
        })
  return reported
}

export const placingJob: Job<App> = {
  name: 'place-bids',
  cron: '* * * * *',
  atStart: true,
  run: async (app) => {
    await placeDue(app)
    await reportMissedGates(app)
  },
}
