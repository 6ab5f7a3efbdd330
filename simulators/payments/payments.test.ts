import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/charging/payments.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { newId } from '../../server/src/platform/records/ids.ts'
import { chargerId, openDesk } from './payments.fixture.ts'
import { changeRows, storedRows } from '../../server/src/testing/rows.ts'

const minuteMs = 60_000
const desk = await openDesk()
afterAll(() => desk?.close())

const state = async (id: string) => (await desk.shown(id)).payment.state
const events = async (id: string) => (await desk.shown(id)).history.map(({ event }) => event)

describe('the sales unit', () => {
  test('a reservation needs a sales unit, and invalid keys are refused and not stored', async () => {
    expect(await desk.reserve()).toMatchObject({ status: 409, body: { message: m.paymentAccountMissing } })
    expect(await desk.saveAccount({ clientSecret: 'wrong' })).toMatchObject({
      status: 409,
      body: { message: m.paymentAccountRefused },
    })
    const { body } = await desk.app.ask(contract.paymentAccount, { token: await desk.sudoer() })
    expect(body.data.account).toBeNull()
  })

  test('its secrets are stored encrypted and never returned, and an empty field keeps them', async () => {
    expect((await desk.saveAccount()).body.message).toBe(m.paymentAccountSaved)
    expect((await desk.saveAccount({ clientSecret: '', subscriptionKey: '', reserve: '250' })).status).toBe(200)
    const { body, text } = await desk.app.ask(contract.paymentAccount, { token: await desk.sudoer() })
    expect(body.data.account).toMatchObject({ merchantSerialNumber: '123456', reserve: '250.00', isTold: true })
    expect(text).not.toMatch(/secret|subscription/)
    const kept = await desk.app.records.system((tx) => tx.selectFrom('payment_account').selectAll().executeTakeFirst())
    expect(Buffer.from(kept?.client_secret_sealed ?? '').includes('secret')).toBe(false)
    expect(desk.app.secret.unseal(kept?.client_secret_sealed ?? Buffer.alloc(0))).toBe('secret')
  })
})

