import * as contract from '@gridmast/contract/charging/charge-fleet.ts'
import { findChargerTags } from '@gridmast/contract/charging/tags.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds, hourMs, today } from '@gridmast/contract/time.ts'
import { writeXlsx } from 'hucre'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows } from '#testing/rows.ts'
import { addChargers } from '#testing/chargers.ts'

const customerId = (key: string) => idOf('customer', key)

const app = await openTestApp()
const token = await app.tokenOf('sudoer@north.example')
const auditor = await app.tokenOf('auditor@north.example')
afterAll(() => app.close())

const chargerId = (identity: string, key = 'north') => idOf('charger', key, identity)

type Made = { identity: string; key?: string; online?: boolean; seen?: boolean; state?: string; ageH?: number }

const addCharger = async ({
  identity,
  key = 'north',
  online = true,
  seen = true,
  state = 'available',
  ageH = 240,
}: Made) => {
  await addChargers(app.records, [{ identity, customer: key }])
  const own = { customer_id: customerId(key), charger_id: chargerId(identity, key) }
  const created_at = new Date(Date.now() - ageH * hourMs)
  await changeRows(app.records, 'charger', own, { online, last_seen_at: seen ? new Date() : null, created_at })
  const connector = { ...own, evse_no: 1, connector_no: 0, state, error: 'GroundFailure', state_at: new Date() }
  await addRows(app.records, 'charger_connector', connector)
}

type Session = { identity: string; key?: string; fromMs: number; toMs: number | null; wh: number; refused?: boolean }

const addSession = ({ identity, key = 'north', fromMs, toMs, wh, refused = false }: Session) =>
  addRows(app.records, 'charger_transaction', {
    customer_id: customerId(key),
    transaction_id: newId(),
    charger_id: chargerId(identity, key),
    evse_no: 1,
    mode: 'tag',
    state: toMs === null ? 'active' : 'ended',
    started_at: new Date(fromMs),
    refused,
    ended_at: toMs === null ? null : new Date(toMs),
    consumption_wh: wh.toFixed(3),
  })

