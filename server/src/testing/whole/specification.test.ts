import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'
import { idsOf } from '#testing/tenant-matrix.ts'

const app = await openTestApp()
await makeOneOfEach(app)
afterAll(() => app.close())

type Sent = { query?: Record<string, string | string[]>; body?: object; file?: string }
type Ids = Record<string, string>

const date = '2026-11-20'
const days = { startDate: '2026-11-01', endDate: '2026-11-30' }
const market = 'FCR-D-INC'
const start = '2026-11-20T10:00:00Z'
const end = '2026-11-20T10:30:00Z'
const passwords = { newPassword: 'three quiet turbines', confirmNewPassword: 'three quiet turbines' }
const note = { title: 'Meter gap', description: 'No values', released: '2026-11-19T23:30:00.000Z', enable: true }
const alert = (group: string | undefined) => ({
  name: 'High load',
  criteria: 'gt',
  value: 40,
  email: 'alerts@north.example',
  properties: {
    notification: true,
    group,
    groupName: 'Cold store',
    type: 'power',
    startTime: '00:00',
    endTime: '23:59',
    alertInterval: 5,
  },
})
const slots = Array.from({ length: 24 }, () => 1)
const request = (ids: Ids) => ({
  licenseId: ids['licence'],
  biddingMarket: market,
  groupId: ids['instance'],
  ...days,
  capacity: slots,
  price: slots,
  regulationPrice: [],
  excludedDays: [{ date, reason: 'Maintenance' }],
  note: 'Winter',
  customBidding: true,
})
const meterForm = (ids: Ids) => ({
  name: 'Frost store',
  priceSignal: ids['price-signal'],
  taxValue: 119.5,
  address: 'Kajen 1',
  enabled: true,
})
const newMeter = { name: '', priceSignal: null, taxValue: null, address: '', enabled: true }
const outlet = (ids: Ids) => ({ chargerId: ids['charger'], connectorId: 1 })
const connector = (ids: Ids) => ({ chargerId: ids['charger'] ?? '', connectorId: '1' })
const filters = { ...days, direction: 'increased', deltaLoad: '60', duration: '1-5' }