describe('reserve, charge, capture once', () => {
  test('the charger is started after the approval, the cost of the session is captured and the rest released exactly', async () => {
    const { payment } = (await desk.reserve()).body.data
    expect(payment).toMatchObject({ state: 'reserving', reserved: '250.00', captured: null })
    await desk.drain()
    expect((await desk.shown(payment._id)).approveUrl).toMatch(/^https:/)
    await desk.follow()
    expect(await state(payment._id)).toBe('waiting')
    await desk.provider.driver(payment._id, 'approve')
    await desk.follow()
    const transactionId = await desk.begin(payment._id)
    await desk.follow()
    expect((await desk.shown(payment._id)).payment).toMatchObject({ state: 'charging', transactionId })
    await desk.end(transactionId, { wh: 12_346, dkk: '30.865' })
    await desk.pass(minuteMs)
    expect((await desk.shown(payment._id)).payment).toMatchObject({
      state: 'captured',
      cost: '30.87',
      captured: '30.87',
      refunded: '0.00',
      kwh: 12.346,
      isOpen: false,
    })
    expect(await desk.provider.held(payment._id)).toMatchObject({ captured: 3087, cancelled: 21_913 })
    expect((await events(payment._id)).filter((one) => one !== 'told')).toEqual([
      'reserve',
      'waiting',
      'authorised',
      'start',
      'began',
      'ended',
      'capture',
      'captured',
      'release',
      'released',
    ])
  })

  test('at most the reserved amount is captured, and the full cost is stated', async () => {
    const { _id } = await desk.ended({ wh: 200_000, dkk: '500' })
    await desk.pass(minuteMs)
    expect((await desk.shown(_id)).payment).toMatchObject({ state: 'captured', cost: '500.00', captured: '250.00' })
  })

  test('a session without energy captures nothing and releases the reservation', async () => {
    const { _id } = await desk.ended({ wh: 0, dkk: '0' })
    await desk.pass(minuteMs)
    expect(await state(_id)).toBe('released')
    expect(await desk.provider.held(_id)).toMatchObject({ captured: 0, cancelled: 25_000 })
  })

  test('a missing end is awaited for a day, and the cost is captured once it is calculated', async () => {
    const { _id, transactionId } = await desk.ended({ wh: 1000, dkk: '2.5' })
    await changeRows(desk.app.records, 'charger_transaction', { transaction_id: transactionId }, { state: 'abandoned' })
    await desk.pass(23 * 60 * minuteMs)
    expect(await state(_id)).toBe('ended')
    await desk.pass(61 * minuteMs)
    expect(await desk.provider.taken(_id)).toEqual([250])
  })

  test('an ended session frees its connector at once and is captured with its own cost, despite changes by the next session', async () => {
    const { _id, transactionId } = await desk.ended()
    await changeRows(desk.app.records, 'charging_cost', { transaction_id: transactionId }, { wh: [3000] })
    await desk.pass(minuteMs)
    expect((await desk.shown(_id)).payment).toMatchObject({ state: 'ended', failure: null })
    const next = await desk.charging()
    await desk.app.records.system(async (tx) => {
      await tx
        .updateTable('charging_cost')
        .set({ wh: [1500, 2500] })
        .where('transaction_id', '=', transactionId)
        .execute()
      await tx
        .insertInto('charger_register')
        .values({
          customer_id: desk.customerId,
          charger_id: chargerId,
          evse_no: 1,
          at: new Date(desk.now()),
          context: 'Sample.Periodic',
          wh: '100',
        })
        .execute()
    })
    await desk.pass(minuteMs)
    expect(await desk.provider.taken(_id)).toEqual([1000])
    expect((await events(_id)).filter((one) => one === 'ended')).toHaveLength(1)
    await desk.end(next.transactionId, { wh: 0, dkk: '0' })
    await desk.pass(minuteMs)
    expect(await state(next._id)).toBe('released')
  })

  test.each([
    ['doubted', { consumption_wh: null, doubted_wh: '300000' }, m.paymentEnergyDoubted],
    ['unknown', { consumption_wh: null }, m.paymentEnergyUnknown],
    ['without a cost', { consumption_wh: '4000' }, m.paymentCostUnknown],
  ] as const)(
    'energy that is %s reserves money for at most a day: a user captures or releases it',
    async (_, energy, words) => {
      const { _id, transactionId } = await desk.ended()
      await desk.app.records.system(async (tx) => {
        await tx.updateTable('charger_transaction').set(energy).where('transaction_id', '=', transactionId).execute()
        await tx.deleteFrom('charging_cost').where('transaction_id', '=', transactionId).execute()
      })
      await desk.pass(minuteMs)
      expect(await state(_id)).toBe('ended')
      await desk.pass(24 * 60 * minuteMs)
      expect((await desk.shown(_id)).payment).toMatchObject({ state: 'capture-failed', failure: words })
      const given = { token: await desk.sudoer(), params: { id: _id } }
      expect((await desk.app.ask(contract.retryCapture, given)).body.message).toBe(words)
      expect((await desk.app.ask(contract.releasePayment, given)).status).toBe(200)
      await desk.settled(_id)
      expect(await desk.provider.taken(_id)).toEqual([])
    },
  )
})

