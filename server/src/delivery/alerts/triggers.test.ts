import * as contract from '@gridmast/contract/delivery/alerts.ts'
import * as triggeredContract from '@gridmast/contract/notifications/triggered.ts'
import * as webhookContract from '@gridmast/contract/people/webhooks.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { findInstance } from '#delivery/instance.fixture.ts'
import { addPushDevices } from '#people/push/devices.fixture.ts'
import { mailKind } from '#platform/messaging/mail.ts'
import { openOutbox } from '#platform/messaging/outbox.ts'
import type { StoredGroup } from '#readings/readings.ts'
import { openTestApp } from '#testing/app.ts'
import { changeRows, storedRows } from '#testing/rows.ts'
import { startAlerts } from './triggers.ts'

const minute = 60_000
let nextMs = Math.floor(Date.now() / 1000) * 1000 - 12 * minute

const app = await openTestApp()
const token = await app.tokenOf('sudoer@north.example')
const cold = await findInstance(app)
const pushes = await addPushDevices(app)
let engine = await startAlerts(app)
afterAll(async () => {
  await engine.close()
  await app.close()
})

const create = async (notification = true, validFromMs = nextMs + 10_000, alertInterval = 0) => {
  const properties = { notification, group: cold.instanceId, type: 'power', alertInterval }
  const alert = { name: 'Cold above 400', criteria: 'gt', value: 400, email: 'ops@north.example', properties }
  const answer = await app.ask(contract.createAlert, { token, params: { id: cold.licenceId }, body: { alert } })
  expect(answer.status).toBe(200)
  const alertId = answer.body.data.alert._id
  await changeRows(app.records, 'alert', { alert_id: alertId }, { valid_from: new Date(validFromMs) })
  engine.changed(alertId)
  await engine.settled()
  return alertId
}
const insert = async (t0Ms: number, values: number[], dtMs = 1000) => {
  await app.readings.insert([{ signalNo: cold.noOf('power'), t0Ms, dtMs, values }])
  await engine.settled()
}
const rowsOf = (alertId: string) =>
  storedRows(app.records, 'alert_trigger', { alert_id: alertId }, undefined, ['triggered_at'])
const queued = (kind: string) => storedRows(app.records, 'outbox', { kind }, ['payload'], ['created_at'])

const sendMails = () => {
  const { records, clock, log } = app
  return openOutbox({ records, clock, log, kinds: { mail: mailKind(app.send) } }).drain()
}

const forget = () => app.records.system((tx) => tx.deleteFrom('outbox').execute())
beforeEach(async () => {
  await forget()
  await app.records.system(async (tx) => {
    await tx.updateTable('alert').set({ removed_at: new Date() }).execute()
  })
  engine.changed()
  await engine.settled()
})

const soon = () => (nextMs += 20_000)

