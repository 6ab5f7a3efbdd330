import { type EdgeCommand, edgeCommand, edgeTopic } from '@gridmast/contract/edge.ts'
import { controlEquipment, edgeVersionValue } from '@gridmast/contract/equipment.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openEdges } from '#edges.ts'
import { verifyChain } from '#platform/audit.ts'
import { newId } from '#platform/ids.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'

const startMs = Date.parse('2026-11-20T10:00:00.000Z')
const soon = { timeout: 10_000, interval: 5 }

let app: TestApp
let edges: Awaited<ReturnType<typeof openEdges>>
let token: string
let nowMs: number
let ids: { customer: string; edge: string; cold: string; heat: string; westEdge: string; westCold: string }
const clients: MqttClient[] = []

const move = (ms: number) => {
  nowMs += ms
  app.setNow(new Date(nowMs).toISOString())
}

beforeAll(async () => {
  app = await openTestApp({ MQTT_PORT: '0', HOST: '127.0.0.1' })
  nowMs = startMs
  move(0)
  edges = await openEdges(app)
  const rows = await app.records.system((tx) =>
    tx
      .selectFrom('instance as i')
      .innerJoin('edge as e', 'e.edge_id', 'i.edge_id')
      .select(['e.key as edge', 'e.edge_id', 'i.key', 'i.instance_id', 'e.customer_id'])
      .execute(),
  )
  const of = (edge: string, key: string) => rows.find((row) => row.edge === edge && row.key === key)
  ids = {
    customer: of('north-edge', 'cold')?.customer_id ?? '',
    edge: of('north-edge', 'cold')?.edge_id ?? '',
    cold: of('north-edge', 'cold')?.instance_id ?? '',
    heat: of('north-edge', 'heat')?.instance_id ?? '',
    westEdge: of('west-edge', 'cold')?.edge_id ?? '',
    westCold: of('west-edge', 'cold')?.instance_id ?? '',
  }
})
afterAll(async () => {
  await edges.close()
  await app.close()
})
beforeEach(async () => {
  move(3_600_000) // what an earlier test set by hand is over, and so is its session
  token = await app.tokenOf('sudoer@north.example')
  await setEdge({ last_reported_at: new Date(nowMs), code_version: 'v4.4.0' })
})
afterEach(() => {
  for (const client of clients.splice(0)) client.end(true)
})

const setEdge = (values: { last_reported_at?: Date | null; code_version?: string | null; enabled?: boolean }) =>
  app.records.system((tx) => tx.updateTable('edge').set(values).where('edge_id', '=', ids.edge).execute())

const send = (setPoint: number, over: Record<string, unknown> = {}) =>
  app.ask(controlEquipment, {
    token,
    body: {
      ...{ profiles: [setPoint], edgeId: ids.edge, action: 'manual-control', testType: 'control' },
      ...{ edgeVersionValue: 40_400, groupId: ids.cold, ...over },
    },
  })

/** An edge that listens: what it was told, and whether the message came as one that is kept. */
const openEdge = async (key = 'north-edge', options: IClientOptions = {}) => {
  const heard: { command: EdgeCommand; retain: boolean; qos: number }[] = []
  const client = await connectAsync({
    ...{ host: '127.0.0.1', port: edges.port ?? 0, protocolVersion: 4, reconnectPeriod: 0 },
    ...{ username: key, password: 'gridmast-demo', ...options },
  })
  clients.push(client)
  client.on('error', () => {})
  client.on('message', (_topic, payload, { retain, qos }) =>
    heard.push({ command: edgeCommand.parse(JSON.parse(payload.toString())), retain, qos }),
  )
  await client.subscribeAsync(edgeTopic.commandRequest(key), { qos: 1 })
  const answer = (id: string, status: string, more: object = {}) =>
    client.publishAsync(edgeTopic.commandResponse(key), JSON.stringify({ v: 1, id, status, ...more }), { qos: 1 })
  /** The id of the n-th command, once it is there. */
  const told = async (n = 1): Promise<string> => {
    await expect.poll(() => heard.length, soon).toBeGreaterThanOrEqual(n)
    return heard[n - 1]?.command.id ?? ''
  }
  return { client, heard, answer, told }
}

const row = (id: string) =>
  app.records.system((tx) =>
    tx.selectFrom('equipment_command').selectAll().where('command_id', '=', id).executeTakeFirstOrThrow(),
  )