/** Every call in the tables of the specification with its fields (texts 1 to 3, section 7); calls without a path there follow docs/api.md. */
const table: [call: string, sent?: (ids: Ids) => Sent][] = [
  ['POST /user/login', () => ({ body: { user: { email: 'sudoer@north.example', password: 'gridmast-demo' } } })],
  ['GET /user/profile'],
  ['GET /user/verify'],
  ['PUT /user/update-password', () => ({ body: { currentPassword: 'gridmast-demo', ...passwords } })],
  ['POST /user/reset-password', () => ({ body: { email: 'auditor@north.example' } })],
  ['POST /user/resend-otp', () => ({ body: { email: 'auditor@north.example' } })],
  ['POST /user/reset-with-otp', () => ({ body: { email: 'auditor@north.example', otp: '12345678', ...passwords } })],
  [
    'PUT /user/update-profile',
    () => ({
      body: { name: 'Sudoer', email: 'sudoer@north.example', contact: '31234567', countryCode: '+45' },
      file: 'profileImage',
    }),
  ],
  ['GET /client/data-hub/all'],
  ['POST /client/data-hub', () => ({ body: { dataHub: { key: '99000031' } } })],
  ['PATCH /client/data-hub/{meter-group}/{meter}', (ids) => ({ body: { dataHub: meterForm(ids) } })],
  ['PATCH /client/data-hub/meterStatus/{meter-group}/{meter}', (ids) => ({ body: { dataHub: meterForm(ids) } })],
  ['PATCH /client/data-hub/meterStatus/{meter-group}/{meter}', () => ({ body: { dataHub: newMeter } })],
  ['PATCH /client/data-hub/{meter-group}', () => ({ body: { dataHub: { name: 'Harbour' } } })],
  [
    'GET /client/data-hub/{meter}',
    (ids) => ({ query: { date, priceSignal: ids['price-signal'] ?? '', taxValue: '119.5' } }),
  ],
  ['GET /client/data-hub/readLast/{meter}'],
  ['POST /client/data-hub/download', (ids) => ({ body: { devices: [ids['meter']], ...days } })],
  ['GET /client/version'],
  ['GET /client/supportNotes'],
  ['POST /client/supportNotes', () => ({ body: { supportNote: note } })],
  ['PATCH /client/supportNotes/{support-note}', () => ({ body: { supportNote: note } })],
  ['GET /client/data/frequency/{frequency}', () => ({ query: { date, start, end } })],
  ['GET /client/data/frequency/data/last-reported'],
  ['GET /client/data/powercapacity', (ids) => ({ query: { market, instanceId: ids['instance'] ?? '' } })],
  ['GET /client/data/powercapacity/last-reported', (ids) => ({ query: { market, instanceId: ids['instance'] ?? '' } })],
  ['GET /client/data/powercapacity/groups-v2/{licence}'],
  ['GET /client/data/revenue', () => ({ query: days })],
  ['GET /client/data/power-cost', () => ({ query: { date } })],
  ['GET /client/data/event', () => ({ query: filters })],
  ['GET /client/data/event/dashboard', () => ({ query: filters })],
  ['GET /client/data/event/{event}/export', () => ({ query: filters })],
  ['GET /client/data/event/{event}/data-log', () => ({ query: filters })],
  ['GET /client/data/instance-capacity', (ids) => ({ query: { date, market, instanceId: ids['instance'] ?? '' } })],
  [
    'GET /client/data/instance-capacity/last-reported',
    (ids) => ({ query: { market, instanceId: ids['instance'] ?? '' } }),
  ],
  ['GET /client/instance-data-logs/overview', (ids) => ({ query: { groupId: ids['instance'] ?? '', date } })],
  ['GET /client/instance-data-logs/last-reported', (ids) => ({ query: { groupId: ids['instance'] ?? '' } })],
  ['GET /client/data/carbon-emission', () => ({ query: { date, type: 'past', area: 'DK2' } })],
  ['GET /client/data/carbon-emission', () => ({ query: { date, type: 'future', area: 'DK2' } })],
  ['GET /client/data/carbon-emission/last-reported', () => ({ query: { type: 'past', area: 'DK2' } })],
  [
    'GET /client/data/eConomics',
    (ids) => ({
      query: {
        ...days,
        market: [market, 'FCR-D-DEC'],
        limit: '15',
        skip: '0',
        licenseId: ids['licence'] ?? '',
        instanceId: ids['instance'] ?? '',
      },
    }),
  ],
  ['GET /client/data/eConomics/license'],
  ['GET /client/data/eConomics/instance', (ids) => ({ query: { licenseId: ids['licence'] ?? '' } })],
  [
    'GET /client/signals/data-test-setpoint',
    (ids) => ({
      query: { start, end, date, signalId: ids['signal'] ?? '', prefillData: 'true', dataDecimation: 'true' },
    }),
  ],
  ['GET /client/signals/lastReported', (ids) => ({ query: { signalId: ids['signal'] ?? '' } })],
  [
    'GET /client/revenue-calculator',
    () => ({ query: { signal: market, capacity: '1', startDate: '2026-06', endDate: '2026-11', area: 'DK2' } }),
  ],
  ['GET /client/signalTypes'],
  ['GET /client/email-subscription', () => ({ query: { eventType: 'fcr_based' } })],
  [
    'PUT /client/email-subscription/activation-bidResult',
    (ids) => ({ body: { value: true, type: 'activation', _id: ids['email-subscription'] } }),
  ],
  [
    'PUT /client/email-subscription/activation-bidResult',
    (ids) => ({ body: { value: true, type: 'bidResult', _id: ids['email-subscription'] } }),
  ],
  [
    'POST /client/email-subscription',
    (ids) => ({
      body: {
        emails: ['operations@north.example'],
        instanceId: ids['instance'],
        activation: true,
        bidResult: true,
        eventType: 'fcr_based',
      },
    }),
  ],
  ['GET /client/data/alert/all/{licence}', () => ({ query: { source: 'FCR-D' } })],
  ['POST /client/data/alert/create/{licence}', (ids) => ({ body: { alert: alert(ids['instance']) } })],
  [
    'PATCH /client/data/alert/update/{alert}',
    (ids) => ({ body: { alert: { _id: ids['alert'], ...alert(ids['instance']) } } }),
  ],
  ['GET /client/data/triggered/{licence}', () => ({ query: { date } })],
  ['GET /client/license/type/{customer}/{licence}'],
  ['GET /client/license/v2/{licence}'],
  ['GET /client/license/type/v2'],
  ['GET /client/license/licenseType/{licence}'],
  ['GET /client/data/pricing/FCR-D-INC:DK2', () => ({ query: { date, priceType: 'D-1' } })],
  ['PATCH /client/customer/update-tax', (ids) => ({ body: { taxes: { [ids['price-signal'] ?? '']: 119.5 } } })],
  ['GET /client/data/prices/bulk-download', () => ({ query: { signal: 'FCR-D-INC:DK2', ...days } })],
  ['GET /client/data/demand-response/last-reported', () => ({ query: { signal: 'FCR-D-INC:DK2' } })],
  [
    'GET /client/data/bid-request',
    (ids) => ({ query: { filterType: 'current', licenseId: ids['licence'] ?? '', market } }),
  ],
  [
    'GET /client/data/bid-request',
    (ids) => ({ query: { filterType: 'past', licenseId: ids['licence'] ?? '', market } }),
  ],
  ['POST /client/data/bid-request', (ids) => ({ body: request(ids) })],
  ['GET /client/data/sold-capacity', (ids) => ({ query: { market, date, licenseId: ids['licence'] ?? '' } })],
  ['GET /client/data/sold-capacity/last-reported', (ids) => ({ query: { market, licenseId: ids['licence'] ?? '' } })],
  [
    'PATCH /client/customer/update-details',
    () => ({
      body: {
        primaryContactName: 'Anna Holm',
        primaryContactEmail: 'anna@north.example',
        billingEmail: 'billing@north.example',
        contact: '31234567',
        countryCode: '+45',
      },
    }),
  ],
  ['GET /client/customer/system-status'],
  ['GET /client/alert/notification', () => ({ query: { date } })],
  ['POST /client/evc/group', () => ({ body: { name: 'Vans', action: true } })],
  ['PATCH /client/evc/group/{charger-tag-group}', () => ({ body: { name: 'Vans', action: false } })],
  ['GET /client/evc/group'],
  [
    'POST /client/evc/tag',
    (ids) => ({
      body: {
        name: 'Van 7',
        tagID: '04A2B9C1',
        action: true,
        groupId: ids['charger-tag-group'],
        properties: { chargingType: 'tagId' },
      },
    }),
  ],
  ['PATCH /client/evc/tag/{charger-tag}', () => ({ body: { action: false } })],
  ['GET /client/evc/tag', (ids) => ({ query: { limit: '15', skip: '0', groupId: ids['charger-tag-group'] ?? '' } })],
  ['GET /client/evc/tag/{charger-tag}'],
  ['GET /client/evc/connector/{licence}'],
  ['GET /client/evc/overview', (ids) => ({ query: { ...connector(ids), date } })],
  ['GET /client/evc/last-reported', (ids) => ({ query: connector(ids) })],
  [
    'GET /client/evc/transaction',
    (ids) => ({
      query: {
        ...connector(ids),
        groupId: ids['charger-tag-group'] ?? '',
        tagId: ids['charger-tag'] ?? '',
        ...days,
        limit: '15',
        skip: '0',
      },
    }),
  ],
  ['GET /client/evc/transaction/{charger-transaction}'],
  ['POST /client/evc/remote/start', (ids) => ({ body: outlet(ids) })],
  ['POST /client/evc/remote/stop', (ids) => ({ body: outlet(ids) })],
  [
    'POST /client/iot-device/control',
    (ids) => ({
      body: {
        profiles: [0],
        edgeId: ids['edge'],
        action: 'manual-control',
        testType: 'control',
        edgeVersionValue: 40400,
      },
    }),
  ],
  ['DELETE /client/evc/tag/{charger-tag}'],
  ['DELETE /client/evc/group/{charger-tag-group}'],
  ['DELETE /client/data/bid-request/{bid-request}'],
  ['DELETE /client/email-subscription/{email-subscription}'],
  ['DELETE /client/data/alert/{alert}'],
  ['DELETE /client/data-hub/{meter-group}'],
  ['POST /user/logout'],
]

