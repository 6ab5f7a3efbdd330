import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { unsubscribe } from '@gridmast/contract/people/email-subscriptions.ts'
import {
  dashboardOf,
  intervalsOf,
  isOfFixedDays,
  type ReportPath,
  reportSources,
} from '@gridmast/contract/people/report-sources.ts'
import * as contract from '@gridmast/contract/people/reports.ts'
import { readXlsx } from 'hucre'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { routes } from '#app.ts'
import type { Mail } from '#platform/messaging/mail.ts'
import { openTestApp } from '#testing/app.ts'
import { addChargers } from '#testing/chargers.ts'
import { sendDueReports } from './send.ts'

const app = await openTestApp()
const now = '2026-11-23T06:00:00Z' // Monday, 07:00
app.setNow(now)
const [sudoer = '', expert = '', auditor = '', west = ''] = await Promise.all(
  ['sudoer@north.example', 'expert@north.example', 'auditor@north.example', 'sudoer@west.example'].map((email) =>
    app.tokenOf(email),
  ),
)
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow(now)
  await app.byHand(async (tx) => {
    for (const table of ['report', 'outbox', 'address_confirmation'] as const) await tx.deleteFrom(table).execute()
    await tx.updateTable('app_user').set({ enabled: true }).execute()
  })
})

const form = {
  name: 'Audit of the week',
  address: '/client/audit?changes=only&startDate=2026-01-01&endDate=2026-01-02&limit=15&skip=30',
  emails: ['books@north.example'],
  every: 'weekly' as const,
  time: '08:00',
  format: 'xlsx' as const,
  skipEmpty: false,
}
const add = (more: object = {}, token = sudoer) => app.ask(contract.addReport, { token, body: { ...form, ...more } })
const added = async (more: object = {}, token = sudoer) => {
  const { status, body } = await add(more, token)
  expect([status, body.message]).toEqual([200, m.reportSaved])
  return body.data.report
}
/** A session ends after an idle hour of the test's clock. */
const signedIn = () => app.tokenOf('sudoer@north.example')
const find = async (token?: string) =>
  (await app.data(contract.findReports, { token: token ?? (await signedIn()) })).reports
const run = () => sendDueReports(app, routes)
const mails = async () => {
  const { rows } = await app.byHand((tx) =>
    sql<{ payload: Mail }>`select payload from outbox where kind = 'mail' order by payload ->> 'to'`.execute(tx),
  )
  return rows.map(({ payload }) => payload).filter(({ subject }) => !subject.startsWith('Confirm'))
}
/** A minute later by the clock of the test. */
const sendNow = async (id: string, token = sudoer) => {
  app.setNow(new Date(app.clock.now() + 60_000).toISOString())
  const { status } = await app.ask(contract.sendReport, { token, params: { id } })
  return status
}
const lastResult = async () => (await find())[0]?.last?.result

test('a report is sent at its local time, of the previous week, and once', async () => {
  const report = await added()
  expect(report).toMatchObject({ owner: 'sudoer@north.example', editable: true, waiting: false, last: null })
  expect(report.nextAt).toBe('2026-11-23T07:00:00.000Z')
  await run()
  expect(await mails()).toEqual([])
  app.setNow('2026-11-23T07:00:10Z')
  await Promise.all([run(), run()])
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect([mail?.to, mail?.subject]).toEqual(['books@north.example', 'Report: Audit of the week, North'])
  expect(mail?.text).toContain('16.11.2026 – 22.11.2026')
  expect(mail?.unsubscribe).toContain('/auth/unsubscribe/report-')
  expect((await find())[0]).toMatchObject({
    nextAt: '2026-11-30T07:00:00.000Z',
    last: { at: '2026-11-23T07:00:10.000Z', result: 'empty' },
  })
  const [entry] = await app.trail('report.send')
  expect(entry).toMatchObject({ who: 'Gridmast', subject: form.name, after: { readers: form.emails, result: 'empty' } })
})

