import { m } from '@gridmast/contract/messages.ts'
import { describe, expect, test } from 'vitest'
import { verifyChain } from '#platform/records/audit.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import { addRows, storedRows } from '#testing/rows.ts'
import { controlForTests, soon } from './control.fixture.ts'

const { at, move, send, openEdge, row, trail, count } = controlForTests()

describe('commands', () => {
  test('C1 C4 a command reaches its edge once, is not retained, and returns the answer of the edge', async () => {
    const edge = await openEdge()
    const asked = send(40)
    const id = await edge.commandId()
    expect(edge.received).toEqual([
      {
        retain: false,
        qos: 1,
        command: {
          v: 1,
          id,
          action: 'manual-control',
          testType: 'control',
          groupId: 'cold',
          profiles: [{ setPoint: 40 }],
          issuedAt: new Date(at.nowMs).toISOString(),
          ttlS: 15,
          maxHoldS: 1800,
          by: expect.any(String),
        },
      },
    ])
    expect(await row(id)).toMatchObject({ is_open: true, sent_at: new Date(at.nowMs), status: null })
    move(420)
    await edge.answer(id, 'APPLIED', { setPoint: 40, detail: 'two compressors off' })
    const { status, body } = await asked
    expect(status).toBe(200)
    expect(body.data).toEqual({
      _id: id,
      setPoint: 40,
      status: 'APPLIED',
      detail: 'two compressors off',
      issuedAt: new Date(at.nowMs - 420).toISOString(),
      answeredAt: new Date(at.nowMs).toISOString(),
      heldUntil: new Date(at.nowMs - 420 + 1_800_000).toISOString(),
    })
    expect(await trail(id)).toMatchObject([
      {
        who: 'sudoer@north.example',
        action: 'equipment.control',
        subject: 'North Cold',
        result: 'ok',
        after: { edge: 'north-edge', setPoint: 40, action: 'manual-control' },
      },
      { who: 'north-edge', action: 'equipment.answer', subject: 'North Cold', result: 'APPLIED' },
    ])
    expect((await verifyChain(at.app.records, at.ids.customer)).firstBroken).toBeNull()
    const log = await storedRows(
      at.app.records,
      'command_log',
      { instance_id: at.ids.cold, at: new Date(at.nowMs - 420) },
      ['device_id', 'command'],
    )
    expect(log).toEqual([{ device_id: 'north-edge', command: 'manual-control setPoint=40' }])
    expect(edge.received).toHaveLength(1)
  })

  test('C1 an answer after 9 s is returned', async () => {
    const edge = await openEdge()
    const asked = send(10)
    const id = await edge.commandId()
    move(9000)
    await edge.answer(id, 'ACCEPTED')
    expect((await asked).body.data).toMatchObject({ status: 'ACCEPTED', answeredAt: new Date(at.nowMs).toISOString() })
  })

  test('C1 without an answer for 10 s the status is NO RESPONSE FROM EDGE, and a late answer is only recorded', async () => {
    const edge = await openEdge()
    const asked = send(20)
    const id = await edge.commandId()
    move(10_000)
    const { status, body } = await asked
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ _id: id, status: 'NO RESPONSE FROM EDGE', answeredAt: null })
    move(1000)
    await edge.answer(id, 'APPLIED')
    await edge.answer(id, 'ERROR: twice')
    expect(await row(id)).toMatchObject({
      status: 'NO RESPONSE FROM EDGE',
      answered_at: null,
      is_open: false,
      late_status: 'APPLIED',
      late_at: new Date(at.nowMs),
    })
    expect((await trail(id)).map(({ who, action, result }) => [who, action, result])).toEqual([
      ['sudoer@north.example', 'equipment.control', 'ok'],
      ['sudoer@north.example', 'equipment.answer', 'NO RESPONSE FROM EDGE'],
      ['north-edge', 'equipment.late-answer', 'APPLIED'],
    ])
  })

  test.each(['REJECTED: LOCAL MODE', 'ERROR: relay 3 stuck'])(
    'C1 the refusal %s of the edge is returned',
    async (words) => {
      const edge = await openEdge()
      const asked = send(20)
      await edge.answer(await edge.commandId(), words)
      expect((await asked).body.data.status).toBe(words)
    },
  )

  test('C1 R4 a second command while one is open is a 409 and is not sent', async () => {
    const edge = await openEdge()
    const asked = send(20)
    const id = await edge.commandId()
    const before = await count()
    const both = await Promise.all([send(30), send(0), send(30, { groupId: at.ids.heat })])
    expect(both.map(({ status, body }) => [status, body.message])).toEqual(both.map(() => [409, m.commandOpen]))
    expect(await count()).toBe(before)
    await edge.answer(id, 'APPLIED')
    await asked
    const next = send(0)
    await edge.answer(await edge.commandId(2), 'APPLIED')
    await next
    expect(edge.received.map(({ command }) => command.profiles[0]?.setPoint)).toEqual([20, 0])
  })

  test('R4 of ten simultaneous commands one is accepted', async () => {
    const edge = await openEdge()
    const asked = Array.from({ length: 10 }, () => send(50))
    let refused = 0
    for (const one of asked) void one.then(({ status }) => (refused += Number(status === 409)))
    const id = await edge.commandId()
    // With few connections the last requests run after the first was answered.
    await expect.poll(() => refused, soon).toBe(9)
    await edge.answer(id, 'APPLIED')
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
    expect(edge.received).toHaveLength(1)
  })

  test('C1 of repeated answers the first one counts', async () => {
    const edge = await openEdge()
    const asked = send(20)
    const id = await edge.commandId()
    await Promise.all([edge.answer(id, 'APPLIED'), edge.answer(id, 'APPLIED')])
    await edge.answer(id, 'ERROR: other')
    expect((await asked).body.data.status).toBe('APPLIED')
    expect(await row(id)).toMatchObject({ status: 'APPLIED', late_status: null })
    expect((await trail(id)).filter(({ action }) => action !== 'equipment.control')).toHaveLength(1)
  })

  test('D1 T1 an answer from another edge or to an unknown command is ignored', async () => {
    const [edge, other] = [await openEdge(), await openEdge('west-edge')]
    const asked = send(20)
    const id = await edge.commandId()
    await other.answer(id, 'APPLIED')
    await edge.answer(newId(), 'APPLIED')
    expect(await row(id)).toMatchObject({ is_open: true, status: null })
    await edge.answer(id, 'REJECTED: LOCAL MODE')
    expect((await asked).body.data.status).toBe('REJECTED: LOCAL MODE')
    expect(other.received).toEqual([])
    expect(await trail(id)).toHaveLength(2)
    const metrics = await at.app.metrics.text()
    expect(metrics).toMatch(/gridmast_edge_quarantined_total\{reason="unknown command"\} 2/)
  })

  test('C1 an edge that reconnects in time gets the command once', async () => {
    const session = { clientId: 'north', clean: false }
    const first = await openEdge('north-edge', session)
    await first.client.endAsync()
    const asked = send(30)
    await expect
      .poll(
        () =>
          at.app.records.system((tx) =>
            tx.selectFrom('equipment_command').select('sent_at').where('is_open', '=', true).executeTakeFirst(),
          ),
        soon,
      )
      .toMatchObject({ sent_at: new Date(at.nowMs) })
    const again = await openEdge('north-edge', session)
    await again.answer(await again.commandId(), 'APPLIED')
    expect((await asked).body.data.status).toBe('APPLIED')
    expect(again.received).toHaveLength(1)
  })

  test.each([-3000, 3000])('C1 an answer is accepted with the clock of the edge %i ms off', async (offMs) => {
    const edge = await openEdge()
    const asked = send(20)
    const id = await edge.commandId()
    move(200)
    await edge.answer(id, 'APPLIED', { ts: new Date(at.nowMs + offMs).toISOString() })
    expect((await asked).body.data).toMatchObject({ status: 'APPLIED', answeredAt: new Date(at.nowMs).toISOString() })
  })

  const leftOpen = async (sentAt: Date | null) => {
    const id = newId(at.nowMs)
    await addRows(at.app.records, 'equipment_command', {
      customer_id: at.ids.customer,
      command_id: id,
      edge_id: at.ids.edge,
      instance_id: at.ids.cold,
      user_id: newId(),
      action: 'manual-control',
      test_type: 'control',
      set_point: 90,
      target: 'North Cold',
      issued_at: new Date(at.nowMs),
      expires_at: new Date(at.nowMs + 15_000),
      held_until: new Date(at.nowMs + 1),
      sent_at: sentAt,
    })
    return id
  }

  const notify = (id: string) => at.app.records.system(async (tx) => rowChanged(tx, 'command', id))

  test('C1 the open command of a crashed process blocks for 15 s and is never sent', async () => {
    const edge = await openEdge()
    const id = await leftOpen(null)
    move(14_999)
    expect((await send(20)).status).toBe(409)
    move(1)
    await notify(id)
    const asked = send(20)
    await edge.answer(await edge.commandId(), 'APPLIED')
    expect((await asked).status).toBe(200)
    expect(edge.received.map(({ command }) => command.profiles[0]?.setPoint)).toEqual([20])
    expect(await row(id)).toMatchObject({ is_open: false, status: 'NO RESPONSE FROM EDGE', sent_at: null })
    expect(await trail(id)).toMatchObject([{ who: 'server', action: 'equipment.answer' }])
  })

  test('C1 a command that a crashed process claimed is not claimed again', async () => {
    const edge = await openEdge()
    const id = await leftOpen(new Date(at.nowMs))
    await notify(id)
    move(15_000)
    const next = await (async () => {
      const asked = send(20)
      const commandId = await edge.commandId()
      await notify(commandId)
      await notify(id)
      await edge.answer(commandId, 'APPLIED')
      return asked
    })()
    expect(next.status).toBe(200)
    const last = send(0)
    await edge.answer(await edge.commandId(2), 'APPLIED')
    await last
    expect(edge.received.map(({ command }) => command.profiles[0]?.setPoint)).toEqual([20, 0])
  })

  test('a set point of 0 without a group releases every instance of the edge, any other requires a group', async () => {
    const edge = await openEdge()
    const which = await send(10, { groupId: undefined })
    expect([which.status, which.body.errors]).toEqual([400, { groupId: m.groupNeeded }])
    const asked = send(0, { groupId: undefined })
    const id = await edge.commandId()
    expect(edge.received[0]?.command).not.toHaveProperty('groupId')
    await edge.answer(id, 'APPLIED')
    expect((await asked).body.data).toMatchObject({ setPoint: 0, status: 'APPLIED' })
    const logged = await storedRows(at.app.records, 'command_log', { at: new Date(at.nowMs) }, ['instance_id'])
    expect(logged.map(({ instance_id }) => instance_id).toSorted()).toEqual([at.ids.cold, at.ids.heat].toSorted())
  })
})
