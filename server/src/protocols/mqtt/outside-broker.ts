import { type EdgeAck, edgeAckName, edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { connect, type IPublishPacket } from 'mqtt'
import { parseJson } from '#platform/http/parse-json.ts'
import type { Publish } from './broker.ts'
import { type EdgeMessage, type OnEdgeMessage, type EdgeMessageKind, readTopic } from './topics.ts'

type OutsideBrokerOptions = {
  url: string
  /** Constant and unique per process, because the broker queues messages under it while this server is offline. */
  clientId: string
  onMessage: OnEdgeMessage
  log?: Record<'info' | 'warn', (details: object, message: string) => void>
  now?: () => number
  inFlight?: number
  retryMs?: number
}

export type OutsideBroker = {
  trouble: () => string | null
  publish: Publish
  /** Waits for pending commits, 5 s at most; the broker keeps the rest. */
  close: () => Promise<void>
}

const kinds = ['status', 'telemetry/+', 'meter/+', 'event/+', 'log/+', 'cmd/res']

/**
 * Client of an external broker, connected in the background. The broker keeps each message until it is committed here, but may lose messages,
 * so an edge keeps messages of groups until `ack` names them (security rule D1). That broker decides publish permissions: see the operator's
 * guide.
 */
export const joinBroker = (options: OutsideBrokerOptions): OutsideBroker => {
  const { url, clientId, onMessage, log, now = Date.now, inFlight: maxInFlight = 1000, retryMs = 1000 } = options
  const { host } = new URL(url)
  const client = connect(url, {
    clientId,
    protocolVersion: 4,
    clean: false,
    resubscribe: false,
    reconnectPeriod: retryMs,
    reconnectOnConnackError: true,
    connectTimeout: 10_000,
  })
  let trouble: string | null = `Not joined to the MQTT broker at ${host} yet`
  const inFlight = new Set<Promise<void>>()
  let isClosing = false

  const setTrouble = (newTrouble: string | null) => {
    if (newTrouble === trouble || isClosing) return
    trouble = newTrouble
    if (newTrouble) log?.warn({ broker: host }, newTrouble)
    else log?.info({ broker: host, clientId }, 'joined the MQTT broker')
  }
  client.on('error', (error) =>
    setTrouble(`No connection to the MQTT broker at ${host}: ${error.message || errorCode(error)}`),
  )
  client.on('close', () => setTrouble(trouble ?? `Lost the connection to the MQTT broker at ${host}`))
  client.on('connect', () => {
    const topics = kinds.map((kind) => `gm/v1/+/${kind}`)
    client.subscribe(topics, { qos: 1 }, (error, granted = []) => {
      const refused = granted.find(({ qos }) => qos !== 1)
      if (refused) setTrouble(`The MQTT broker at ${host} does not let this server read ${refused.topic}`)
      else if (!error) setTrouble(null)
    })
  })

  const publish: OutsideBroker['publish'] = async (topic, payload, { retain = false } = {}) => {
    await client.publishAsync(topic, payload === null ? '' : JSON.stringify(payload), { qos: 1, retain })
  }
  const acks = ackSender((edge, ack) => {
    publish(edgeTopic.ack(edge), ack).catch(() => {}) // the edge repeats unacknowledged messages
  })

  const store = async (message: EdgeMessage): Promise<boolean> => {
    for (let failures = 0; !isClosing; failures++) {
      try {
        await onMessage(message)
        return true
      } catch (error) {
        if (failures === 0) log?.warn({ err: error, edge: message.edgeKey }, 'message not stored, trying again')
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
    return false
  }

  let pubacks = pubackQueue()
  client.on('connect', () => (pubacks = pubackQueue()))

  const accept = async (packet: IPublishPacket, acknowledge: () => void) => {
    const address = readTopic(packet.topic)
    // An empty payload removes a retained message.
    if (!address || packet.payload.length === 0) return acknowledge()
    const payload = Buffer.from(packet.payload)
    if (!(await store({ ...address, topic: packet.topic, payload, receivedAtMs: now() }))) return
    if (address.groupId !== null) acks.add(address.edgeKey, address.groupId, nameOf(address.kind, payload))
    acknowledge()
  }

  client.handleMessage = (packet, done) => {
    const { stream } = client
    const settled = pubacks.add(packet.messageId)
    const accepting: Promise<void> = accept(packet, () => {
      const bytes = settled()
      // Packet identifiers of a closed connection mean other messages on the next one.
      if (client.stream === stream && client.connected && bytes.length > 0) stream.write(bytes)
    }).finally(() => {
      inFlight.delete(accepting)
      if (inFlight.size === maxInFlight - 1) readOn()
    })
    inFlight.add(accepting)
    // With an error the library sends no PUBACK and reads the next message (mqtt.js otherwise acknowledges one at a time).
    readOn = () => done(new Error('acknowledged after the commit'))
    if (inFlight.size < maxInFlight) readOn()
  }
  let readOn = () => {}

  return {
    trouble: () => trouble,
    publish,
    close: async () => {
      isClosing = true
      await Promise.race([Promise.all(inFlight), new Promise((resolve) => setTimeout(resolve, 5000).unref())])
      await client.endAsync(!client.connected)
    },
  }
}

const errorCode = (error: Error) => ('code' in error ? String(error.code) : error.name)

/** PUBACKs are sent in the order of the messages ([MQTT-4.6.0-2]). */
export const pubackQueue = () => {
  const waiting: { id: number | undefined; isDone: boolean }[] = []
  return {
    add: (id: number | undefined) => {
      const entry = { id, isDone: false }
      waiting.push(entry)
      return (): Buffer => {
        entry.isDone = true
        const open = waiting.findIndex(({ isDone }) => !isDone)
        const ready = waiting.splice(0, open < 0 ? waiting.length : open)
        // QoS 0 has no identifier and no acknowledgement.
        return Buffer.from(ready.flatMap(({ id: of }) => (of === undefined ? [] : [0x40, 2, of >> 8, of & 0xff])))
      }
    },
  }
}

/** Collects commits of one moment, so that an insert of many messages is one `ack` per group. */
const ackSender = (send: (edge: string, ack: EdgeAck) => void) => {
  const groups = new Map<string, { edge: string; ack: EdgeAck }>()
  const flush = () => {
    for (const { edge, ack } of groups.values()) send(edge, ack)
    groups.clear()
  }
  return {
    add: (edge: string, groupId: string, name: EdgeAck['stored'][number] | null) => {
      if (!name) return
      if (groups.size === 0) setImmediate(flush)
      const key = `${edge}/${groupId}`
      const group = groups.get(key) ?? { edge, ack: { v: 1, groupId, stored: [] } }
      group.ack.stored.push(name)
      groups.set(key, group)
    },
  }
}

/** The name of a message for `ack`; null for quarantined ones without a valid name, and for kinds without a group. */
const nameOf = (kind: EdgeMessageKind, payload: Buffer): EdgeAck['stored'][number] | null => {
  if (kind === 'status' || kind === 'cmd/res') return null
  try {
    const message: unknown = parseJson(payload.toString('utf8'))
    return edgeAckName[kind].safeParse({ ...(message as object), kind }).data ?? null // a non-object has no name
  } catch {
    return null
  }
}