test('the file has the rows of the list, without its page, as a sheet or a document', async () => {
  const list = { name: 'Recipients', every: 'daily' }
  const address = `/client/email-subscription?eventType=fcr_based&limit=1`
  await app.byHand((tx) =>
    sql`insert into email_subscription (customer_id, subscription_id, email, event_type, instance_id, activation, bid_result, created_at)
      select i.customer_id, gen_random_uuid(), 'reader' || n || '@north.example', 'fcr_based', i.instance_id, true, false, now()
      from (select i.* from instance i join customer c using (customer_id) where c.key = 'north' limit 1) i cross join generate_series(1, 3) n`.execute(
      tx,
    ),
  )
  const report = await added({ ...list, address, format: 'xlsx' })
  const pdf = await added({ ...list, address, format: 'pdf', emails: ['print@north.example'] })
  for (const { _id } of [report, pdf]) await sendNow(_id)
  expect((await find()).map(({ waiting }) => waiting)).toEqual([true, true])
  await run()
  const [sheet, document] = await mails()
  const [file] = sheet?.attachments ?? []
  const base64 = file && 'base64' in file ? file.base64 : ''
  const { sheets } = await readXlsx(Buffer.from(base64, 'base64'))
  expect(file?.name).toBe('Email_subscriptions.xlsx')
  expect(sheets[0]?.rows.slice(1).map((row) => row[1])).toEqual([1, 2, 3].map((n) => `reader${n}@north.example`))
  const [drawn] = document?.attachments ?? []
  expect(drawn?.name).toBe('Email_subscriptions.pdf')
  expect(Buffer.from(drawn && 'base64' in drawn ? drawn.base64 : '', 'base64').toString('latin1', 0, 5)).toBe('%PDF-')
  expect((await find()).map(({ waiting, last }) => [waiting, last?.result])).toEqual([
    [false, 'sent'],
    [false, 'sent'],
  ])
  await app.byHand((tx) => tx.deleteFrom('email_subscription').execute())
})

test('a report of nothing says so in one sentence, or is skipped', async () => {
  const { _id } = await added({ address: '/client/data/event', every: 'daily', name: 'Events' })
  await sendNow(_id)
  await run()
  const [mail] = await mails()
  expect(mail?.text).toContain('There was nothing to report for 22.11.2026.')
  expect(mail?.attachments).toEqual([])
  await app.ask(contract.changeReport, { token: sudoer, params: { id: _id }, body: { skipEmpty: true } })
  await sendNow(_id)
  await run()
  expect([(await mails()).length, await lastResult()]).toEqual([1, 'skipped'])
})

test('R1 it is sent with the rights that its owner has then: a lost right and a disabled owner', async () => {
  const own = await added({ address: '/client/data/event', name: 'Mine' }, expert)
  const owner = (set: object) =>
    app.byHand((tx) => tx.updateTable('app_user').set(set).where('email', '=', 'expert@north.example').execute())
  await app.byHand((tx) => sql`update report set address = ${form.address} where report_id = ${own._id}`.execute(tx))
  expect(await sendNow(own._id)).toBe(200)
  await run()
  expect([(await mails()).length, await lastResult()]).toEqual([0, 'no-right'])
  await owner({ enabled: false })
  await sendNow(own._id)
  await run()
  expect([(await mails()).length, await lastResult()]).toEqual([0, 'owner-gone'])
  // Events are read by an auditor too, reports are not made by one.
  await app.byHand((tx) =>
    sql`update report set address = '/client/data/event' where report_id = ${own._id}`.execute(tx),
  )
  await owner({ enabled: true, role: 'auditor' })
  await sendNow(own._id)
  await run()
  expect([(await mails()).length, await lastResult()]).toEqual([0, 'no-right'])
  await owner({ role: 'expert' })
})

