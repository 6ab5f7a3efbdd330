import { verify } from '@gridmast/contract/people/auth.ts'
import { type DashboardForm, saveDashboard } from '@gridmast/contract/people/customer.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { applyProvisioning } from '#operator/provisioning/apply.ts'
import { readProvisioning } from '#operator/provisioning/read.ts'
import { openTestApp } from '#testing/app.ts'
import { northOnly } from '#testing/factories.ts'
import { idsOf } from '#testing/tenant-matrix.ts'
import { changeRows, storedRow } from '#testing/rows.ts'

const app = await openTestApp()
const sudoer = await app.tokenOf('sudoer@north.example')
const [own, foreign] = await app.records.system(async (tx) => [await idsOf(tx, 'north'), await idsOf(tx, 'west')])
afterAll(() => app.close())
beforeEach(() => changeRows(app.records, 'customer', {}, { home_dashboard: null }))

const form = (more: Partial<DashboardForm> = {}): DashboardForm => ({
  enableFirstRow: true,
  enableSecondRow: false,
  enableEventFaultRow: true,
  r1c1: { card: 'capacity', value: 'FFR', groupId: own['instance'] },
  r1c2: { card: 'frequency', frequencyId: own['frequency'] },
  r1c3: { card: 'revenue' },
  r2c1: { card: 'instance', groupId: own['instance'] },
  r2c2: { card: 'powerCost', priceSignalId: own['price-signal'] },
  ...more,
})
const save = (dashboard: unknown, token = sudoer) => app.ask(saveDashboard, { token, body: { dashboard } })
const shown = async (email: string) =>
  (await app.data(verify, { token: await app.tokenOf(email) })).user.customerId.e3DashboardConfig

describe('PATCH /client/customer/dashboard', () => {
  test('C4 a saved dashboard is shown to all users of the company only and is on the trail', async () => {
    const before = await shown('expert@west.example')
    const answer = await save(form())
    expect(answer.body).toMatchObject({ message: 'Dashboard saved', data: { e3DashboardConfig: form() } })
    expect(await shown('custom@north.example')).toMatchObject(form())
    expect(await shown('expert@west.example')).toEqual(before)
    const entry = await storedRow(app.records, 'audit_entry', { action: 'customer.dashboard' })
    expect(entry).toMatchObject({ who: 'sudoer@north.example', subject: 'North', before: null, after: form() })
  })

  test('open pages of the company are notified, pages of other companies are not', async () => {
    const told: string[] = []
    const { customer = '' } = own
    const stops = [customer, foreign['customer'] ?? ''].map((id) =>
      app.live.subscribe(id, (event) => told.push(`${id === customer ? 'north' : 'west'} ${event}`)),
    )
    await save(form())
    for (const stop of stops) stop()
    expect(told).toEqual(['north profile'])
  })

  test('provisioning keeps a saved dashboard, and a reset restores the one of the current file', async () => {
    const provision = (dashboard: string) =>
      applyProvisioning(app.records, readProvisioning(northOnly(dashboard)), { dryRun: false })
    await save(form({ enableEventFaultRow: false }))
    await provision('{ enableFirstRow: false, eventMarkets: [FFR], r1c2: { value: aFRR } }')
    expect(await shown('expert@north.example')).toEqual({
      ...form({ enableEventFaultRow: false }),
      eventMarkets: ['FFR'],
    })
    expect(await provision('{ enableFirstRow: false, eventMarkets: [FFR], r1c2: { value: aFRR } }')).toEqual([])
    expect((await save(null)).body.data.e3DashboardConfig).toEqual({
      enableFirstRow: false,
      eventMarkets: ['FFR'],
      r1c2: { value: 'aFRR' },
    })
    expect(await shown('expert@north.example')).toMatchObject({ enableFirstRow: false })
    await provision('{}')
  })

  test('the row of sold capacity is part of the dashboard, and an emptied cell stays empty', async () => {
    await applyProvisioning(
      app.records,
      readProvisioning(northOnly('{ enableThirdRow: true, r3c1: { value: FCR } }')),
      {
        dryRun: false,
      },
    )
    await save(form())
    expect(await shown('expert@north.example')).toMatchObject({ enableThirdRow: true, r3c1: { value: 'FCR' } })
    await save(form({ enableThirdRow: true, r3c1: {}, r3c2: { value: 'FFR', groupId: own['instance'] } }))
    const { r3c1, r3c2 } = await shown('expert@north.example')
    expect([r3c1, r3c2]).toEqual([{}, { value: 'FFR', groupId: own['instance'] }])
  })

  test.each<[string, (at: DashboardForm) => unknown, string]>([
    ['an unknown row', (at) => ({ ...at, enableFourthRow: true }), 'dashboard.enableFourthRow'],
    ['a card in the row of sold capacity', (at) => ({ ...at, r3c1: { card: 'capacity' } }), 'dashboard.r3c1.card'],
    [
      'a market that nothing can be sold on',
      (at) => ({ ...at, r3c1: { value: 'DC-PLANNER' } }),
      'dashboard.r3c1.value',
    ],
    [
      'a market without a capacity card',
      (at) => ({ ...at, r1c2: { card: 'capacity', value: 'mFRR' } }),
      'dashboard.r1c2.value',
    ],
    ['a card of the other row', (at) => ({ ...at, r1c1: { card: 'powerCost' } }), 'dashboard.r1c1.card'],
    ['the data hub in the first row', (at) => ({ ...at, r1c1: { card: 'dataHub' } }), 'dashboard.r1c1.card'],
    [
      'a licence',
      (at) => ({ ...at, r2c1: { ...at.r2c1, licenseTypeId: own['licence'] } }),
      'dashboard.r2c1.licenseTypeId',
    ],
    ['a missing cell', ({ r2c2: _, ...rest }) => rest, 'dashboard.r2c2'],
  ])('R3 %s is refused', async (_, wrong, path) => {
    const { status, body } = await save(wrong(form()))
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [path]])
  })

  test.each<[string, () => Partial<DashboardForm>]>([
    ['an instance', () => ({ r2c1: { card: 'instance', groupId: foreign['instance'] } })],
    ['an instance in the row of sold capacity', () => ({ r3c2: { value: 'FFR', groupId: foreign['instance'] } })],
    ['a frequency signal', () => ({ r1c1: { card: 'frequency', frequencyId: foreign['frequency'] } })],
    ['a price signal', () => ({ r2c2: { card: 'powerCost', priceSignalId: foreign['price-signal'] } })],
  ])('T1 %s of another customer is not found, and nothing is saved', async (_, of) => {
    const { status, body } = await save(form(of()))
    expect([status, body.message]).toEqual([404, m.notFound])
    expect(await shown('expert@north.example')).not.toHaveProperty('r1c3')
  })
})
