import { type EdgeCommand, edgeCommand, edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { controlEquipment } from '@gridmast/contract/delivery/equipment.ts'
import { sql } from 'kysely'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openEdges } from '#roles/edges.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { changeRows, storedRow } from '#testing/rows.ts'

const startMs = Date.parse('2026-11-20T10:00:00.000Z')
export const soon = { timeout: 10_000, interval: 5 }

type Ids = { customer: string; edge: string; cold: string; heat: string; westEdge: string; westCold: string }

export const controlForTests = () => {
  const at = { nowMs: startMs } as { app: TestApp; token: string; nowMs: number; ids: Ids } // filled before the first test
  let edges: Awaited<ReturnType<typeof openEdges>>
  const clients: MqttClient[] = []

  const move = (ms: number) => {
    at.nowMs += ms
    at.app.setNow(new Date(at.nowMs).toISOString())
  }

  beforeAll(async () => {
    at.app = await openTestApp({ MQTT_PORT: '0', HOST: '127.0.0.1' })
    at.nowMs = startMs
    move(0)
    edges = await openEdges(at.app)
    const rows = await at.app.records.system((tx) =>
      tx
        .selectFrom('instance as i')
        .innerJoin('edge as e', 'e.edge_id', 'i.edge_id')
        .select(['e.key as edge', 'e.edge_id', 'i.key', 'i.instance_id', 'e.customer_id'])
        .execute(),
    )
    const of = (edge: string, key: string) => rows.find((row) => row.edge === edge && row.key === key)
    at.ids = {
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
    await at.app.close()
  })
  beforeEach(async () => {
    move(3_600_000)
    at.token = await at.app.tokenOf('sudoer@north.example')
    await setEdge({ last_reported_at: new Date(at.nowMs), code_version: 'v4.4.0' })
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.end(true)
  })

  const setEdge = (values: { last_reported_at?: Date | null; code_version?: string | null; enabled?: boolean }) =>
    changeRows(at.app.records, 'edge', { edge_id: at.ids.edge }, values)

  const send = (setPoint: number, over: Record<string, unknown> = {}) =>
    at.app.ask(controlEquipment, {
      token: at.token,
      body: {
        profiles: [setPoint],
        edgeId: at.ids.edge,
        action: 'manual-control',
        testType: 'control',
        edgeVersionValue: 40_400,
        groupId: at.ids.cold,
        ...over,
      },
    })

  const openEdge = async (key = 'north-edge', options: IClientOptions = {}) => {
    const received: { command: EdgeCommand; retain: boolean; qos: number }[] = []
    const client = await connectAsync({
      host: '127.0.0.1',
      port: edges.port ?? 0,
      protocolVersion: 4,
      reconnectPeriod: 0,
      username: key,
      password: 'gridmast-demo',
      ...options,
    })
    clients.push(client)
    client.on('error', () => {})
    client.on('message', (_topic, payload, { retain, qos }) =>
      received.push({ command: edgeCommand.parse(JSON.parse(payload.toString())), retain, qos }),
    )
    await client.subscribeAsync(edgeTopic.commandRequest(key), { qos: 1 })
    const answer = (id: string, status: string, more: object = {}) =>
      client.publishAsync(edgeTopic.commandResponse(key), JSON.stringify({ v: 1, id, status, ...more }), { qos: 1 })
    const commandId = async (n = 1): Promise<string> => {
      await expect.poll(() => received.length, soon).toBeGreaterThanOrEqual(n)
      return received[n - 1]?.command.id ?? ''
    }
    return { client, received, answer, commandId }
  }

  const row = (id: string) => storedRow(at.app.records, 'equipment_command', { command_id: id })
  const trail = (id: string) =>
    at.app.records.system((tx) =>
      tx
        .selectFrom('audit_entry')
        .select(['who', 'action', 'subject', 'result', 'after'])
        .where('action', 'like', 'equipment.%')
        .where(sql`after ->> 'command'`, '=', id)
        .orderBy('entry_no')
        .execute(),
    )
  const count = async () => {
    const found = await at.app.records.system((tx) =>
      tx
        .selectFrom('equipment_command')
        .select((of) => of.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    )
    return found.n
  }

  return { at, move, setEdge, send, openEdge, row, trail, count }
}