const trail = (id: string) =>
  app.records.system((tx) =>
    tx
      .selectFrom('audit_entry')
      .select(['who', 'action', 'subject', 'result', 'after'])
      .where('action', 'like', 'equipment.%')
      .where(sql`after ->> 'command'`, '=', id)
      .orderBy('entry_no')
      .execute(),
  )
const count = async () => {
  const found = await app.records.system((tx) =>
    tx
      .selectFrom('equipment_command')
      .select((of) => of.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  )
  return found.n
}

describe('a command', () => {
  test('C1 C4 reaches its edge once, never kept by the broker, and the edge’s own words come back', async () => {
    const edge = await openEdge()
    const asked = send(40)
    const id = await edge.told()
    expect(edge.heard).toEqual([
      {
        retain: false,
        qos: 1,
        command: {
          ...{ v: 1, id, action: 'manual-control', testType: 'control', groupId: 'cold', profiles: [{ setPoint: 40 }] },
          ...{ issuedAt: new Date(nowMs).toISOString(), ttlS: 15, maxHoldS: 1800, by: expect.any(String) },
        },
      },
    ])
    expect(await row(id)).toMatchObject({ is_open: true, sent_at: new Date(nowMs), status: null })
    move(420)
    await edge.answer(id, 'APPLIED', { setPoint: 40, detail: 'two compressors off' })
    const { status, body } = await asked
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...{ _id: id, setPoint: 40, status: 'APPLIED', detail: 'two compressors off' },
      issuedAt: new Date(nowMs - 420).toISOString(),
      answeredAt: new Date(nowMs).toISOString(),
      heldUntil: new Date(nowMs - 420 + 1_800_000).toISOString(),
    })
    expect(await trail(id)).toMatchObject([
      {
        ...{ who: 'sudoer@north.example', action: 'equipment.control', subject: 'North Cold', result: 'ok' },
        after: { edge: 'north-edge', setPoint: 40, action: 'manual-control' },
      },
      { who: 'north-edge', action: 'equipment.answer', subject: 'North Cold', result: 'APPLIED' },
    ])
    expect((await verifyChain(app.records, ids.customer)).firstBroken).toBeNull()
    const log = await app.records.system((tx) =>
      tx
        .selectFrom('command_log')
        .select(['device_id', 'command'])
        .where('instance_id', '=', ids.cold)
        .where('at', '=', new Date(nowMs - 420))
        .execute(),
    )
    expect(log).toEqual([{ device_id: 'north-edge', command: 'manual-control setPoint=40' }])
    expect(edge.heard).toHaveLength(1)
  })

  test('C1 is answered after 9 s too', async () => {
    const edge = await openEdge()
    const asked = send(10)
    const id = await edge.told()
    move(9000)
    await edge.answer(id, 'ACCEPTED')
    expect((await asked).body.data).toMatchObject({ status: 'ACCEPTED', answeredAt: new Date(nowMs).toISOString() })
  })

  test('C1 without an answer for 10 s: NO RESPONSE FROM EDGE with status 200; a late answer is written down and changes nothing', async () => {
    const edge = await openEdge()
    const asked = send(20)
    const id = await edge.told()
    move(10_000)
    const { status, body } = await asked
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ _id: id, status: 'NO RESPONSE FROM EDGE', answeredAt: null })
    move(1000)
    await edge.answer(id, 'APPLIED')
    await edge.answer(id, 'ERROR: twice')
    expect(await row(id)).toMatchObject({
      ...{ status: 'NO RESPONSE FROM EDGE', answered_at: null, is_open: false },
      ...{ late_status: 'APPLIED', late_at: new Date(nowMs) },
    })
    expect((await trail(id)).map(({ who, action, result }) => [who, action, result])).toEqual([
      ['sudoer@north.example', 'equipment.control', 'ok'],
      ['sudoer@north.example', 'equipment.answer', 'NO RESPONSE FROM EDGE'],
      ['north-edge', 'equipment.late-answer', 'APPLIED'],
    ])
  })

  test.each(['REJECTED: LOCAL MODE', 'ERROR: relay 3 stuck'])(
    'C1 refused by the edge: %s is what is said',
    async (words) => {
      const edge = await openEdge()
      const asked = send(20)
      await edge.answer(await edge.told(), words)
      expect((await asked).body.data.status).toBe(words)
    },
  )

  test('C1 R4 a second command while one is open is a 409 and never sent', async () => {
    const edge = await openEdge()
    const asked = send(20)
    const id = await edge.told()
    const before = await count()
    const both = await Promise.all([send(30), send(0), send(30, { groupId: ids.heat })])
    expect(both.map(({ status, body }) => [status, body.message])).toEqual(both.map(() => [409, m.commandOpen]))
    expect(await count()).toBe(before)
    await edge.answer(id, 'APPLIED')
    await asked
    const next = send(0)
    await edge.answer(await edge.told(2), 'APPLIED')
    await next
    expect(edge.heard.map(({ command }) => command.profiles[0]?.setPoint)).toEqual([20, 0])
  })

  test('R4 of ten commands at the same moment one is given', async () => {
    const edge = await openEdge()
    const asked = Array.from({ length: 10 }, () => send(50))
    await edge.answer(await edge.told(), 'APPLIED')
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
    expect(edge.heard).toHaveLength(1)
  })

  test('C1 the same answer twice is one answer, the first', async () => {
    const edge = await openEdge()
    const asked = send(20)
    const id = await edge.told()
    await Promise.all([edge.answer(id, 'APPLIED'), edge.answer(id, 'APPLIED')])
    await edge.answer(id, 'ERROR: other')
    expect((await asked).body.data.status).toBe('APPLIED')
    expect(await row(id)).toMatchObject({ status: 'APPLIED', late_status: null })
    expect((await trail(id)).filter(({ action }) => action !== 'equipment.control')).toHaveLength(1)
  })

  test('D1 T1 an answer from another edge, or to a command that never was, is none', async () => {
    const [edge, other] = [await openEdge(), await openEdge('west-edge')]
    const asked = send(20)
    const id = await edge.told()
    await other.answer(id, 'APPLIED')
    await edge.answer(newId(), 'APPLIED')
    expect(await row(id)).toMatchObject({ is_open: true, status: null })
    await edge.answer(id, 'REJECTED: LOCAL MODE')
    expect((await asked).body.data.status).toBe('REJECTED: LOCAL MODE')
    expect(other.heard).toEqual([])
    expect(await trail(id)).toHaveLength(2)
    const metrics = await app.metrics.registry.metrics()
    expect(metrics).toMatch(/gridmast_quarantined_total\{reason="unknown command"\} 2/)
  })

  test('C1 an edge that was away when it was given gets it once when it is back', async () => {
    const session = { clientId: 'north', clean: false }
    const first = await openEdge('north-edge', session)
    await first.client.endAsync()
    const asked = send(30)
    await expect
      .poll(
        () =>
          app.records.system((tx) =>
            tx.selectFrom('equipment_command').select('sent_at').where('is_open', '=', true).executeTakeFirst(),
          ),
        soon,
      )
      .toMatchObject({ sent_at: new Date(nowMs) })
    const again = await openEdge('north-edge', session)
    await again.answer(await again.told(), 'APPLIED')
    expect((await asked).body.data.status).toBe('APPLIED')
    expect(again.heard).toHaveLength(1)
  })

  test.each([-3000, 3000])('C1 the clock of the edge is %i ms off: its answer is an answer', async (offMs) => {
    const edge = await openEdge()
    const asked = send(20)
    const id = await edge.told()
    move(200)
    await edge.answer(id, 'APPLIED', { ts: new Date(nowMs + offMs).toISOString() })
    expect((await asked).body.data).toMatchObject({ status: 'APPLIED', answeredAt: new Date(nowMs).toISOString() })
  })

  /** A row as a process leaves it that dies after its commit, or after it took it to send it. */
  const leftOpen = async (sentAt: Date | null) => {
    const id = newId(nowMs)
    await app.records.system((tx) =>
      tx
        .insertInto('equipment_command')
        .values({
          ...{ customer_id: ids.customer, command_id: id, edge_id: ids.edge, instance_id: ids.cold },
          ...{ user_id: newId(), action: 'manual-control', test_type: 'control', set_point: 90, target: 'North Cold' },
          ...{ issued_at: new Date(nowMs), expires_at: new Date(nowMs + 15_000), held_until: new Date(nowMs + 1) },
          sent_at: sentAt,
        })
        .execute(),
    )
    return id
  }

  test('C1 what a process that died left open blocks for 15 s and no longer; it is never sent', async ({ skip }) => {
    skip(!app.records.embedded, 'on a server the commit itself tells those who send')
    const edge = await openEdge()
    const id = await leftOpen(null)
    move(14_999)
    expect((await send(20)).status).toBe(409)
    move(1)
    app.news.changed('command', id)
    const asked = send(20)
    await edge.answer(await edge.told(), 'APPLIED')
    expect((await asked).status).toBe(200)
    expect(edge.heard.map(({ command }) => command.profiles[0]?.setPoint)).toEqual([20])
    expect(await row(id)).toMatchObject({ is_open: false, status: 'NO RESPONSE FROM EDGE', sent_at: null })
    expect(await trail(id)).toMatchObject([{ who: 'server', action: 'equipment.answer' }])
  })

  test('C1 a process that died between taking a command and publishing it: nobody takes it again', async () => {
    const edge = await openEdge()
    const id = await leftOpen(new Date(nowMs))
    app.news.changed('command', id)
    // Told twice, an untaken one is sent once.
    move(15_000)
    const next = await (async () => {
      const asked = send(20)
      const told = await edge.told()
      app.news.changed('command', told)
      app.news.changed('command', id)
      await edge.answer(told, 'APPLIED')
      return asked
    })()
    expect(next.status).toBe(200)
    const last = send(0)
    await edge.answer(await edge.told(2), 'APPLIED')
    await last
    expect(edge.heard.map(({ command }) => command.profiles[0]?.setPoint)).toEqual([20, 0])
  })

  test('0 without a group releases every instance of the edge, any other set point asks which', async () => {
    const edge = await openEdge()
    const which = await send(10, { groupId: undefined })
    expect([which.status, which.body.errors]).toEqual([400, { groupId: m.groupNeeded }])
    const asked = send(0, { groupId: undefined })
    const id = await edge.told()
    expect(edge.heard[0]?.command).not.toHaveProperty('groupId')
    await edge.answer(id, 'APPLIED')
    expect((await asked).body.data).toMatchObject({ setPoint: 0, status: 'APPLIED' })
    const logged = await app.records.system((tx) =>
      tx.selectFrom('command_log').select('instance_id').where('at', '=', new Date(nowMs)).execute(),
    )
    expect(logged.map(({ instance_id }) => instance_id).toSorted()).toEqual([ids.cold, ids.heat].toSorted())
  })
})