test('T1 R1 reports are of one company, and changed by their owner or a sudoer only', async () => {
  const { _id } = await added()
  expect(await find(west)).toEqual([])
  expect((await find(expert)).map(({ editable }) => editable)).toEqual([false])
  for (const [token, status] of [
    [west, 404],
    [expert, 403],
    [auditor, 403],
  ] as const) {
    const request = { token, params: { id: _id } }
    expect((await app.ask(contract.changeReport, { ...request, body: { paused: true } })).status).toBe(status)
    expect((await app.ask(contract.sendReport, request)).status).toBe(status)
    expect((await app.ask(contract.removeReport, request)).status).toBe(status)
  }
  const mine = await added({ address: '/client/data/event', name: 'Mine' }, expert)
  expect(
    (await app.ask(contract.changeReport, { token: sudoer, params: { id: mine._id }, body: { paused: true } })).status,
  ).toBe(200)
  expect((await add({}, expert)).status).toBe(403)
  const foreign = await app.byHand((tx) =>
    tx
      .selectFrom('instance as i')
      .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
      .select('i.instance_id')
      .where('c.key', '=', 'west')
      .executeTakeFirstOrThrow(),
  )
  const stolen = await added({
    address: `/client/data/set-point?instanceId=${foreign.instance_id}`,
    every: 'daily',
    name: 'A',
  })
  await sendNow(stolen._id)
  await run()
  expect([(await mails()).length, await lastResult()]).toEqual([0, 'not-available'])
})

test.each<[string, object, object]>([
  ['another call', { address: '/client/webhook' }, { address: m.reportNotSendable }],
  ['a whole address', { address: 'https://x.example/client/audit' }, { address: m.reportNotSendable }],
  ['an unknown filter', { address: '/client/audit?colour=red' }, { colour: m.unknownField('colour') }],
  ['a chart by the week', { address: '/client/data/frequency/x', every: 'weekly' }, { every: m.reportOfDay }],
  ['a month by the day', { address: '/client/evc/statement', every: 'daily' }, { every: m.reportOfMonth }],
  ['24:00', { time: '24:00' }, { time: m.time }],
  ['a header in an address', { emails: ['a@b.example\r\nBcc: x@y.example'] }, { 'emails.0': m.email }],
  ['no recipient', { emails: [] }, { emails: m.required }],
  ['no name', { name: ' ' }, { name: m.required }],
])('R3 %s is refused', async (_, more, errors) => {
  const { status, body } = await add(more)
  expect([status, body.errors]).toEqual([400, errors])
  expect(await find()).toEqual([])
})

test('L1 a company has a limit of reports', async () => {
  await app.byHand((tx) =>
    sql`insert into report (customer_id, report_id, owner_id, name, address, every, at_time, format, skip_empty, next_at)
      select customer_id, gen_random_uuid(), user_id, 'R', '/client/data/event', 'daily', '07:00', 'xlsx', false, '2030-01-01'
      from app_user cross join generate_series(1, ${limits.reports}) where email = 'sudoer@north.example'`.execute(tx),
  )
  expect((await add()).body.message).toBe(m.tooManyReports(limits.reports))
})

test('an address outside the company waits for its confirmation, and the link of a mail stops it', async () => {
  const { _id, readers } = await added({ emails: ['books@north.example', 'bank@other.example'] })
  expect(readers).toEqual([{ email: 'bank@other.example', unconfirmed: true }, { email: 'books@north.example' }])
  const sent = async () => {
    await sendNow(_id)
    await run()
    return mails()
  }
  const [mail, ...more] = await sent()
  expect([mail?.to, more]).toEqual(['books@north.example', []])
  const id = mail?.unsubscribe?.split('/').at(-1) ?? ''
  expect((await app.ask(unsubscribe, { body: { id } })).status).toBe(200)
  expect((await app.ask(unsubscribe, { body: { id } })).status).toBe(401)
  expect((await sent()).length).toBe(1)
  expect(await lastResult()).toBe('no-recipients')
  expect((await app.trail('report.unsubscribe')).at(-1)).toMatchObject({
    who: 'books@north.example',
    subject: form.name,
  })
})

