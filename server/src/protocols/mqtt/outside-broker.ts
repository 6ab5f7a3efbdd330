import { edgeTopic } from '@gridmast/contract/edge.ts'
import { connect, type IPublishPacket } from 'mqtt'
import type { OnEdgeMessage } from './edge-messages.ts'
import { readTopic } from './topics.ts'

export type OutsideBrokerOptions = {
  url: string
  onMessage: OnEdgeMessage
  log?: { warn: (details: object, message: string) => void }
  now?: () => number
  /** Messages that wait for their commit; more are not read from the broker. */
  inFlight?: number
  retryMs?: number
}

export type OutsideBroker = {
  isConnected: () => boolean
  publish: (topic: string, payload: object, options?: { retain?: boolean }) => Promise<void>
  close: () => Promise<void>
}

/**
 * Client of a broker that is not ours. That broker acknowledges on its own account, so an edge keeps a telemetry message until
 * `ack` names its `seq` or a higher one: only what is committed, without a hole, is named (security rule D1).
 * Who may publish where is that broker's business: see the operator's guide.
 */
export const joinBroker = async (options: OutsideBrokerOptions): Promise<OutsideBroker> => {
  const { url, onMessage, log, now = Date.now, inFlight: mostInFlight = 1000, retryMs = 1000 } = options
  const client = connect(url, { protocolVersion: 4, clean: true, resubscribe: true, reconnectPeriod: 1000 })
  const acks = ackKeeper()
  let inFlight = 0
  let isClosing = false
  const waiting: (() => void)[] = []

  const store = async (packet: IPublishPacket) => {
    const address = readTopic(packet.topic)
    if (!address) return
    const payload = Buffer.from(packet.payload)
    const seq = address.kind === 'telemetry' ? seqOf(payload) : null
    const group = address.groupId ?? ''
    if (seq !== null) acks.began(address.edgeKey, group, seq)
    while (!isClosing) {
      try {
        await onMessage({ ...address, topic: packet.topic, payload, receivedAtMs: now() })
        break
      } catch (error) {
        log?.warn({ err: error, edge: address.edgeKey }, 'message not stored, trying again')
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
    if (seq === null || isClosing) return
    const safe = acks.ended(address.edgeKey, group, seq)
    if (safe !== null) await publish(edgeTopic.ack(address.edgeKey), { v: 1, groupId: group, seq: safe })
  }

  const publish: OutsideBroker['publish'] = async (topic, payload, { retain = false } = {}) => {
    await client.publishAsync(topic, JSON.stringify(payload), { qos: 1, retain })
  }

  client.handleMessage = (packet, done) => {
    inFlight++
    store(packet)
      .catch((error: unknown) => log?.warn({ err: error }, 'acknowledgement not sent; the next one covers it'))
      .finally(() => {
        inFlight--
        waiting.shift()?.()
      })
    if (inFlight < mostInFlight) done()
    else waiting.push(() => done())
  }
  client.on('error', (error) => log?.warn({ err: error }, 'outside MQTT broker'))
  const kinds = ['status', 'telemetry/+', 'meter/+', 'event/+', 'log/+', 'cmd/res']
  await new Promise<void>((resolve) => client.once('connect', () => resolve()))
  await client.subscribeAsync(
    kinds.map((kind) => `gm/v1/+/${kind}`),
    { qos: 1 },
  )
  return {
    isConnected: () => client.connected,
    publish,
    close: async () => {
      isClosing = true
      await client.endAsync(true)
    },
  }
}

const seqOf = (payload: Buffer): number | null => {
  const found = /"seq"\s*:\s*(\d{1,15})/.exec(payload.toString('latin1'))
  return found ? Number(found[1]) : null
}

/** Names the highest `seq` of a group below which nothing is still on its way. Replayed old batches name the newest again. */
export const ackKeeper = () => {
  const groups = new Map<string, { open: number[]; highest: number }>()
  const of = (edge: string, group: string) => {
    const key = `${edge}/${group}`
    let state = groups.get(key)
    if (!state) groups.set(key, (state = { open: [], highest: -1 }))
    return state
  }
  return {
    began: (edge: string, group: string, seq: number) => void of(edge, group).open.push(seq),
    ended: (edge: string, group: string, seq: number): number | null => {
      const state = of(edge, group)
      state.open.splice(state.open.indexOf(seq), 1)
      state.highest = Math.max(state.highest, seq)
      const safe = Math.min(state.highest, ...state.open.map((open) => open - 1))
      return safe >= 0 ? safe : null
    },
  }
}