describe('C2 refused with the reason, and nothing is published', () => {
  const refused = async (answer: ReturnType<typeof send>, status: number, message: string) => {
    const edge = await openEdge()
    const before = await count()
    expect([(await answer).status, (await answer).body.message]).toEqual([status, message])
    expect([edge.heard, await count()]).toEqual([[], before])
  }

  test('an edge that has not reported for 15 minutes', async () => {
    await setEdge({ last_reported_at: new Date(nowMs - 15 * 60_000) })
    await refused(send(10), 409, 'The edge has not reported in the last 15 minutes')
    await setEdge({ last_reported_at: null })
    await refused(send(0), 409, 'The edge has not reported in the last 15 minutes')
  })

  test.each([['v4.3.9'], ['v3.99.99'], ['4.4'], [null]])('an edge of version %s', async (version) => {
    await setEdge({ code_version: version })
    await refused(send(10, { edgeVersionValue: edgeVersionValue(version) ?? 0 }), 409, m.edgeTooOld)
  })

  test('a version that is no longer the one the page shows', async () => {
    await refused(send(10, { edgeVersionValue: 40_401 }), 409, m.edgeVersionChanged)
    await setEdge({ code_version: 'v4.3.9' })
    await refused(send(10), 409, m.edgeVersionChanged)
  })

  test.each([
    [-10, 'Must be greater than or equal to 0'],
    [110, 'Must be lesser than or equal to 100'],
    [45, 'Number must be a multiple of 10'],
    [0.5, 'Number must be a multiple of 10'],
    ['40', 'Must be a number'],
    [null, 'Must be a number'],
  ])('R3 a set point of %j', async (setPoint, message) => {
    await refused(send(0, { profiles: [setPoint] }), 400, message)
  })

  test.each([
    [{ profiles: [] }, 'profiles'],
    [{ profiles: [10, 20] }, 'profiles'],
    [{ profiles: [{ setPoint: 10 }] }, 'profiles.0'],
    [{ action: 'reboot' }, 'action'],
    [{ testType: 'all' }, 'testType'],
    [{ edgeVersionValue: 'v4.4.0' }, 'edgeVersionValue'],
    [{ edgeId: 'north-edge' }, 'edgeId'],
    [{ force: true }, 'force'],
  ])('R3 %j', async (over, field) => {
    const { status, body } = await send(0, over)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
  })

  test('T1 the edge of another customer, one that is disabled, and instances of others are the same 404', async () => {
    const west = await openEdge('west-edge')
    for (const over of [{ edgeId: ids.westEdge }, { edgeId: newId() }, { groupId: ids.westCold }, { groupId: newId() }])
      await refused(send(10, over), 404, m.notFound)
    await refused(send(0, { edgeId: ids.westEdge, groupId: undefined }), 404, m.notFound)
    const before = await count()
    await setEdge({ enabled: false })
    const disabled = await send(10)
    await setEdge({ enabled: true })
    expect([disabled.status, disabled.body.message, await count()]).toEqual([404, m.notFound, before])
    expect(west.heard).toEqual([])
  })

  test('R1 anybody but a sudoer', async () => {
    for (const role of ['expert', 'auditor', 'custom']) {
      const answer = await app.ask(controlEquipment, {
        token: await app.tokenOf(`${role}@north.example`),
        body: {
          profiles: [0],
          edgeId: ids.edge,
          action: 'manual-control',
          testType: 'control',
          edgeVersionValue: 40_400,
        },
      })
      expect(answer.status).toBe(403)
    }
  })

  describe('while a market activation runs', () => {
    const series = async (kind: string, instance = ids.cold) => {
      const found = await app.records.system((tx) =>
        tx
          .selectFrom('signal')
          .select('no')
          .where('instance_id', '=', instance)
          .where('kind', '=', kind)
          .executeTakeFirstOrThrow(),
      )
      return found.no
    }
    const measured = async (kind: string, value: number, agoMs = 1000) =>
      app.readings.insert([{ signalNo: await series(kind), t0Ms: nowMs - agoMs, dtMs: 1000, values: [value] }])
    const obeyed = async (setPoint: number) => {
      const edge = await openEdge()
      move(1)
      const asked = send(setPoint)
      await edge.answer(await edge.told(), 'APPLIED')
      expect((await asked).body.data.status).toBe('APPLIED')
    }
    const event = (started: number, ended: number | null) =>
      app.records.system((tx) =>
        tx
          .insertInto('edge_event')
          .values({
            ...{ customer_id: ids.customer, event_id: newId(), instance_id: ids.cold, market: 'FCR-D-INC' },
            ...{ direction: 'increased', started_at: new Date(nowMs - started), received_at: new Date(nowMs) },
            ended_at: ended === null ? null : new Date(nowMs - ended),
          })
          .execute(),
      )

    test('that the edge has told of; one that has ended, or never ended in an hour, does not hold', async () => {
      await event(60_000, 10_000)
      await event(3_600_001, null)
      await obeyed(10)
      await event(5000, null)
      await refused(send(20), 409, m.marketActive)
    })

    test('that the frequency calls; a value of a minute ago says nothing', async () => {
      await measured('frequency', 49.89, 61_000)
      await obeyed(10)
      await measured('frequency', 0) // no grid: the meter is broken
      await obeyed(10)
      await measured('frequency', 49.89)
      await refused(send(20), 409, m.marketActive)
    })

    test('that the set point shows; what was set by hand is none, nor what it leaves behind for 15 s', async () => {
      await measured('frequency', 50)
      await measured('setPoint', 35)
      await refused(send(20), 409, m.marketActive)
      await measured('setPoint', 0, 500)
      await obeyed(40)
      move(10_000)
      await measured('setPoint', 40)
      await obeyed(70)
      await obeyed(0)
      move(5000)
      await measured('setPoint', 70, 4000)
      await obeyed(10)
      await obeyed(0)
      move(20_000)
      await measured('setPoint', 35)
      await refused(send(20), 409, m.marketActive)
    })

    test('a release takes only the hand away: 0 is sent whatever runs', async () => {
      await event(5000, null)
      await measured('frequency', 49.5)
      await obeyed(0)
    })
  })
})
