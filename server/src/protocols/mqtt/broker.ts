import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { edgeLimits } from '@gridmast/contract/delivery/edge.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { Aedes, type Client, type ConnectPacket, type PublishPacket } from 'aedes'
import { lineLimiter, ratesOf } from '#platform/http/limits.ts'
import { type OnEdgeMessage, type Refused, isEdgeName, isToEdge, maySubscribe, readTopic } from './topics.ts'

type BrokerLimits = {
  payloadBytes: number
  messagesPerSecond: number
  messageBurst: number
  inFlight: number
  connections: number
  connectionsPerEdge: number
}

export type Welcome = 'welcome' | 'credentials' | 'tries'

type BrokerOptions = {
  port: number
  host?: string
  authenticate: (edgeKey: string, secret: string, address: string) => Promise<Welcome>
  /** The stored credential of an edge, or null; `recheck` ends connections that started with another one. */
  credentialOf?: (edgeKey: string) => Promise<string | null>
  onMessage: OnEdgeMessage
  /** `topic` of a refused message or subscription. */
  onRefused?: (why: Refused, edgeKey: string | null, topic: string | null) => void
  limits?: Partial<BrokerLimits>
  log?: Record<'info' | 'warn', (details: object, message: string) => void>
  now?: () => number
}

export type Publish = (topic: string, payload: object | null, options?: { retain?: boolean }) => Promise<void>

export type Broker = {
  port: number
  connections: () => number
  isConnected: (edgeKey: string) => boolean
  /** To the topics of edges: `cmd/req`, `config` (retained), `ack`. Null removes the retained message. */
  publish: Publish
  recheck: () => Promise<void>
  close: () => Promise<void>
}

const defaults: BrokerLimits = {
  payloadBytes: edgeLimits.payloadBytes,
  messagesPerSecond: edgeLimits.messagesPerSecond,
  messageBurst: edgeLimits.messageBurst,
  inFlight: 1000,
  connections: 10_000,
  connectionsPerEdge: 10,
}

/** Log lines per minute, for each reason of refusal and for each edge's connects and disconnects. */
const linesPerMinute = 20

/** Byte limit before authentication; afterwards topic and header are added to the payload limit. */
const unauthenticatedBytes = 4096
const headerBytes = 512

/** `isEnding`: a refused message ends the connection; its later messages are not acknowledged. */
type Edge = { key: string; inFlight: number; credential: string | null; isEnding: boolean }