describe('a provider that answers late, twice, wrongly or never', () => {
  test.each(['late', 'cut', 'never', 'lost', '401', '409', '429', '500', 'html'] as const)(
    'capture with %s is exact and takes place once',
    async (kind) => {
      const { _id } = await desk.ended()
      await desk.provider.fault({ kind, operation: 'capture', times: 2, lateMs: 1500 })
      await desk.settled(_id)
      expect(await state(_id)).toBe('captured')
      expect(await desk.provider.taken(_id)).toEqual([1000])
      expect(await desk.provider.held(_id)).toMatchObject({ captured: 1000, cancelled: 24_000 })
    },
  )

  test.each(['late', 'cut', 'never', 'lost', '500'] as const)('reserve, %s: one reservation', async (kind) => {
    await desk.provider.fault({ kind, operation: 'create' })
    const { _id } = (await desk.reserve()).body.data.payment
    for (let i = 0; i < 3; i++) await desk.pass(10_000)
    expect(await state(_id)).toBe('waiting')
    expect((await desk.shown(_id)).approveUrl).toMatch(/^https:/)
    expect((await desk.provider.held(_id))?.events.map(({ name }) => name)).toEqual(['CREATED'])
    await desk.provider.driver(_id, 'abort')
    await desk.pass(minuteMs)
    expect(await state(_id)).toBe('declined')
  })

  test.each(['late', 'cut', 'never', '500'] as const)('refund, %s: paid back once', async (kind) => {
    const { _id } = await desk.ended()
    await desk.pass(minuteMs)
    await desk.provider.fault({ kind, operation: 'refund', times: 2, lateMs: 1500 })
    const refund = { token: await desk.sudoer(), params: { id: _id }, body: { amount: '4.50' } }
    expect((await desk.app.ask(contract.refundPayment, refund)).status).toBe(200)
    expect((await desk.app.ask(contract.refundPayment, refund)).body.message).toBe(m.paymentBusy)
    await desk.settled(_id)
    expect((await desk.shown(_id)).payment).toMatchObject({ state: 'partly-refunded', refunded: '4.50' })
    expect(await desk.provider.held(_id)).toMatchObject({ captured: 1000, refunded: 450 })
  })

  test('a reservation not created within ten minutes is cancelled, and a later one is released', async () => {
    await desk.provider.fault({ kind: '500', operation: 'create' })
    const { _id } = (await desk.reserve()).body.data.payment
    await desk.drain()
    await desk.pass(11 * minuteMs)
    expect(await state(_id)).toBe('failed')
    await desk.provider.fault({ kind: 'never', operation: 'create' })
    const late = (await desk.reserve()).body.data.payment
    await desk.drain()
    await desk.pass(11 * minuteMs)
    expect(await state(late._id)).toBe('released')
    expect(await desk.provider.held(late._id)).toMatchObject({ state: 'EXPIRED', captured: 0 })
  })

  test('repeated and reordered notifications change nothing without a check at the provider, and forged ones are ignored', async () => {
    await desk.provider.hooks({ times: 2, shuffled: true })
    const { _id } = await desk.ended()
    await desk.pass(minuteMs)
    await expect
      .poll(async () =>
        (await desk.shown(_id)).history.filter(({ event }) => event === 'told').map(({ words }) => words),
      )
      .toEqual(expect.arrayContaining(['CREATED', 'AUTHORIZED', 'CAPTURED']))
    const told = (await desk.shown(_id)).history.filter(({ event }) => event === 'told').map(({ words }) => words)
    expect(new Set(told).size).toBe(told.length)
    expect(await desk.provider.taken(_id)).toEqual([1000])
    await desk.provider.hooks({ times: 1, shuffled: false })
    const body = JSON.stringify({ reference: _id })
    const forged = (authorization: string) =>
      desk.app.http.inject({
        method: 'POST',
        url: `/payments/told/${desk.customerId}`,
        headers: { authorization, 'content-type': 'application/json' },
        payload: body,
      })
    expect((await forged('HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=x')).statusCode).toBe(
      401,
    )
    expect((await forged('')).statusCode).toBe(401)
    const unknown = await desk.app.http.inject({ method: 'POST', url: `/payments/told/${newId()}`, payload: {} })
    expect([unknown.statusCode, unknown.body]).toEqual([401, (await forged('')).body])
  })
})

