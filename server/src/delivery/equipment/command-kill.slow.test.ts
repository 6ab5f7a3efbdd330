import { join } from 'node:path'
import { edgeCommand, edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { m } from '@gridmast/contract/messages.ts'
import { connect, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyChain } from '#platform/records/audit.ts'
import { openWholeServer } from '#testing/whole-server.ts'

const patiently = { timeout: 40_000, interval: 20 }
const key = 'north-edge'

let server: Awaited<ReturnType<typeof openWholeServer>>
let edge: MqttClient | undefined

const post = async (path: string, body: object, token?: string) => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { message?: string; data: { token: string; status: string } }
}
const signIn = async () => {
  const user = { email: 'sudoer@north.example', password: 'gridmast-demo' }
  return (await post('/user/login', { user })).data.token
}

const openEdge = async () => {
  const received: number[] = []
  edge = connect(`mqtt://127.0.0.1:${server.mqttPort}`, {
    clientId: key,
    clean: false,
    protocolVersion: 4,
    username: key,
    password: 'gridmast-demo',
    reconnectPeriod: 100,
  })
  const client = edge
  client.on('error', () => {})
  client.on('message', (_topic, payload) => {
    const { id, profiles } = edgeCommand.parse(JSON.parse(payload.toString()))
    received.push(...profiles.map(({ setPoint }) => setPoint))
    client.publish(edgeTopic.commandResponse(key), JSON.stringify({ v: 1, id, status: 'APPLIED' }), { qos: 1 })
  })
  const listens = async () => {
    await expect.poll(() => client.connected, patiently).toBe(true)
    await client.subscribeAsync(edgeTopic.commandRequest(key), { qos: 1 })
  }
  return { received, listens }
}

beforeEach(async () => {
  server = await openWholeServer(join(import.meta.dirname, 'kill-at.process.ts'))
})
afterEach(async () => {
  edge?.end(true)
  await server.close()
})

test('C1 kill -9 after the commit or after the claim of a command: it is never sent by a later process', async () => {
  const ids = await server.rows(async (records) => {
    return records.system(async (tx) => {
      await tx.updateTable('edge').set({ last_reported_at: new Date(), code_version: 'v4.4.0' }).execute()
      return tx
        .selectFrom('instance as i')
        .innerJoin('edge as e', 'e.edge_id', 'i.edge_id')
        .select(['e.customer_id', 'e.edge_id', 'i.instance_id'])
        .where('e.key', '=', key)
        .where('i.key', '=', 'cold')
        .executeTakeFirstOrThrow()
    })
  })
  const { received, listens } = await openEdge()
  const give = async (setPoint: number) =>
    post(
      '/client/iot-device/control',
      {
        profiles: [setPoint],
        edgeId: ids.edge_id,
        groupId: ids.instance_id,
        edgeVersionValue: 40_400,
        action: 'manual-control',
        testType: 'control',
      },
      await signIn(),
    )

  for (const [killAt, setPoint, sentAt] of [
    ['take', 40, null],
    ['publish', 70, expect.any(Date)],
  ] as const) {
    const dying = await server.serve(killAt)
    await listens()
    await expect(give(setPoint)).rejects.toThrow()
    expect((await dying.ended)[1]).toBe('SIGKILL')
    await server.rows((records) =>
      records.system(async (tx) => {
        const open = await tx.selectFrom('equipment_command').selectAll().where('is_open', '=', true).execute()
        expect(open).toMatchObject([{ set_point: setPoint, status: null, sent_at: sentAt }])
        await tx.updateTable('equipment_command').set({ expires_at: new Date() }).execute()
      }),
    )
  }

  const last = await server.serve('never')
  await listens()
  expect((await give(0)).data.status).toBe('APPLIED')
  last.child.kill('SIGTERM')
  await last.ended
  expect(received).toEqual([0])
  await server.rows(async (records) => {
    const trail = await records.system((tx) =>
      tx
        .selectFrom('audit_entry')
        .select(['who', 'action', 'result'])
        .where('action', 'like', 'equipment.%')
        .orderBy('entry_no')
        .execute(),
    )
    const given = ['sudoer@north.example', 'equipment.control', 'ok']
    const unanswered = ['server', 'equipment.answer', m.noResponseFromEdge]
    expect(trail.map(({ who, action, result }) => [who, action, result])).toEqual([
      given,
      unanswered,
      given,
      unanswered,
      given,
      [key, 'equipment.answer', 'APPLIED'],
    ])
    expect((await verifyChain(records, ids.customer_id)).firstBroken).toBeNull()
  })
})