describe('notifications of alerts', () => {
  test('samples older than 15 minutes on arrival give a late row without a mail', async () => {
    const alertId = await create(true, nextMs - 60 * minute)
    await insert(nextMs - 40 * minute, [399, 430])
    expect(await rowsOf(alertId)).toMatchObject([{ value: 430, late: true }])
    expect(await queued('mail')).toEqual([])
  })

  test('a trigger is one row, one mail with a link, one webhook and one live event', async () => {
    const hook = { name: 'Plant', url: 'https://hooks.example/x', events: ['alert'], enabled: true }
    await app.ask(webhookContract.addWebhook, { token, body: hook })
    const alertId = await create()
    const heard: string[] = []
    const silence = app.live.subscribe(cold.customerId, (event) => heard.push(event))
    const t0Ms = soon()
    await insert(t0Ms, [399, 412.5, 413])
    silence()
    const rows = await rowsOf(alertId)
    expect(rows).toMatchObject([{ value: 412.5, threshold: 400, late: false, triggered_at: new Date(t0Ms + 1000) }])
    expect(heard).toEqual(['alerts'])
    expect((await queued('webhook')).map(({ payload }) => payload)).toMatchObject([
      {
        type: 'alert',
        test: false,
        data: { _id: rows[0]?.trigger_id, name: 'Cold above 400', value: 412.5, threshold: 400, unit: 'kW' },
      },
    ])
    await sendMails()
    expect(app.sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['ops@north.example', 'Alert: Cold above 400 (North Cold)'],
    ])
    expect(app.sent[0]?.text).toContain('Power: 412,5 kW (above 400 kW)')
    expect(app.sent[0]?.text).toContain('Times are Danish.')
    expect(app.sent[0]?.text).not.toMatch(/Simulated|Europe/)
    expect(app.sent[0]?.text).toContain(`/e3-Legacy/FCR-D-INC?trigger=${rows[0]?.trigger_id}`)
  })

  test('T5 R1 a trigger is pushed to its readers in their languages, not to muted users, other roles or other companies', async () => {
    const alertId = await create()
    await insert(soon(), [399, 412.5, 413])
    const [row] = await rowsOf(alertId)
    const path = `/e3-Legacy/FCR-D-INC?trigger=${row?.trigger_id}`
    expect(await pushes()).toEqual([
      {
        to: 'sudoer@north.example',
        title: 'Alert: Cold above 400 (North Cold)',
        body: expect.stringMatching(/^Power: 412,5 kW \(above 400 kW\)\n/),
        path,
      },
      {
        to: 'auditor@north.example',
        title: 'Alarm: Cold above 400 (North Cold)',
        body: expect.stringMatching(/^Effekt: 412,5 kW \(over 400 kW\)\n/),
        path,
      },
    ])
    await insert(soon(), [399, 412.5])
    expect(await pushes()).toHaveLength(2)
  })

  test('a trigger that is late or without a notification is not pushed', async () => {
    const silent = await create(false)
    await insert(soon(), [399, 412.5])
    expect([(await rowsOf(silent)).length, await pushes()]).toEqual([1, []])
    const late = await create(true, nextMs - 60 * minute)
    await forget()
    await insert(nextMs - 50 * minute, [399, 430])
    expect([(await rowsOf(late))[0]?.late, await pushes()]).toEqual([true, []])
  })

  test('the mail of a simulated instance states it', async () => {
    const simulate = (simulated: boolean) =>
      changeRows(app.records, 'edge', { customer_id: cold.customerId }, { simulated })
    await create()
    await simulate(true)
    await insert(soon(), [399, 412.5])
    await simulate(false)
    const [mail] = await queued('mail')
    expect(mail?.payload).toMatchObject({
      text: expect.stringContaining('Simulated: nothing behind these figures was measured.'),
    })
  })

  test('repeated samples and a restart duplicate nothing', async () => {
    const alertId = await create()
    const t0Ms = soon()
    await insert(t0Ms, [399, 412.5])
    await insert(t0Ms, [399, 412.5])
    const again = await startAlerts(app)
    await again.settled()
    await again.close()
    expect([(await rowsOf(alertId)).length, (await queued('mail')).length]).toEqual([1, 1])
  })

  test('samples stored while no engine ran are evaluated once by the next one', async () => {
    const alertId = await create()
    await engine.close()
    await insertAlone(soon(), [399, 420])
    engine = await startAlerts(app)
    await engine.settled()
    expect([(await rowsOf(alertId)).length, (await queued('mail')).length]).toEqual([1, 1])
  })

  test('an ingest that crashes before its evaluation evaluates its samples again, whatever another ingest has reached', async () => {
    // Long before: a new alert is evaluated from its beginning anyway.
    const alertId = await create(true, nextMs - 60 * minute)
    const found = async () => [(await rowsOf(alertId)).length, (await queued('mail')).length]
    const [rows = 0, mails = 0] = await found()
    await sendMails()
    const other = { ...app.config, MQTT_URL: 'mqtt://127.0.0.1:1', MQTT_CLIENT_ID: 'other' }
    let tell = (_: StoredGroup) => {}
    const readings = { ...app.readings, onStored: (listener: typeof tell) => ((tell = listener), () => {}) }
    let aheadMs = 0
    const clock = { ...app.clock, now: () => app.clock.now() + aheadMs }
    const beside = await startAlerts({ ...app, config: other, readings, clock })
    await beside.settled()
    await engine.close()
    await insertAlone(soon(), [399, 420])
    aheadMs = 6000
    tell({ runs: [], version: app.readings.storedVersion() })
    await beside.settled()
    expect(await found()).toEqual([rows, mails])
    engine = await startAlerts(app)
    await engine.settled()
    expect(await found()).toEqual([rows + 1, mails + 1])
    await beside.close()
  })

  test('a row that fails while the records store is away is stored once it is back', async () => {
    const alertId = await create()
    const { system } = app.records
    let failures = 1
    app.records.system = (work) => (failures-- > 0 ? Promise.reject(new Error('away')) : system(work))
    await insert(soon(), [399, 421])
    app.records.system = system
    expect(failures).toBeLessThan(0)
    expect([(await rowsOf(alertId)).length, (await queued('mail')).length]).toEqual([1, 1])
  })

  test('without `notification` a trigger is a row only', async () => {
    const alertId = await create(false)
    await insert(soon(), [399, 431])
    expect(await rowsOf(alertId)).toMatchObject([{ notification: false, late: false }])
    expect([await queued('mail'), await queued('webhook')]).toEqual([[], []])
  })

  test('a crossing that a late sample moves keeps its id and comment and is not notified again', async () => {
    const alertId = await create()
    const t0Ms = soon()
    await insert(t0Ms, [399])
    await insert(t0Ms + 3000, [440])
    const [first] = await rowsOf(alertId)
    const params = { id: first?.trigger_id ?? '' }
    await app.ask(triggeredContract.acknowledgeTriggered, { token, params, body: { comment: 'Seen' } })
    await insert(t0Ms + 2000, [435])
    expect(await rowsOf(alertId)).toMatchObject([
      { trigger_id: params.id, comment: 'Seen', value: 435, triggered_at: new Date(t0Ms + 2000) },
    ])
    expect((await queued('mail')).length).toBe(1)
  })

  test('T1 a row of another customer with the same ids is unchanged', async () => {
    const alertId = await create()
    const t0Ms = soon()
    await insert(t0Ms, [399])
    await insert(t0Ms + 3000, [440])
    await app.byHand(async (tx) => {
      const copy = (table: 'alert' | 'alert_trigger') => sql`
        insert into ${sql.table(table)} select (jsonb_populate_record(t, jsonb_build_object('customer_id', i.customer_id, 'instance_id', i.instance_id))).*
        from ${sql.table(table)} t, instance i join customer c on c.customer_id = i.customer_id and c.key = 'west'
        where t.alert_id = ${alertId} and t.customer_id = ${cold.customerId} order by i.instance_id limit 1`
      await copy('alert').execute(tx)
      const theirs = tx.updateTable('alert').set({ removed_at: new Date() }).where('alert_id', '=', alertId)
      await theirs.where('customer_id', '<>', cold.customerId).execute()
      await copy('alert_trigger').execute(tx)
    })
    await insert(t0Ms + 2000, [435])
    const rows = (await rowsOf(alertId)).map((row) => [row.customer_id === cold.customerId, row.value])
    expect(rows).toEqual([
      [true, 435],
      [false, 440],
    ])
  })

  test('values around the threshold give a row for each crossing and one mail per interval', async () => {
    const alertId = await create(true, undefined, 5)
    await insert(soon(), [399, 401, 399, 402, 399, 403])
    expect((await rowsOf(alertId)).map(({ notification }) => notification)).toEqual([true, false, false])
    expect((await queued('mail')).length).toBe(1)
    await sendMails()
    nextMs += 6 * minute
    await insert(soon(), [399, 404])
    expect((await queued('mail')).length).toBe(2)
  })

  test('without an interval the first mail is sent at once and the next after a minute with a summary', async () => {
    const alertId = await create()
    const t0Ms = soon()
    await insert(t0Ms, [399, 401])
    await sendMails()
    const sentMs = app.clock.now()
    await insert(t0Ms + 2000, [399, 455, 399, 402, 399, 403])
    await insert(t0Ms + 8000, [399, 404])
    expect((await rowsOf(alertId)).length).toBe(5)
    const [, second, ...more] = await storedRows(
      app.records,
      'outbox',
      { kind: 'mail' },
      ['payload', 'next_attempt_at'],
      ['created_at'],
    )
    expect(more).toEqual([])
    expect(Math.abs((second?.next_attempt_at?.getTime() ?? 0) - sentMs - minute)).toBeLessThan(10_000)
    expect(second?.payload).toMatchObject({
      to: 'ops@north.example',
      text: expect.stringMatching(/was triggered 4 times on North Cold since/),
    })
    expect(second?.payload).toMatchObject({ text: expect.stringMatching(/Power: 404 kW[^]*Highest: 455 kW/) })
  })

  test('a removed alert does not trigger', async () => {
    const alertId = await create()
    await app.ask(contract.removeAlert, { token, params: { id: alertId } })
    engine.changed(alertId)
    await engine.settled()
    await insert(soon(), [399, 450])
    expect(await rowsOf(alertId)).toEqual([])
  })
})

const insertAlone = (t0Ms: number, values: number[]) =>
  app.readings.insert([{ signalNo: cold.noOf('power'), t0Ms, dtMs: 1000, values }])