test('a paused report is not sent and starts again with its next time', async () => {
  const { _id } = await added()
  const change = async (body: object) =>
    app.ask(contract.changeReport, { token: await signedIn(), params: { id: _id }, body })
  await change({ paused: true })
  app.setNow('2026-12-14T12:00:00Z')
  await run()
  expect([await mails(), (await find())[0]?.nextAt]).toEqual([[], null])
  await change({ paused: false, every: 'monthly', time: '09:15' })
  expect((await find())[0]?.nextAt).toBe('2027-01-01T08:15:00.000Z')
})

test('a failure is retried, then stated, and delays no other report', async () => {
  await added({ name: 'A' })
  await added({ name: 'B', address: '/client/data/event' })
  app.setNow('2026-11-23T07:00:10Z')
  const broken = routes.map((one) =>
    one.call.path === '/client/audit' ? { ...one, handle: () => Promise.reject(new Error('broken')) } : one,
  )
  for (let tries = 0; tries < 5; tries++) {
    await sendDueReports(app, broken)
    app.setNow(new Date(app.clock.now() + 3 * 3_600_000).toISOString())
  }
  const [a, b] = await find()
  expect([a?.last?.result, a?.waiting, a?.nextAt]).toEqual(['failed', false, '2026-11-30T07:00:00.000Z'])
  expect([b?.last?.result, (await mails()).length]).toEqual(['empty', 1])
})

test('a request that failed is sent again, of the same days, also while its report is paused; a minute apart', async () => {
  const { _id } = await added({ address: '/client/data/event', every: 'monthly', name: 'Events' })
  await app.ask(contract.changeReport, { token: sudoer, params: { id: _id }, body: { paused: true } })
  expect(await sendNow(_id)).toBe(200)
  const slow = routes.map((one) =>
    one.call.path === '/client/data/event'
      ? { ...one, handle: () => Promise.reject(Object.assign(new Error('Query read timeout'), { code: '57014' })) }
      : one,
  )
  await sendDueReports(app, slow)
  expect([(await find())[0]?.waiting, (await mails()).length]).toEqual([true, 0])
  app.setNow(new Date(app.clock.now() + 6 * 60_000).toISOString())
  await run()
  const [mail] = await mails()
  expect(mail?.text).toContain('for 01.10.2026 – 31.10.2026.')
  expect((await app.ask(contract.sendReport, { token: sudoer, params: { id: _id } })).status).toBe(429)
})

test('each export that can be sent is a call with a file, and its query has the days of a report', () => {
  const wrong = (Object.keys(reportSources) as ReportPath[]).filter((path) => {
    const ofPath = routes.filter((one) => one.call.path === path).map((one) => one.call)
    const call = ofPath.find((one) => one.query && 'format' in one.query.shape)
    const names = Object.keys({ ...call?.query?.shape, ...call?.body?.shape })
    const days = { range: ['startDate', 'endDate'], day: ['date'], month: ['month'], kept: ['start', 'end'], none: [] }[
      reportSources[path]
    ]
    return !names.includes('format') || !days.every((name) => names.includes(name)) || intervalsOf(path).length === 0
  })
  expect(wrong).toEqual([])
})

const signalIds = async () => {
  const { rows } = await app.byHand((tx) =>
    sql<{ key: string; instance: string; frequency: string }>`
      select c.key, min(i.instance_id::text) as instance, min(f.frequency_id::text) as frequency
      from customer c join instance i using (customer_id) join frequency_signal f using (customer_id) group by c.key`.execute(
      tx,
    ),
  )
  return (key: string) => rows.find((row) => row.key === key) ?? { key, instance: '', frequency: '' }
}

