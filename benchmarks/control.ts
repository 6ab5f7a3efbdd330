// A manual set point, from the call to its answer, with a local edge that answers at once.
import { edgeTopic } from '../contract/src/delivery/edge.ts'
import { connectAsync } from 'mqtt'
import { openEdges } from '../server/src/roles/edges.ts'
import { openTestApp } from '../server/src/testing/app.ts'

const [warmUp, rounds] = [50, 500]

export const control = async () => {
  const app = await openTestApp({ MQTT_PORT: '0', HOST: '127.0.0.1' })
  const edges = await openEdges(app)
  const key = 'north-edge'
  const { edge_id: edgeId, instance_id: groupId } = await app.records.system(async (tx) => {
    await tx.updateTable('edge').set({ last_reported_at: new Date(), code_version: 'v4.4.0' }).execute()
    return tx
      .selectFrom('instance as i')
      .innerJoin('edge as e', 'e.edge_id', 'i.edge_id')
      .select(['e.edge_id', 'i.instance_id'])
      .where('e.key', '=', key)
      .where('i.key', '=', 'cold')
      .executeTakeFirstOrThrow()
  })
  const token = await app.tokenOf('sudoer@north.example')
  const edge = await connectAsync({
    host: '127.0.0.1',
    port: edges.port ?? 0,
    protocolVersion: 4,
    username: key,
    password: 'gridmast-demo',
  })
  edge.on('message', (_topic, payload) => {
    const { id } = JSON.parse(payload.toString()) as { id: string } // the server's own message
    edge.publish(edgeTopic.commandResponse(key), JSON.stringify({ v: 1, id, status: 'APPLIED' }), { qos: 1 })
  })
  await edge.subscribeAsync(edgeTopic.commandRequest(key), { qos: 1 })
  const body = { edgeId, groupId, action: 'manual-control', testType: 'control', edgeVersionValue: 40_400 }
  const times: number[] = []
  for (let i = 0; i < warmUp + rounds; i++) {
    const startedAt = performance.now()
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/client/iot-device/control',
      headers: { authorization: `Bearer ${token}` },
      payload: { ...body, profiles: [(i % 11) * 10] },
    })
    if (i >= warmUp) times.push(performance.now() - startedAt)
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
  await edge.endAsync()
  await edges.close()
  await app.close()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

if (import.meta.main) console.log(JSON.stringify({ benchmark: 'control', ...(await control()) }))
