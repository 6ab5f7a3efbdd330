import { findAudit } from '@gridmast/contract/people/audit.ts'
import { saveInstance } from '@gridmast/contract/people/instances.ts'
import * as contract from '@gridmast/contract/people/licences.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { verify } from '@gridmast/contract/people/auth.ts'
import { afterAll, expect, test } from 'vitest'
import { idsOf } from '#testing/tenant-matrix.ts'
import { openTestApp } from '#testing/app.ts'
import { changeRows } from '#testing/rows.ts'
import { idOf } from '#platform/records/ids.ts'

const now = '2026-11-20T12:00:00.000Z'
const minutesAgo = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000)

const app = await openTestApp()
app.setNow(now)
const token = await app.tokenOf('sudoer@north.example')
const ids = await app.records.system((tx) => idsOf(tx, 'north'))
const customerId = idOf('customer', 'north')
const westCustomerId = idOf('customer', 'west')
const inc = idOf('licence', 'north', 'FCR-D-INC')
const dec = idOf('licence', 'north', 'FCR-D-DEC')
await app.records.system(async (tx) => {
  await tx
    .updateTable('edge')
    .set({ last_reported_at: minutesAgo(2), code_version: 'v4.4.2' })
    .where('customer_id', '=', customerId)
    .execute()
  await tx
    .updateTable('licence')
    .set({ settings: JSON.stringify({ overview: true, details: true, alerts: 'true' }) })
    .where('licence_id', '=', inc)
    .execute()
})
afterAll(() => app.close())

test('a licence type has its settings and instances as in the specification', async () => {
  const { body } = await app.ask(contract.getLicence, { token, params: { id: inc } })
  expect(body.data.license).toEqual({
    _id: inc,
    licenseId: inc,
    name: 'FCR-D-INC',
    settings: { overview: true, alerts: false, events: false, details: true },
    groups: [
      {
        _id: expect.any(String),
        name: 'North Cold',
        description: '',
        licenseId: inc,
        market: ['FCR-D-INC'],
        bidActive: true,
        enabled: true,
        simulated: false,
        edgeLastReported: minutesAgo(2).toISOString(),
        edgeDetails: {
          _id: ids['edge'],
          deviceId: 'north-edge',
          market: ['FCR-D-DEC', 'FCR-D-INC'],
          properties: { codeVersion: 'v4.4.2' },
        },
        signalData: expect.any(Array),
        properties: {
          frequencySignal: ids['frequency'],
          fcr: { enabled: true, decreased: false, increased: true },
        },
      },
    ],
  })
  const signals = body.data.license.groups[0]?.signalData ?? []
  expect(signals.map(({ kind }) => kind).toSorted()).toEqual(
    ['frequency', 'power', 'setPoint', 'capacityUp', 'capacityDown', 'soc', 'energy'].toSorted(),
  )
  expect(new Set(signals.map(({ _id }) => _id)).size).toBe(7)
})

test('the licence of a customer and type equals its row in the list of types', async () => {
  const { license } = await app.data(contract.getLicence, { token, params: { id: inc } })
  const params = { customerId, licenseTypeId: inc }
  expect(await app.data(contract.licenceOfCustomer, { token, params })).toEqual({ license })
  const { licenses } = await app.data(contract.findLicences, { token })
  expect(licenses.map(({ name }) => name)).toEqual(['dataHub', 'FCR-D-DEC', 'FCR-D-INC'])
  expect(licenses[2]).toEqual(license)
  expect(licenses[1]?.groups.map(({ name, properties }) => [name, properties.fcr])).toEqual([
    ['North Heat', { enabled: true, decreased: true, increased: false }],
  ])
  expect(await app.data(contract.findInstances, { token, params: { id: inc } })).toEqual({ groups: license.groups })
})

test('T1 a customer id other than the own one is answered like an unknown one', async () => {
  const params = { customerId: westCustomerId, licenseTypeId: inc }
  const answer = await app.ask(contract.licenceOfCustomer, { token, params })
  expect([answer.status, answer.body.message]).toEqual([404, m.notFound])
})