test('a dashboard is one report: a sheet or a section for each card, without those that are gone', async () => {
  const of = (await signalIds())('north')
  await app.byHand((tx) =>
    sql`insert into email_subscription (customer_id, subscription_id, email, event_type, instance_id, activation, bid_result, created_at)
      select customer_id, gen_random_uuid(), 'card@north.example', 'fcr_based', instance_id, true, false, now()
      from instance where instance_id = ${of.instance}`.execute(tx),
  )
  const address = dashboardOf([
    `/client/data/frequency/${of.frequency}?date=2026-01-01`,
    '/client/email-subscription?eventType=fcr_based',
    '/client/data/event?eventType=fcr_based&limit=10',
    '/client/email-subscription?eventType=fcr_based',
  ])
  const dashboard = { name: 'Home', every: 'daily', address }
  const sheet = await added({ ...dashboard, format: 'xlsx' })
  const pdf = await added({ ...dashboard, format: 'pdf', emails: ['print@north.example'] })
  for (const { _id } of [sheet, pdf]) await sendNow(_id)
  await run()
  const [first, second] = await mails()
  const [file, drawn] = [first?.attachments?.[0], second?.attachments?.[0]]
  expect([file?.name, drawn?.name]).toEqual(['Home_2026-11-22.xlsx', 'Home_2026-11-22.pdf'])
  expect(first?.text).toContain('for 22.11.2026')
  const { sheets } = await readXlsx(Buffer.from(file && 'base64' in file ? file.base64 : '', 'base64'))
  expect(sheets.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^Frequency/),
    'Email subscriptions',
    expect.stringMatching(/^Activation events/i),
    'Email subscriptions 2',
  ])
  for (const at of [1, 3]) expect(JSON.stringify(sheets[at]?.rows)).toContain('card@north.example')
  expect(Buffer.from(drawn && 'base64' in drawn ? drawn.base64 : '', 'base64').toString('latin1', 0, 5)).toBe('%PDF-')

  await app.byHand((tx) => sql`update report set address = replace(address, ${of.frequency}, ${sheet._id})`.execute(tx))
  await app.byHand((tx) => tx.deleteFrom('outbox').execute())
  await sendNow(sheet._id, await signedIn())
  await run()
  const [later] = await mails()
  expect(later?.text).toContain('One card is not available and is left out.')
  const [less] = later?.attachments ?? []
  const read = await readXlsx(Buffer.from(less && 'base64' in less ? less.base64 : '', 'base64'))
  expect(read.sheets.map(({ name }) => name)).not.toContain(sheets[0]?.name)
  expect(read.sheets).toHaveLength(3)
  await app.byHand((tx) => tx.deleteFrom('email_subscription').execute())
})

test('the days of the charge fleet are those of its screen: fixed ones stay, relative ones move with the day', async () => {
  const periodOf = async (query: string) => {
    await app.byHand(async (tx) => {
      for (const table of ['report', 'outbox'] as const) await tx.deleteFrom(table).execute()
    })
    const address = `/client/cfm/dashboard?${query}&by=day`
    const token = await signedIn()
    const { _id } = await added({ name: 'Fleet', every: 'weekly', address }, token)
    await sendNow(_id, token)
    await run()
    const [file] = (await mails())[0]?.attachments ?? []
    const { sheets } = await readXlsx(Buffer.from(file && 'base64' in file ? file.base64 : '', 'base64'))
    const [about, , , ...days] = sheets[0]?.rows ?? []
    return [about?.[1], days.length]
  }
  await addChargers(app.records, [{ identity: 'fleet', customer: 'north' }])
  const fixed = 'start=2026-10-31T23:00:00.000Z&end=2026-11-05T23:00:00.000Z'
  expect(await periodOf(fixed)).toEqual(['01.11.2026 to 05.11.2026', 5])
  expect(await periodOf('range=7d')).toEqual(['16.11.2026 to 23.11.2026', 8])
  expect(await periodOf('days=7')).toEqual(['17.11.2026 to 23.11.2026', 7])
  app.setNow('2026-11-30T06:00:00Z')
  expect(await periodOf('range=month')).toEqual(['01.11.2026 to 30.11.2026', 30])
  expect(await periodOf(fixed)).toEqual(['01.11.2026 to 05.11.2026', 5])
})