describe('payments without a session', () => {
  test.each([
    ['abort', 'declined'],
    ['expire', 'declined'],
  ] as const)('a reservation that the driver lets %s starts nothing and captures nothing', async (what, expected) => {
    const { _id } = (await desk.reserve()).body.data.payment
    await desk.drain()
    await desk.provider.driver(_id, what)
    await desk.pass(minuteMs)
    expect(await state(_id)).toBe(expected)
    expect(await desk.provider.taken(_id)).toEqual([])
  })

  test.each([
    ['refuses to start', 'rejected', 0],
    ['was not reached', 'queued', 1],
    ['starts, but no car is plugged in', 'accepted', 31],
  ] as const)('the charger %s: the whole reservation is released', async (_, command, minutes) => {
    const _id = await desk.approved()
    await changeRows(
      desk.app.records,
      'charger_command',
      { is_open: true },
      { state: command, is_open: command === 'queued' },
    )
    if (minutes > 1) await desk.pass(29 * minuteMs)
    if (minutes > 1) expect(await state(_id)).toBe('reserved')
    await desk.pass(minutes * minuteMs)
    expect(await state(_id)).toBe('released')
    expect(await desk.provider.held(_id)).toMatchObject({ captured: 0, cancelled: 25_000 })
  })

  test('a session reported after the release or without a reservation is never captured', async () => {
    const _id = await desk.approved()
    await desk.pass(40 * minuteMs)
    await changeRows(desk.app.records, 'charger_command', { is_open: true }, { state: 'accepted', is_open: false })
    await desk.pass(40 * minuteMs)
    const transactionId = await desk.begin(_id)
    await desk.end(transactionId, { wh: 4000, dkk: '10' })
    const before = desk.provider.asked.filter((one) => one.includes('capture')).length
    for (let i = 0; i < 3; i++) await desk.pass(5 * minuteMs)
    expect(await state(_id)).toBe('released')
    expect((await events(_id)).filter((one) => one === 'late-session')).toHaveLength(1)
    await changeRows(desk.app.records, 'charger_transaction', { transaction_id: transactionId }, { command_id: null })
    await desk.pass(5 * minuteMs)
    expect(desk.provider.asked.filter((one) => one.includes('capture'))).toHaveLength(before)
    expect(await desk.provider.taken(_id)).toEqual([])
  })

  test('a connector has one paying driver at a time and needs a driver price', async () => {
    const first = (await desk.reserve(2)).body.data.payment
    expect(await desk.reserve(2)).toMatchObject({ status: 409, body: { message: m.connectorReserved } })
    await desk.drain()
    const release = { token: await desk.sudoer(), params: { id: first._id } }
    expect((await desk.app.ask(contract.releasePayment, release)).status).toBe(200)
    await desk.pass(minuteMs)
    expect(await state(first._id)).toBe('released')
    await changeRows(desk.app.records, 'charging_price', {}, { driver_dkk_per_kwh: null })
    expect(await desk.reserve(2)).toMatchObject({ status: 409, body: { message: m.noDriverPrice } })
    await changeRows(desk.app.records, 'charging_price', {}, { driver_dkk_per_kwh: '2.5' })
  })
})