describe('the dashboard', () => {
  const read = async (days = 10) =>
    await app.data(contract.fleetDashboard, { token: auditor, query: { days: String(days) } })
  const lateMs = () => Math.max(dayBounds(today(Date.now())).fromMs, Date.now() - hourMs)
  beforeAll(async () => {
    await addCharger({ identity: 'busy', state: 'charging' })
    await addCharger({ identity: 'broken', state: 'faulted' })
    await addCharger({ identity: 'away', online: false })
    await addCharger({ identity: 'fresh', online: false, seen: false })
    await addCharger({ identity: 'theirs', key: 'west', state: 'faulted' })
    const now = Date.now()
    await addSession({ identity: 'busy', fromMs: now - 50 * hourMs, toMs: now - 40 * hourMs, wh: 20_000 })
    await addSession({ identity: 'busy', fromMs: lateMs(), toMs: null, wh: 4000 })
    await addSession({ identity: 'busy', fromMs: lateMs(), toMs: lateMs() + 1, wh: 90_000, refused: true })
    await addSession({ identity: 'busy', fromMs: now - 400 * hourMs, toMs: now - 390 * hourMs, wh: 70_000 })
    await addSession({ identity: 'theirs', key: 'west', fromMs: now - 2 * hourMs, toMs: now, wh: 5000 })
  })

  test('T2 the dashboard lists the chargers of the customer with state, sessions, energy and utilisation, without refused and older sessions', async () => {
    const { chargers, running, today: day, sessionsData, energyData } = await read()
    expect(chargers.map(({ name }) => name).toSorted()).toEqual(['away', 'broken', 'busy', 'fresh'])
    const busy = chargers.find(({ name }) => name === 'busy')
    expect(busy).toMatchObject({
      sessions: 2,
      energyKwh: 24,
      meta: { isActive: true },
      connectors: [{ state: 'charging' }, { state: 'unknown' }],
    })
    const thereH =
      (Date.now() - Math.max(Date.now() - 240 * hourMs, dayBounds(today(Date.now() - 9 * 24 * hourMs)).fromMs)) / hourMs
    expect(busy?.utilisation).toBeGreaterThanOrEqual(10 / (2 * thereH) - 0.001)
    expect(busy?.utilisation).toBeLessThanOrEqual(11 / (2 * thereH) + 0.001)
    expect(running).toBe(1)
    expect(day).toEqual({ sessions: 1, energyKwh: 4 })
    expect(sessionsData[0]?.x).toHaveLength(10)
    expect(sessionsData[0]?.y.at(-1)).toBe(1)
    expect(energyData[0]?.y.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(24)
  })

  test('the local days of a range, which today is no part of', async () => {
    const date = today(Date.now())
    const query = {
      start: new Date(dayBounds(date).fromMs - 300 * hourMs).toISOString(),
      end: new Date(dayBounds(date).fromMs).toISOString(),
    }
    const data = await app.data(contract.fleetDashboard, { token: auditor, query })
    expect(data.today).toEqual({ sessions: 1, energyKwh: 4 })
    expect(data.sessionsData[0]?.x).toHaveLength(13)
    expect(data.sessionsData[0]?.y.filter((n) => n)).toEqual([1])
    expect(data.chargers.find(({ name }) => name === 'busy')).toMatchObject({ sessions: 1, energyKwh: 20 })
  })

  test('faulted, offline and never connected chargers need attention, with the reason', async () => {
    const { attention } = await read()
    expect(attention).toHaveLength(4)
    for (const row of [
      { name: 'broken', reason: 'faulted', connectorId: 1, detail: 'GroundFailure' },
      { name: 'away', reason: 'offline', since: expect.any(String) },
      { name: 'fresh', reason: 'never-connected', since: null },
      { name: 'busy', reason: 'charged-refused', detail: '90', transactionId: expect.any(String) },
    ])
      expect(attention).toContainEqual(expect.objectContaining(row))
  })

  test('the utilisation of a charger registered after its first sessions is measured from those on', async () => {
    await addCharger({ identity: 'told', ageH: 1 })
    const now = Date.now()
    await addSession({ identity: 'told', fromMs: now - 50 * hourMs, toMs: now - 40 * hourMs, wh: 20_000 })
    const { chargers, month, costs } = await read()
    expect(chargers.find(({ name }) => name === 'told')?.utilisation).toBeCloseTo(10 / (2 * 50), 3)
    expect(costs).toMatchObject({ sessions: month.sessions, kwh: month.energyKwh, dkk: '0.00' })
    expect(costs.kwhWithoutCost).toBe(costs.kwh)
  })

  test('the dashboard has the previous month up to the same day, its margin, and the chargers as a file', async () => {
    const { before, costs } = await read()
    const date = today(Date.now())
    expect(before.until < date && before.until.slice(0, 7) !== date.slice(0, 7)).toBe(true)
    expect(Number(before.until.slice(8))).toBeLessThanOrEqual(Number(date.slice(8)))
    expect([before.costs.marginDkk, costs.marginDkk]).toEqual([null, null])
    const file = await app.ask(contract.fleetDashboard, { token: auditor, query: { days: '10', format: 'csv' } })
    const [head, ...rows] = file.text.trim().split(/\r?\n/)
    expect(head).toContain('Utilisation (%)')
    expect(rows).toHaveLength((await read()).chargers.length)
  })

  test('T1 the days as a file, also those of a range until now, of the own company only', async () => {
    const fileOf = async (of: string, query: Record<string, string>) => {
      const { text } = await app.ask(contract.fleetDashboard, {
        token: of,
        query: { ...query, by: 'day', format: 'csv' },
      })
      return text.trim().split(/\r?\n/)
    }
    const [head, ...days] = await fileOf(auditor, { days: '10' })
    expect(head).toBe('Date,Charging sessions,Energy (kWh),Period')
    const { sessionsData, energyData } = await read()
    expect(days.map((line) => line.split(',').slice(1, 3).map(Number))).toEqual(
      sessionsData[0]?.y.map((sessions, i) => [sessions, energyData[0]?.y[i]]),
    )
    const sessionsOnly = await fileOf(auditor, { days: '10', chart: 'sessions' })
    expect(sessionsOnly[0]).toBe('Date,Charging sessions,Period')
    expect(sessionsOnly.slice(1).map((line) => Number(line.split(',')[1]))).toEqual(sessionsData[0]?.y)
    const energyOnly = await fileOf(auditor, { days: '10', chart: 'energy' })
    expect(energyOnly[0]).toBe('Date,Energy (kWh),Period')
    expect(energyOnly.slice(1).map((line) => Number(line.split(',')[1]))).toEqual(energyData[0]?.y)
    const before = today(Date.now())
    const month = await fileOf(auditor, { range: 'month' })
    // The test may run over midnight.
    const dates = [before, today(Date.now())]
    expect(dates.map((date) => `${date.slice(0, 7)}-01`)).toContain(month[1]?.slice(0, 10))
    expect(dates.map((date) => Number(date.slice(8)) + 1)).toContain(month.length)
    const both = { range: 'month', start: '2025-01-01T00:00:00Z', end: '2025-02-01T00:00:00Z' }
    expect((await fileOf(auditor, both))[1]?.slice(0, 8)).toBe(month[1]?.slice(0, 8))
    const west = await fileOf(await app.tokenOf('auditor@west.example'), { days: '10' })
    expect(west.slice(1).reduce((sum, line) => sum + Number(line.split(',')[2]), 0)).toBe(5)
    const wrong = { token, query: { range: '2y' } }
    expect((await app.ask(contract.fleetDashboard, wrong)).status).toBe(400)
  })

  test('a replayed session without an end is busy until its last reading and has no energy of the next session', async () => {
    await addCharger({ identity: 'replaying' })
    const now = Date.now()
    const id = { customer_id: customerId('north'), charger_id: chargerId('replaying'), evse_no: 1 }
    const unfinished = (hoursAgo: number, told_late: boolean, meter_start_wh: string) => ({
      ...id,
      transaction_id: newId(),
      mode: 'tag',
      state: 'active',
      started_at: new Date(now - hoursAgo * hourMs),
      told_late,
      meter_start_wh,
    })
    const reading = (hoursAgo: number, wh: string) => ({
      ...id,
      at: new Date(now - hoursAgo * hourMs),
      context: 'Sample.Periodic',
      wh,
    })
    await app.records.system(async (tx) => {
      await tx
        .insertInto('charger_transaction')
        .values([unfinished(70, true, '1000'), unfinished(50, true, '30000')])
        .execute()
      await tx
        .insertInto('charger_register')
        .values([reading(69, '3000'), reading(49, '34000'), reading(47, '38000')])
        .execute()
    })
    const told = async () => (await read()).chargers.find(({ name }) => name === 'replaying')
    const found = await told()
    expect(found).toMatchObject({ sessions: 2, energyKwh: 2 + 8 })
    const thereMs = (one: Awaited<ReturnType<typeof told>>) => (one?.utilisation ?? 0) * 2
    const share = thereMs(found)
    const sinceMs = Math.max(now - 240 * hourMs, dayBounds(today(now - 9 * 24 * hourMs)).fromMs)
    expect(share).toBeCloseTo((4 * hourMs) / (Date.now() - sinceMs), 3)
    await addRows(app.records, 'charger_transaction', unfinished(2, false, '38000'))
    expect(thereMs(await told())).toBeCloseTo((6 * hourMs) / (Date.now() - sinceMs), 3)
  })
})

describe('import of tags', () => {
  const send = (bytes: Uint8Array | string, save: boolean, as = token) =>
    app.ask(contract.importChargerTags, {
      token: as,
      body: { save },
      file: { field: 'file', name: 'tags.xlsx', bytes: new Uint8Array(Buffer.from(bytes)) },
    })
  const xlsx = (rows: (string | number | boolean)[][]) => writeXlsx({ sheets: [{ name: 'Tags', rows }] })
  const tags = async () =>
    (await app.data(findChargerTags, { token, query: { limit: '100' } }))[0]?.tags.map((one) => [
      one.name,
      one.tagID,
      one.groupData?.name ?? null,
      one.action,
    ])
  beforeEach(() =>
    app.byHand(async (tx) => {
      await tx.deleteFrom('charger_tag').execute()
      await tx.deleteFrom('charger_tag_group').execute()
    }),
  )

  test('C4 a preview changes nothing; a saved file creates and updates tags and groups and is on the trail', async () => {
    const file = await xlsx([
      ['Name', 'Tag ID', 'Group', 'Active'],
      ['Van 1', 'a1', 'Vans', 'yes'],
      ['Van 2', 4219, 'vans', 'no'],
      ['Guest', 'c3', '', ''],
    ])
    const preview = (await send(file, false)).body.data
    expect(preview).toMatchObject({ counts: { new: 3, changed: 0, same: 0, wrong: 0 }, saved: false })
    expect(preview.rows.map(({ line, tagID }) => [line, tagID])).toEqual([
      [2, 'A1'],
      [3, '4219'],
      [4, 'C3'],
    ])
    expect(await tags()).toEqual([])
    expect((await send(file, true)).body.data.saved).toBe(true)
    expect(await tags()).toEqual([
      ['Guest', 'C3', null, true],
      ['Van 1', 'A1', 'Vans', true],
      ['Van 2', '4219', 'Vans', false],
    ])
    const danish = await send('Navn;Tag-ID;Aktiv\r\nGuest 2;C3;nej\r\nVan 1;a1;ja\r\n', false)
    expect(danish.body.data.rows.map(({ kind }) => kind)).toEqual(['changed', 'changed'])
    expect((await send(file, false)).body.data.counts).toMatchObject({ same: 3 })
    expect(await app.trail('charger-tag.import')).toMatchObject([{ after: { added: 3, changed: 0, groups: ['Vans'] } }])
  })

  test('rows with errors list each error, and the other rows are saved', async () => {
    const csv = [
      'Tag ID;Name;Active;Group',
      ' ok1 ;Good;ja;',
      ';No id;ja;',
      'x1;;ja;',
      'OK1;Twice;ja;',
      `${'9'.repeat(limits.tagLength + 1)};Long;ja;`,
      'GM0123456789ABCDEF;Portal;ja;',
      'y2;Odd;perhaps;',
      ';;;',
    ].join('\r\n')
    const { rows, counts } = (await send(csv, true)).body.data
    expect(counts).toEqual({ new: 1, changed: 0, same: 0, wrong: 6 })
    expect(rows.map(({ line, errors }) => [line, errors])).toEqual([
      [2, {}],
      [3, { tagID: m.required }],
      [4, { name: m.required }],
      [5, { tagID: m.tagTwice }],
      [6, { tagID: m.longest(limits.tagLength) }],
      [7, { tagID: m.tagReserved }],
      [8, { action: m.activeWord }],
    ])
    expect(await tags()).toEqual([['Good', 'OK1', null, true]])
  })

  test('a csv in the Windows code page keeps its Danish letters', async () => {
    const { rows } = (await send(Buffer.from('Navn;Tag-ID\r\nKølebil Åse;A1\r\n', 'latin1'), false)).body.data
    expect(rows[0]?.name).toBe('Kølebil Åse')
  })

  test.each([
    ['no table', Buffer.from([0, 1, 2, 3, 0]), m.tableUnreadable],
    ['a broken sheet', Buffer.from('PK\u0003\u0004 and no more', 'latin1'), m.tableUnreadable],
    ['other columns', Buffer.from('a;b\r\n1;2\r\n'), m.tagColumns],
    ['no rows', Buffer.from('Name;Tag ID\r\n'), m.tableEmpty],
    [
      'too many rows',
      Buffer.from(`Name;Tag ID\r\n${'a;1\r\n'.repeat(limits.importedTags + 1)}`),
      m.tableTooLong(limits.importedTags),
    ],
  ])('L1 %s is refused with a message', async (_, bytes, sentence) => {
    const answer = await send(bytes, true)
    expect([answer.status, answer.body.errors]).toEqual([400, { file: sentence }])
    expect(await tags()).toEqual([])
  })

  test('L1 a sheet that unpacks to a hundred times the limit is refused before it is read', async () => {
    const packed = deflateRawSync(Buffer.alloc(900_000_000 / 10))
    const name = Buffer.from('xl/worksheets/sheet1.xml')
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(100, 24) // a wrong uncompressed size
    central.writeUInt16LE(name.length, 28)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(local.length + name.length + packed.length, 16)
    const bomb = Buffer.concat([local, name, packed, central, name, end])
    const answer = await send(bomb, false)
    expect([answer.status, answer.body.errors]).toEqual([400, { file: m.tableUnreadable }])
  })

  test('T2 tags of another customer with the same ID are unchanged', async () => {
    const west = await app.tokenOf('auditor@west.example')
    await addRows(app.records, 'charger_tag', {
      customer_id: customerId('west'),
      tag_id: newId(),
      tag: 'A1',
      name: 'Theirs',
      active: true,
      created_at: new Date(),
    })
    await send('Name;Tag ID\r\nOurs;a1\r\n', true)
    const [page] = await app.data(findChargerTags, { token: west, query: {} })
    expect(page?.tags.map(({ name }) => name)).toEqual(['Theirs'])
  })

  test('R1 an auditor cannot import tags', async () => {
    expect((await send('Name;Tag ID\r\nOurs;a1\r\n', true, auditor)).status).toBe(403)
  })
})