/** The embedded broker. A message is acknowledged after `onMessage` has resolved, that is after its commit (security rule D1). */
export const startBroker = async (options: BrokerOptions): Promise<Broker> => {
  const { authenticate, credentialOf = async () => null, onMessage, onRefused, log, now = Date.now } = options
  const limits = { ...defaults, ...options.limits }
  const edges = new WeakMap<Client, Edge>()
  const connected = new Map<string, Set<Client>>()
  /** Shared by all connections of an edge, so that a reconnect does not refill it. */
  const mayPass = ratesOf(limits.messagesPerSecond, limits.messageBurst, now)
  /** A separate limit for other packets: an edge that replays a day at full speed may still ping. */
  const mayPassOther = ratesOf(limits.messagesPerSecond, limits.messageBurst, now)
  const addresses = new WeakMap<Client, string>()
  const credentials = new WeakMap<Client, string | null>()
  const connectPackets = new WeakMap<Client, ConnectPacket>()
  /** Client ids per edge with a persistent session; an edge could invent any number. */
  const persistentIds = new Map<string, Set<string>>()
  const line = lineLimiter(linesPerMinute, now)
  let isClosing = false

  const logLine = (client: Client, name: string, text: string, edge = edges.get(client)?.key) =>
    line(name, (count) => log?.info({ edge, address: addresses.get(client), ...count }, text))

  const refuse = (
    why: Refused,
    client: Client | null,
    edgeKey = client ? edges.get(client)?.key : undefined,
    topic: string | null = null,
  ): Error => {
    onRefused?.(why, edgeKey ?? null, topic)
    if (client) logLine(client, why, `edge refused: ${why}`, edgeKey)
    return new Error(why)
  }

  /** The credential is read first: a change in between ends the connection at the next check. */
  const admit = async (client: Client, edgeKey: string, secret: string): Promise<Welcome> => {
    credentials.set(client, await credentialOf(edgeKey))
    return authenticate(edgeKey, secret, addresses.get(client) ?? '')
  }

  const accept = async (client: Client | null, packet: PublishPacket): Promise<void> => {
    const edge = client ? edges.get(client) : undefined
    if (!edge) throw refuse('protocol', client)
    if (edge.isEnding) throw new Error('ending')
    const end = (why: Refused): Error => {
      edge.isEnding = true
      return refuse(why, client, edge.key, packet.topic)
    }
    const address = readTopic(packet.topic)
    if (!address || address.edgeKey !== edge.key) throw end('foreign topic')
    // QoS 0 has no acknowledgement, and QoS 2 gains nothing: a repeated sample is one sample.
    if (packet.qos !== 1) throw end('qos')
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload)
    if (payload.length > limits.payloadBytes) throw end('oversize')
    if (!mayPass(edge.key)) throw end('rate')
    if (edge.inFlight >= limits.inFlight) throw end('in flight')
    if (address.kind !== 'status') packet.retain = false
    edge.inFlight++
    try {
      await onMessage({ ...address, topic: packet.topic, payload, receivedAtMs: now() })
    } catch (error) {
      line('not stored, why', (count) =>
        log?.warn({ err: error, edge: edge.key, ...count }, 'message not stored; the edge repeats it'),
      )
      throw end('not stored')
    } finally {
      edge.inFlight--
    }
  }

  const aedes = await Aedes.createBroker({
    concurrency: 0, // with a limit, that many subscribers that do not read would block all messages
    connectTimeout: 10_000,
    drainTimeout: 10_000,
    maxTopicLevels: 10,
    maxClientsIdLength: 200,
    preConnect: (client, packet, done) => {
      const isOversize = (packet.will?.payload.length ?? 0) > unauthenticatedBytes || packet.clientId.length > 100
      if (isOversize) return done(refuse('oversize', client, packet.username), false)
      if (packet.protocolVersion !== 4) return done(refuse('protocol', client, packet.username), false)
      // Sessions are keyed by client id; the edge's name as prefix prevents taking over another edge's connection.
      packet.clientId = `${packet.username ?? ''}/${packet.clientId || randomUUID()}`
      connectPackets.set(client, packet)
      done(null, true)
    },
    authenticate: (client, username = '', password, done) => {
      const secret = password?.toString('utf8') ?? ''
      const answer: Promise<Welcome> = isEdgeName(username)
        ? admit(client, username, secret)
        : Promise.resolve('credentials')
      answer.then(
        (welcome) => {
          const isFull = (connected.get(username)?.size ?? 0) >= limits.connectionsPerEdge
          const why = welcome !== 'welcome' ? welcome : isFull ? 'connections' : null
          if (why) refuse(why, client, isEdgeName(username) ? username : '')
          else if (!client.closed) connect(client, username)
          done(null, why === null)
        },
        (error: unknown) => {
          line('not checked', (count) =>
            log?.warn({ err: error, edge: username, ...count }, 'credentials could not be checked'),
          )
          // 3 is "server unavailable": the edge tries again.
          done(Object.assign(new Error('unavailable'), { returnCode: 3 }), false)
        },
      )
    },
    authorizePublish: (client, packet, done) => {
      if (isClosing) return done(new Error('closing'))
      accept(client, packet).then(() => done(null), done)
    },
    authorizeSubscribe: (client, subscription, done) => {
      const edge = edges.get(client)
      if (edge && maySubscribe(edge.key, subscription.topic)) return done(null, subscription)
      refuse('foreign subscription', client, edge?.key, subscription.topic)
      done(null, null)
    },
    authorizeForward: (_client, packet) => (isToEdge(packet.topic) ? packet : null),
  })

  queueNothingBetweenEdges(aedes)

  /** Client ids beyond the connection limit of an edge receive a clean session. */
  const keepSession = (client: Client, key: string) => {
    const packet = connectPackets.get(client)
    if (!packet || packet.clean) return
    const ids = persistentIds.get(key) ?? new Set()
    persistentIds.set(key, ids)
    if (ids.has(packet.clientId) || ids.size < limits.connectionsPerEdge) ids.add(packet.clientId)
    else {
      packet.clean = true
      client.clean = true
    }
  }

  const connect = (client: Client, key: string) => {
    keepSession(client, key)
    edges.set(client, { key, inFlight: 0, credential: credentials.get(client) ?? null, isEnding: false })
    connected.set(key, (connected.get(key) ?? new Set()).add(client))
    logLine(client, `edge ${key}`, 'edge connected')
  }
  const disconnect = (client: Client) => {
    const key = edges.get(client)?.key
    if (key === undefined) return
    const others = connected.get(key)
    others?.delete(client)
    if (others?.size === 0) connected.delete(key)
    logLine(client, `edge ${key}`, 'edge disconnected')
  }

  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.setKeepAlive(true, minuteMs)
    const client = aedes.handle(socket)
    addresses.set(client, socket.remoteAddress ?? '')
    socket.once('close', () => disconnect(client))
    guardSize(client, socket, limits.payloadBytes + headerBytes, () => refuse('oversize', client))
    parserOf(client).on('packet', ({ cmd }) => {
      const edge = edges.get(client)
      if (!edge || cmd === 'publish' || socket.destroyed || mayPassOther(edge.key)) return
      refuse('rate', client)
      socket.destroy()
    })
  })
  server.maxConnections = limits.connections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host ?? '0.0.0.0', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    connections: () => aedes.connectedClients,
    isConnected: (edgeKey) => connected.has(edgeKey),
    publish: (topic, payload, { retain = false } = {}) =>
      new Promise((resolve, reject) => {
        const packet = {
          cmd: 'publish' as const,
          topic,
          payload: payload === null ? '' : JSON.stringify(payload),
          qos: 1 as const,
          retain,
          dup: false,
        }
        aedes.publish(packet, (error) => (error ? reject(error) : resolve()))
      }),
    recheck: async () => {
      const all = [...connected].map(async ([key, clients]) => {
        const credential = await credentialOf(key)
        for (const client of clients) {
          if (edges.get(client)?.credential === credential) continue
          client.clean = true
          refuse('credentials', client)
          client.close()
        }
      })
      await Promise.all(all)
    },
    close: async () => {
      isClosing = true
      server.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
    },
  }
}

