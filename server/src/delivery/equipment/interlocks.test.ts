import { controlEquipment, edgeVersionValue } from '@gridmast/contract/delivery/equipment.ts'
import { m } from '@gridmast/contract/messages.ts'
import { describe, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { addRows, storedRow } from '#testing/rows.ts'
import { controlForTests } from './control.fixture.ts'

const { at, move, setEdge, send, openEdge, count } = controlForTests()

describe('C2 a refused command states the reason and is not published', () => {
  const refused = async (answer: ReturnType<typeof send>, status: number, message: string) => {
    const edge = await openEdge()
    const before = await count()
    expect([(await answer).status, (await answer).body.message]).toEqual([status, message])
    expect([edge.received, await count()]).toEqual([[], before])
  }

  test('an edge without a report for 15 minutes', async () => {
    await setEdge({ last_reported_at: new Date(at.nowMs - 15 * 60_000) })
    await refused(send(10), 409, 'The edge has not reported in the last 15 minutes')
    await setEdge({ last_reported_at: null })
    await refused(send(0), 409, 'The edge has not reported in the last 15 minutes')
  })

  test.each([['v4.3.9'], ['v3.99.99'], ['4.4'], [null]])('an edge of version %s', async (version) => {
    await setEdge({ code_version: version })
    await refused(send(10, { edgeVersionValue: edgeVersionValue(version) ?? 0 }), 409, m.edgeTooOld)
  })

  test('an edge version that differs from the one on the page', async () => {
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

  test('T1 the edge of another customer, a disabled edge and instances of others give the same 404', async () => {
    const west = await openEdge('west-edge')
    for (const over of [
      { edgeId: at.ids.westEdge },
      { edgeId: newId() },
      { groupId: at.ids.westCold },
      { groupId: newId() },
    ])
      await refused(send(10, over), 404, m.notFound)
    await refused(send(0, { edgeId: at.ids.westEdge, groupId: undefined }), 404, m.notFound)
    const before = await count()
    await setEdge({ enabled: false })
    const disabled = await send(10)
    await setEdge({ enabled: true })
    expect([disabled.status, disabled.body.message, await count()]).toEqual([404, m.notFound, before])
    expect(west.received).toEqual([])
  })

  test('R1 any role but sudoer', async () => {
    for (const role of ['expert', 'auditor', 'custom']) {
      const answer = await at.app.ask(controlEquipment, {
        token: await at.app.tokenOf(`${role}@north.example`),
        body: {
          profiles: [0],
          edgeId: at.ids.edge,
          action: 'manual-control',
          testType: 'control',
          edgeVersionValue: 40_400,
        },
      })
      expect(answer.status).toBe(403)
    }
  })

  describe('during a market activation', () => {
    const series = async (kind: string, instance = at.ids.cold) => {
      const found = await storedRow(at.app.records, 'signal', { instance_id: instance, kind }, ['no'])
      return found.no
    }
    const measured = async (kind: string, value: number, agoMs = 1000) =>
      at.app.readings.insert([{ signalNo: await series(kind), t0Ms: at.nowMs - agoMs, dtMs: 1000, values: [value] }])
    const obeyed = async (setPoint: number) => {
      const edge = await openEdge()
      move(1)
      const asked = send(setPoint)
      await edge.answer(await edge.commandId(), 'APPLIED')
      expect((await asked).body.data.status).toBe('APPLIED')
    }
    const event = (started: number, ended: number | null) =>
      addRows(at.app.records, 'edge_event', {
        customer_id: at.ids.customer,
        event_id: newId(),
        instance_id: at.ids.cold,
        market: 'FCR-D-INC',
        direction: 'increased',
        started_at: new Date(at.nowMs - started),
        received_at: new Date(at.nowMs),
        ended_at: ended === null ? null : new Date(at.nowMs - ended),
      })

    test('an event of the edge without an end blocks for an hour', async () => {
      await event(60_000, 10_000)
      await event(3_600_001, null)
      await obeyed(10)
      await event(5000, null)
      await refused(send(20), 409, m.marketActive)
    })

    test('a frequency sample within the last minute blocks', async () => {
      await measured('frequency', 49.89, 61_000)
      await obeyed(10)
      await measured('frequency', 0) // no grid has 0 Hz: the meter is broken
      await obeyed(10)
      await measured('frequency', 49.89)
      await refused(send(20), 409, m.marketActive)
    })

    test('a set point of the market blocks, a manual one and the 15 s after it do not', async () => {
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

    test('a release with 0 is always sent', async () => {
      await event(5000, null)
      await measured('frequency', 49.5)
      await obeyed(0)
    })
  })
})