test('the licences of a market are those with instances that may be sold on it', async () => {
  const ask = async (query: Record<string, string>) =>
    (await app.data(contract.findMarketLicences, { token, query })).licenses
  expect(await ask({})).toEqual([
    { _id: dec, name: 'FCR-D-DEC', market: ['FCR-D-DEC'] },
    { _id: inc, name: 'FCR-D-INC', market: ['FCR-D-INC'] },
  ])
  expect((await ask({ market: 'FCR-D-DEC' })).map(({ _id }) => _id)).toEqual([dec])
  expect(await ask({ market: 'aFRR' })).toEqual([])
})

test('Generic_Instance is a file of all instances with labels instead of flags', async () => {
  const file = async (edgeAt: Date | null) => {
    await changeRows(app.records, 'edge', { customer_id: customerId }, { last_reported_at: edgeAt })
    const answer = await app.ask(contract.findInstances, { token, params: { id: inc }, query: { format: 'csv' } })
    expect(answer.headers['content-disposition']).toBe('attachment; filename="Generic_Instance.csv"')
    return answer.text.trim().split('\r\n')
  }
  const [head, row] = await file(minutesAgo(2))
  expect(head).toMatch(/^S\.No,Name,Description,License Type,Market,Market Status,Edge Status,Edge Last Reported/)
  expect(row).toBe('1,North Cold,,FCR-D-INC,FCR-D-INC,Active,Good,2026-11-20 12:58:00,2026-11-20T11:58:00.000Z')
  expect((await file(minutesAgo(15)))[1]).toContain(',Active,Bad,2026-11-20 12:45:00,')
  expect((await file(null))[1]).toMatch(/,Active,Bad,,$/)
})

test('R4 a new name and description of an instance are on the trail and in the profile', async () => {
  const id = ids['instance'] ?? ''
  const body = { name: 'Cold store North', description: 'Ammonia, 4 compressors' }
  const expert = await app.tokenOf('expert@north.example')
  const answer = await app.ask(saveInstance, { token: expert, params: { id }, body })
  expect(answer.body).toMatchObject({ message: 'Details Updated!', data: { instance: { _id: id, ...body } } })
  const { entries } = await app.data(findAudit, { token, query: { action: 'instance.save' } })
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ who: 'expert@north.example', after: body, before: { description: '' } })
  const { instances } = (await app.data(verify, { token })).user.customerId
  expect(instances.find(({ _id }) => _id === id)?.name).toBe(body.name)
})

test('a name is required, a description is optional, and unknown fields are refused by name', async () => {
  const params = { id: ids['instance'] ?? '' }
  const ask = async (body: unknown) => (await app.ask(saveInstance, { token, params, body })).body.errors
  expect(await ask({ name: ' ', description: '' })).toEqual({ name: m.required })
  expect(await ask({ name: 'A', description: 'x'.repeat(limits.descriptionLength + 1) })).toEqual({
    description: m.longest(limits.descriptionLength),
  })
  expect(await ask({ name: 'A', description: '', bidActive: false })).toEqual({
    bidActive: m.unknownField('bidActive'),
  })
  expect(await ask({ name: 'A', description: '' })).toBeUndefined()
})

test('an instance out of use is in no list and cannot be changed', async () => {
  const id = ids['instance'] ?? ''
  const enable = (enabled: boolean) => changeRows(app.records, 'instance', { instance_id: id }, { enabled })
  const { licenseId } = (await app.data(saveInstance, { token, params: { id }, body: { name: 'A', description: '' } }))
    .instance
  await enable(false)
  const { groups } = await app.data(contract.findInstances, { token, params: { id: licenseId } })
  expect(groups).toEqual([])
  const answer = await app.ask(saveInstance, { token, params: { id }, body: { name: 'B', description: '' } })
  expect(answer.status).toBe(404)
  await enable(true)
})

test('a disabled licence is refused and is in no list', async () => {
  await changeRows(app.records, 'licence', { licence_id: dec }, { enabled: false })
  const answer = await app.ask(contract.getLicence, { token, params: { id: dec } })
  expect([answer.status, answer.body.message]).toEqual([403, 'Oops! License is not active'])
  const { licenses } = await app.data(contract.findLicences, { token })
  expect(licenses.map(({ name }) => name)).toEqual(['dataHub', 'FCR-D-INC'])
})
