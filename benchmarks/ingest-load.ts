import { connectAsync } from 'mqtt'

/**
 * Edges with `inFlight` unacknowledged messages each, at once or one each `everyMs`: `node ingest-load.ts <port> <seconds> <inFlight>
 * <firstSampleMs> <everyMs> <edges> <samplesPerMessage>`. A line when all are connected, then one with the figures.
 */
const [port = 0, seconds = 10, inFlight = 4, firstMs = 0, everyMs = 0, count = 50, samples = 60] = process.argv
  .slice(2)
  .map(Number)
/** Connections that are opened at the same time. */
const atOnce = 100

/** Numbers with the lengths of real meter values; created once, because creating them is not measured. */
const lists = (edge: number) => {
  let state = edge * 7919
  const noise = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const list = (base: number, spread: number, digits: number) =>
    JSON.stringify(Array.from({ length: samples }, () => Number((base + spread * noise()).toFixed(digits))))
  return `"f":${list(49.95, 0.1, 3)},"p":${list(400, 25, 1)},"sp":${list(0, 0, 0)},"capUp":${list(380, 30, 1)},"capDn":${list(20, 5, 1)}`
}

let isOver = false

const openEdge = async (no: number) => {
  const key = `edge-${no}`
  const client = await connectAsync({
    host: '127.0.0.1',
    port,
    protocolVersion: 4,
    username: key,
    password: 'key',
    keepalive: 60,
    reconnectPeriod: 0,
  })
  client.once('close', () => {
    if (isOver) return
    console.error(`${key}: the connection was closed`) // its message in flight would never be acknowledged
    process.exit(1)
  })
  return { key, client, topic: `gm/v1/${key}/telemetry/instance-${no}`, body: lists(no), batches: 0 }
}
const edges: Awaited<ReturnType<typeof openEdge>>[] = []
while (edges.length < count) {
  const next = Array.from({ length: Math.min(atOnce, count - edges.length) }, (_, i) => edges.length + i + 1)
  edges.push(...(await Promise.all(next.map(openEdge))))
}
process.stdout.write(`${JSON.stringify({ connected: edges.length })}\n`)

const delays: number[] = []
let acknowledged = 0
const startedAt = performance.now()
const endAt = startedAt + seconds * 1000
const countFrom = startedAt + 1000
let lastAckAt = countFrom

const publish = (edge: (typeof edges)[number], startsAfterMs: number): Promise<void> =>
  new Promise((resolve) => {
    const next = () => {
      const sentAt = performance.now()
      if (sentAt >= endAt) return resolve()
      const t0 = new Date(firstMs + edge.batches * samples * 1000).toISOString()
      const payload = `{"v":1,"seq":${edge.batches++},"t0":"${t0}","dtMs":1000,${edge.body}}`
      edge.client.publish(edge.topic, payload, { qos: 1 }, (error) => {
        if (error) throw error
        const at = performance.now()
        if (at >= countFrom && at <= endAt) {
          delays.push(at - sentAt)
          acknowledged++
          lastAckAt = at
        }
        if (everyMs > 0) setTimeout(next, Math.max(0, everyMs - (at - sentAt)))
        else next()
      })
    }
    setTimeout(next, startsAfterMs)
  })

await Promise.all(
  edges.flatMap((edge, i) => Array.from({ length: inFlight }, () => publish(edge, (everyMs * i) / edges.length))),
)
isOver = true
delays.sort((a, b) => a - b)
const rank = (share: number) => delays[Math.floor(delays.length * share)] ?? 0
process.stdout.write(
  `${JSON.stringify({
    messagesPerS: (acknowledged / (lastAckAt - countFrom)) * 1000,
    samplesPerS: ((acknowledged * samples * 5) / (lastAckAt - countFrom)) * 1000,
    batches: edges.reduce((sum, edge) => sum + edge.batches, 0),
    ackP50Ms: rank(0.5),
    ackP99Ms: rank(0.99),
  })}\n`,
)
await Promise.all(edges.map((edge) => edge.client.endAsync(true)))
