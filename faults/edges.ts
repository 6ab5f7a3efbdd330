import { setTimeout as pause } from 'node:timers/promises'
import { connectAsync } from 'mqtt'
import pg from 'pg'
import { edgeAck, edgeTopic } from '../contract/src/delivery/edge.ts'
import { until } from './processes.ts'

const samples = 5
const everyMs = 100
const repeatAfterMs = 3000

type Message = { t0Ms: number; payload: string; sentMs: number }

/** An edge of the protocol that keeps each message until `ack` names it, and repeats it when it is not named. */
export const openEdge = async (url: string, key: string, group: string, frequencyOf?: (sample: number) => number) => {
  const client = await connectAsync(url, {
    clientId: key,
    clean: false,
    protocolVersion: 4,
    reconnectPeriod: 200,
    reconnectOnConnackError: true,
  })
  client.on('error', () => {})
  const firstMs = Math.floor((Date.now() - 86_400_000) / 1000) * 1000
  const kept = new Map<number, Message>()
  const acknowledged: { seq: number; t0Ms: number; sentMs: number; atMs: number }[] = []
  let seq = 0
  let isSending = true
  client.on('message', (_topic, bytes) => {
    for (const name of edgeAck.parse(JSON.parse(bytes.toString())).stored) {
      const message = 'seq' in name ? kept.get(name.seq) : undefined
      if (!message || !('seq' in name)) continue
      kept.delete(name.seq)
      acknowledged.push({ seq: name.seq, t0Ms: message.t0Ms, sentMs: message.sentMs, atMs: Date.now() })
    }
  })
  await client.subscribeAsync(edgeTopic.ack(key), { qos: 1 })
  const publish = (payload: string) => client.publish(edgeTopic.telemetry(key, group), payload, { qos: 1 }, () => {})
  const sending = (async () => {
    while (isSending) {
      const t0Ms = firstMs + ++seq * samples * 1000
      const numbers = Array.from({ length: samples }, (_, i) => seq * samples + i)
      const p = numbers.map((no) => no % 1e6)
      const f = frequencyOf ? { f: numbers.map(frequencyOf) } : {}
      const payload = JSON.stringify({ v: 1, seq, t0: new Date(t0Ms).toISOString(), dtMs: 1000, p, ...f })
      kept.set(seq, { t0Ms, payload, sentMs: Date.now() })
      publish(payload)
      await pause(everyMs)
    }
  })()
  const repeating = setInterval(() => {
    const old = [...kept.values()].filter(({ sentMs }) => Date.now() - sentMs > repeatAfterMs)
    if (client.connected) for (const { payload } of old) publish(payload)
  }, repeatAfterMs)
  return {
    acknowledged,
    /** Seconds from `faultMs` to the first acknowledgement of a message sent after it. */
    recoveryS: (faultMs: number): number => {
      const first = acknowledged.find(({ sentMs }) => sentMs > faultMs)
      return first ? (first.atMs - faultMs) / 1000 : Infinity
    },
    /** Ends the load when all messages are acknowledged. */
    finish: async () => {
      isSending = false
      await sending
      await until('all messages are acknowledged', () => kept.size === 0)
    },
    close: async () => {
      isSending = false
      clearInterval(repeating)
      await client.endAsync(true)
    },
    /** Compares the acknowledged samples with those of the store. */
    compare: async (records: string, readings: string): Promise<{ lost: number; doubled: number }> => {
      const rows = await storedSamples(await powerSignal(records, group), readings, firstMs)
      const values = new Map(rows)
      let lost = 0
      for (const message of acknowledged)
        for (let i = 0; i < samples; i++)
          if (values.get(message.t0Ms + i * 1000) !== (message.seq * samples + i) % 1e6) lost++
      return { lost, doubled: rows.length - values.size }
    },
  }
}

export type Edge = Awaited<ReturnType<typeof openEdge>>

const powerSignal = async (records: string, group: string): Promise<number> => {
  const client = new pg.Client({ connectionString: records })
  await client.connect()
  try {
    const { rows } = await client.query<{ no: number }>(
      `select s.no from signal s join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id
       where i.key = $1 and s.kind = 'power'`,
      [group],
    )
    if (!rows[0]) throw new Error(`the instance ${group} has no signal of its power`)
    return rows[0].no
  } finally {
    await client.end()
  }
}

/** As the portal reads them: the newest version of each time. */
const storedSamples = async (signalNo: number, readings: string, fromMs: number): Promise<[number, number][]> => {
  const { username, password, origin } = new URL(readings)
  const answer = await fetch(origin, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    body: `select toUnixTimestamp64Milli(ts), value from gridmast.samples final where signal_no = ${signalNo}
      and ts >= fromUnixTimestamp64Milli(toInt64(${fromMs}), 'UTC') format JSONCompactEachRow`,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [atMs, value] = JSON.parse(line) as [number | string, number]
      return [Number(atMs), value]
    })
}