test('a range of the charge fleet replaces the fixed days of its address', async () => {
  const address = '/client/cfm/dashboard?range=7d&start=2026-10-31T23:00:00Z&end=2026-11-05T23:00:00Z&chart=energy'
  const kept = '/client/cfm/dashboard?range=7d&chart=energy'
  expect((await added({ name: 'Fleet', every: 'weekly', address })).address).toBe(kept)
  const dashboard = await added({ name: 'All', every: 'daily', address: dashboardOf([address, kept]) })
  expect(dashboard.address).toBe(dashboardOf([kept, kept]))
  expect([isOfFixedDays(address), isOfFixedDays(address.replace('range=7d', 'days=7'))]).toEqual([false, true])
})

test('each chart of the charge fleet is a table of a report, and a file, under its own title', async () => {
  const token = await signedIn()
  const of = (chart: string) => `/client/cfm/dashboard?days=7&chart=${chart}`
  const both = { name: 'Charging', every: 'daily', address: dashboardOf([of('sessions'), of('energy')]) }
  const one = {
    name: 'Charging',
    every: 'daily',
    address: of('energy'),
    format: 'pdf',
    emails: ['print@north.example'],
  }
  for (const report of [both, one]) await sendNow((await added(report, token))._id, token)
  await run()
  const files = (await mails()).flatMap(({ attachments = [] }) => attachments)
  const sheet = files.find(({ name }) => name.endsWith('.xlsx'))
  const { sheets } = await readXlsx(Buffer.from(sheet && 'base64' in sheet ? sheet.base64 : '', 'base64'))
  expect(sheets.map(({ name, rows }) => [name, rows.find(([first]) => first === 'Date')])).toEqual([
    ['Sessions by day', ['Date', 'Charging sessions']],
    ['Energy by day', ['Date', 'Energy (kWh)']],
  ])
  expect(files.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^Energy_by_day_.*\.pdf$/))
})

test('revenue, energy now and faults of home are parts of its report', async () => {
  const address = dashboardOf([
    '/client/data/revenue?startDate=2026-11-01&endDate=2026-11-30',
    '/client/data/energy-now',
    '/client/alert/fault',
  ])
  const { _id } = await added({ name: 'Home', every: 'daily', address })
  await sendNow(_id)
  await run()
  const [file] = (await mails())[0]?.attachments ?? []
  const { sheets } = await readXlsx(Buffer.from(file && 'base64' in file ? file.base64 : '', 'base64'))
  expect(sheets.map(({ name }) => name)).toEqual(['Revenue', 'Energy now', 'Faults and alerts'])
  expect(sheets[0]?.rows[0]?.slice(0, 2)).toEqual(['Period', '22.11.2026 to 22.11.2026'])
  expect(JSON.stringify(sheets[2]?.rows)).toContain('Edge not reporting')
})

test('T1 L1 a dashboard has cards of its company that can be sent at its interval, and at most 12', async () => {
  const ids = await signalIds()
  const day = (key: string) => `/client/data/set-point?instanceId=${ids(key).instance}`
  const events = '/client/data/event'
  const statusOf = async (parts: string[], every = 'daily') =>
    (await add({ address: dashboardOf(parts), every })).status
  expect(await statusOf([events, day('north')])).toBe(200)
  expect(await statusOf([events], 'monthly')).toBe(200)
  expect(await statusOf([events, day('north')], 'weekly')).toBe(400)
  expect(await statusOf([])).toBe(400)
  expect(await statusOf([events, '/client/webhook'])).toBe(400)
  expect(await statusOf([dashboardOf([events])])).toBe(400)
  expect(await statusOf(Array.from({ length: limits.reportParts + 1 }, () => events))).toBe(400)
  const { _id } = await added({ address: dashboardOf([day('west')]), every: 'daily' })
  await sendNow(_id, await signedIn())
  await run()
  const last = (await find()).find((report) => report._id === _id)?.last
  expect([(await mails()).length, last?.result]).toEqual([0, 'not-available'])
})

test('the download of meters is sent with the days of its report', async () => {
  const meter = '018f0000-0000-7000-8000-000000000000'
  const { _id } = await added({ address: `/client/data-hub/download?devices=${meter}`, every: 'daily' })
  await sendNow(_id)
  await run()
  expect(await lastResult()).toBe('not-available')
})