test('every call of the specification is accepted with the fields of its tables', async () => {
  app.after = () => () => {} // remote commands are not awaited
  const refused: string[] = []
  for (const [call, sent] of table) {
    const [method, path = ''] = call.split(' ')
    const token = await app.tokenOf('sudoer@north.example')
    const ids = await app.records.system((tx) => idsOf(tx, 'north'))
    const { query, body, file } = sent?.(ids) ?? {}
    const form = new FormData()
    if (file) form.append('values', JSON.stringify(body))
    const multipart = new Response(form)
    const answer = await app.http.inject({
      method: method as 'GET', // one of the methods above
      url: `/api${path.replaceAll(/\{([\w-]+)\}/g, (_, ref: string) => ids[ref] ?? 'missing')}`,
      ...(query ? { query } : {}),
      ...(file ? { payload: Buffer.from(await multipart.arrayBuffer()) } : body ? { payload: body } : {}),
      headers: {
        authorization: `Bearer ${token}`,
        ...(file ? { 'content-type': multipart.headers.get('content-type') ?? '' } : {}),
      },
    })
    const isWrongCode = answer.body.includes('The code is not correct')
    if (([400, 404, 415].includes(answer.statusCode) && !isWrongCode) || answer.statusCode >= 500)
      refused.push(`${call}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
  }
  expect(refused).toEqual([])
})