type Persistence = { subscriptionsByTopic: (topic: string) => Promise<unknown[]> }

/** Messages of edges are for the server only: nothing is queued for offline subscribers, however wide their filter. */
const queueNothingBetweenEdges = (aedes: Aedes) => {
  const { persistence } = aedes as unknown as { persistence: Persistence } // missing in the declarations of aedes 1.2
  const subscriptionsByTopic = persistence.subscriptionsByTopic.bind(persistence)
  persistence.subscriptionsByTopic = async (topic) => (isToEdge(topic) ? subscriptionsByTopic(topic) : [])
}

type Parser = {
  parse: (bytes: Buffer) => number
  packet: { length: number }
  on: (event: 'packet', listener: (packet: { cmd: string }) => void) => void
}
const parserOf = (client: Client) => (client as unknown as { _parser: Parser })._parser // aedes has no option for the packet size; the version is pinned

/** Ends a connection as soon as a packet announces more than the limit, before its bytes are buffered. */
const guardSize = (client: Client, socket: Socket, limit: number, onOversize: () => void) => {
  const parser = parserOf(client)
  const parse = parser.parse.bind(parser)
  parser.parse = (bytes) => {
    const unparsedBytes = parse(bytes)
    if (parser.packet.length > (client.connected ? limit : unauthenticatedBytes)) {
      onOversize()
      socket.destroy()
    }
    return unparsedBytes
  }
}
