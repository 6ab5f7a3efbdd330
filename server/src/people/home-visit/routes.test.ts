import { noteVisit } from '@gridmast/contract/people/home-visit.ts'
import { afterAll, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRow } from '#testing/rows.ts'

const app = await openTestApp()
afterAll(() => app.close())
const system = { system: app.byHand }
const auditor = await app.tokenOf('auditor@north.example')
const start = Date.parse('2026-11-20T08:00:00Z')
const customer_id = idOf('customer', 'north')
const instance_id = idOf('instance', 'north', 'cold')

const visitAt = (minutes: number, token = auditor) => {
  app.setNow(new Date(start + minutes * 60_000).toISOString())
  return app.data(noteVisit, { token })
}
const at = (minutes: number) => new Date(start + minutes * 60_000)

const activate = (minutes: number) =>
  addRows(system, 'event', {
    customer_id,
    event_id: newId(),
    instance_id,
    market: 'FCR-D-INC',
    event_type: 'fcr_based',
    source: 'telemetry',
    direction: 'increased',
    started_at: at(minutes),
    ended_at: at(minutes + 1),
    capacity_kw: 400,
    capacity_source: 'sold',
    is_final: true,
    late: false,
  })

const decide = async (minutes: number, slot: number, won: boolean) => {
  const { licence_id } = await storedRow(app.records, 'instance', { instance_id }, ['licence_id'])
  const request_id = newId()
  await addRows(system, 'bid_request', {
    customer_id,
    instance_id,
    licence_id,
    request_id,
    market: 'FCR-D-INC',
    status: 'placed',
    note: '',
    excluded_days: '[]',
    start_date: '2026-11-20',
    end_date: '2026-11-20',
    custom_bidding: true,
    capacity_mw: [],
    price_eur: [],
    created_at: at(0),
    updated_at: at(0),
  })
  await addRows(system, 'bid', {
    customer_id,
    instance_id,
    request_id,
    market: 'FCR-D-INC',
    product: 'FCR-D-INC',
    auction: 'D-1 early',
    day: '2026-11-20',
    slot,
    starts_at: at(slot * 60),
    ends_at: at(slot * 60 + 60),
    capacity_mw: '0.1',
    price_eur: '1',
    sent_at: at(0),
    decided_at: at(minutes),
    decided_by: 'price',
    won,
    won_mw: won ? '0.1' : null,
  })
}

test('the first visit has nothing to compare with; a gap of 30 minutes ends a visit, a shorter one does not', async () => {
  expect((await visitAt(0)).since).toBe(null)
  expect((await visitAt(29)).since).toBe(null)
  expect((await visitAt(59)).since).toBe(at(29).toISOString())
  expect((await visitAt(80)).since).toBe(at(29).toISOString())
  expect((await visitAt(110)).since).toBe(at(80).toISOString())
})

test('counts what happened after the end of the previous visit, each by the list that shows it', async () => {
  await activate(75)
  await activate(115)
  await activate(116)
  await decide(100, 3, true)
  await decide(118, 4, true)
  await decide(118, 5, false)
  await visitAt(110)
  expect(await visitAt(150)).toEqual({
    since: at(110).toISOString(),
    events: [{ market: 'FCR-D-INC', count: 2 }],
    alerts: [],
    settlements: null,
    bids: [{ market: 'FCR-D-INC', won: 1, lost: 1 }],
    differences: [],
  })
})

test('a visit of long ago is limited to the last 31 days', async () => {
  await changeRows(system, 'home_visit', { customer_id }, { seen_at: at(-60 * 24 * 60) })
  expect((await visitAt(151)).since).toBe(at(151 - 31 * 24 * 60).toISOString())
})

test('R1 T1 each person has visits of its own, sees what the role may read, and nothing of another company', async () => {
  const custom = await app.tokenOf('custom@north.example')
  const west = await app.tokenOf('sudoer@west.example')
  for (const token of [custom, west]) {
    await visitAt(0, token)
    expect((await visitAt(40, token)).since).toBe(at(0).toISOString())
  }
  const seen = await visitAt(119, custom)
  expect([seen.events, seen.bids, seen.settlements]).toEqual([[{ market: 'FCR-D-INC', count: 3 }], [], null])
  expect(await visitAt(119, west)).toMatchObject({ events: [], bids: [], alerts: [] })
})