describe('manual actions', () => {
  test('a refused capture states the reason of the provider and is captured once on retry', async () => {
    const { _id } = await desk.ended()
    await desk.provider.fault({ kind: '400', operation: 'capture' })
    await desk.pass(minuteMs)
    expect((await desk.shown(_id)).payment).toMatchObject({ state: 'capture-failed', captured: null })
    expect((await desk.shown(_id)).payment.failure).toMatch(/On request/)
    const again = { token: await desk.sudoer(), params: { id: _id } }
    expect((await desk.app.ask(contract.retryCapture, again)).body.message).toBe(m.captureAsked)
    expect((await desk.app.ask(contract.retryCapture, again)).status).toBe(409)
    await desk.pass(minuteMs)
    expect(await desk.provider.taken(_id)).toEqual([1000])
    expect((await desk.app.ask(contract.retryCapture, again)).body.message).toBe(m.captureNotFailed)
  })

  test('C4 a refund has parts up to the captured amount, is limited to the sudoer and is on the trail', async () => {
    const { _id } = await desk.ended()
    await desk.settled(_id)
    const refund = async (amount: string, who = 'sudoer') =>
      desk.app.ask(contract.refundPayment, {
        token: await desk.app.tokenOf(`${who}@north.example`),
        params: { id: _id },
        body: { amount, note: 'Cable fault' },
      })
    expect((await refund('1', 'expert')).status).toBe(403)
    for (const odd of ['01', '1e1', ' 1', '+1', '1.001', '１']) expect((await refund(odd)).status, odd).toBe(400)
    expect((await refund('10.01')).body.errors).toEqual({ amount: m.refundTooMuch })
    expect((await refund('4')).status).toBe(200)
    await desk.settled(_id)
    expect((await refund('6.01')).body.errors).toEqual({ amount: m.refundTooMuch })
    expect((await refund('6')).status).toBe(200)
    await desk.settled(_id)
    expect((await desk.shown(_id)).payment).toMatchObject({ state: 'refunded', refunded: '10.00' })
    expect((await refund('0.01')).status).toBe(400)
    const trail = await storedRows(desk.app.records, 'audit_entry', { action: 'payment.refund' }, ['action'])
    expect(trail.length).toBeGreaterThanOrEqual(2)
  })

  test('filters, totals over all rows and the file agree', async () => {
    const token = await desk.sudoer()
    const list = async (query: Record<string, string>) =>
      (await desk.app.ask(contract.findPayments, { token, query })).body
    const { data } = await list({ limit: '3' })
    expect(data.payments).toHaveLength(3)
    const all = (await list({ limit: '100' })).data
    expect(all.totalCount).toBe(data.totalCount)
    expect(all.payments).toHaveLength(data.totalCount)
    const ore = (pick: (one: contract.Payment) => string | null) =>
      all.payments.reduce((sum, one) => sum + Math.round(Number(pick(one) ?? 0) * 100), 0)
    const captured = ore((one) => one.captured)
    const refunded = ore((one) => one.refunded)
    expect(data.totals).toEqual({
      reserved: (ore((one) => one.reserved) / 100).toFixed(2),
      captured: (captured / 100).toFixed(2),
      refunded: (refunded / 100).toFixed(2),
      net: ((captured - refunded) / 100).toFixed(2),
    })
    const declined = (await list({ state: 'declined', chargerId })).data
    expect(new Set(declined.payments.map((one) => one.state))).toEqual(new Set(['declined']))
    expect((await list({ startDate: '2020-01-01', endDate: '2020-01-02' })).data).toMatchObject({ totalCount: 0 })
    const { text } = await desk.app.ask(contract.findPayments, { token, query: { format: 'csv' } })
    expect(
      text
        .trim()
        .split('\n')
        .filter((line) => line.includes(';P1;') || line.includes(',P1,')),
    ).toHaveLength(data.totalCount)
  })

  test('a file of several pages has each payment once, also with equal creation times', async () => {
    await desk.app.byHand(async (tx) => {
      const { customer_id, charger_id, user_id, changed_at } = await tx
        .selectFrom('payment')
        .selectAll()
        .executeTakeFirstOrThrow()
      const one = { customer_id, charger_id, user_id, changed_at, evse_no: 1, state: 'declined', simulated: true }
      const hour = (n: number) => new Date(Date.UTC(2019, 9, 1, Math.floor(n / 900)))
      const payments = Array.from({ length: 2300 }, (_, i) => ({
        ...one,
        payment_id: crypto.randomUUID(),
        reserved_ore: i + 1,
        created_at: hour(i),
      }))
      await tx.insertInto('payment').values(payments).execute()
    })
    const query = { startDate: '2019-10-01', endDate: '2019-10-01', format: 'csv' }
    const token = await desk.sudoer()
    const { text } = await desk.app.ask(contract.findPayments, { token, query })
    const [head = [], ...rows] = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    const reserved = rows.map((row) => Math.round(Number(row[head.indexOf('Reserved (DKK)')]) * 100))
    expect(reserved.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2300 }, (_, i) => i + 1))
  })
})
