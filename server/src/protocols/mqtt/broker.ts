import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { edgeLimits } from '@gridmast/contract/delivery/edge.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { Aedes, type Client, type ConnectPacket, type PublishPacket } from 'aedes'
import { lineLimiter, ratesOf } from '#platform/http/rate.ts'
import { type OnEdgeMessage, type Refused, isEdgeName, isToEdge, maySubscribe, readTopic } from './topics.ts'

type BrokerLimits = {
  payloadBytes: number
  messagesPerSecond: number
  messageBurst: number
  /** Messages of one connection that wait for their commit. */
  inFlight: number
  connections: number
  connectionsPerEdge: number
}

/** The answer to a name and a secret: `tries` after too many wrong ones. */
export type Welcome = 'welcome' | 'credentials' | 'tries'

type BrokerOptions = {
  port: number
  host?: string
  authenticate: (edgeKey: string, secret: string, address: string) => Promise<Welcome>
  /** The stored credential of an edge, null without one: `recheck` ends connections that began with another. */
  credentialOf?: (edgeKey: string) => Promise<string | null>
  onMessage: OnEdgeMessage
  onRefused?: (why: Refused, edgeKey: string | null) => void
  limits?: Partial<BrokerLimits>
  log?: Record<'info' | 'warn', (details: object, message: string) => void>
  now?: () => number
}

export type Publish = (topic: string, payload: object | null, options?: { retain?: boolean }) => Promise<void>

export type Broker = {
  port: number
  connections: () => number
  isConnected: (edgeKey: string) => boolean
  /** To the topics that edges read: `cmd/req`, `config` (retained), `ack`. Null removes the retained message. */
  publish: Publish
  /** Credentials have changed. */
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

/** Lines a minute in the log: of each reason to refuse, and of each edge's comings and goings. */
const linesPerMinute = 20

/** Before a connection has signed in it may send no more than this; topic and header come on top of a payload. */
const strangerBytes = 4096
const headerBytes = 512

/** `isEnding`: a message was refused, which ends the connection; what it sent after that is not answered. */
type Edge = { key: string; inFlight: number; credential: string | null; isEnding: boolean }

/** The embedded broker. A message is acknowledged after `onMessage` has resolved, that is after its commit (security rule D1). */
export const startBroker = async (options: BrokerOptions): Promise<Broker> => {
  const { authenticate, credentialOf = async () => null, onMessage, onRefused, log, now = Date.now } = options
  const limits = { ...defaults, ...options.limits }
  const edges = new WeakMap<Client, Edge>()
  const connected = new Map<string, Set<Client>>()
  /** Shared by all connections of an edge, so that reconnecting does not refill it. */
  const mayPass = ratesOf(limits.messagesPerSecond, limits.messageBurst, now)
  /** The rest of what an edge says has a measure of its own: who replays a day at full speed may still ping. */
  const mayAsk = ratesOf(limits.messagesPerSecond, limits.messageBurst, now)
  const addresses = new WeakMap<Client, string>()
  const credentials = new WeakMap<Client, string | null>()
  const knocks = new WeakMap<Client, ConnectPacket>()
  /** Client ids of each edge for which the broker keeps what comes while they are away; an edge may invent any number. */
  const kept = new Map<string, Set<string>>()
  const line = lineLimiter(linesPerMinute, now)
  let isClosing = false

  const say = (client: Client, name: string, text: string, edge = edges.get(client)?.key) =>
    line(name, (leftOut) => log?.info({ edge, address: addresses.get(client), ...leftOut }, text))

  const refuse = (
    why: Refused,
    client: Client | null,
    edgeKey = client ? edges.get(client)?.key : undefined,
  ): Error => {
    onRefused?.(why, edgeKey ?? null)
    if (client) say(client, why, `edge refused: ${why}`, edgeKey)
    return new Error(why)
  }

  /** The credential is read first: one that changes in between ends the connection at the next check. */
  const admit = async (client: Client, edgeKey: string, secret: string): Promise<Welcome> => {
    credentials.set(client, await credentialOf(edgeKey))
    return authenticate(edgeKey, secret, addresses.get(client) ?? '')
  }

  const take = async (client: Client | null, packet: PublishPacket): Promise<void> => {
    const edge = client ? edges.get(client) : undefined
    if (!edge) throw refuse('protocol', client)
    if (edge.isEnding) throw new Error('ending')
    const end = (why: Refused): Error => {
      edge.isEnding = true
      return refuse(why, client)
    }
    const address = readTopic(packet.topic)
    if (!address || address.edgeKey !== edge.key) throw end('foreign topic')
    // With QoS 0 there is no acknowledgement to wait for, with QoS 2 nothing is gained: the same sample twice is one sample.
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
      line('not stored, why', (leftOut) =>
        log?.warn({ err: error, edge: edge.key, ...leftOut }, 'message not stored: the edge is to send it again'),
      )
      throw end('not stored')
    } finally {
      edge.inFlight--
    }
  }

  const aedes = await Aedes.createBroker({
    concurrency: 0, // with a number here, so many subscribers that do not read would hold up everybody's messages
    connectTimeout: 10_000,
    drainTimeout: 10_000,
    maxTopicLevels: 10,
    maxClientsIdLength: 200,
    preConnect: (client, packet, done) => {
      const isOversize = (packet.will?.payload.length ?? 0) > strangerBytes || packet.clientId.length > 100
      if (isOversize) return done(refuse('oversize', client), false)
      if (packet.protocolVersion !== 4) return done(refuse('protocol', client), false)
      // Sessions are kept by client id: with the edge's name in front nobody takes over the connection of another edge.
      packet.clientId = `${packet.username ?? ''}/${packet.clientId || randomUUID()}`
      knocks.set(client, packet)
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
          else if (!client.closed) comes(client, username)
          done(null, why === null)
        },
        (error: unknown) => {
          line('not checked', (leftOut) =>
            log?.warn({ err: error, edge: username, ...leftOut }, 'credentials could not be checked'),
          )
          // 3 is "server unavailable": the edge tries again.
          done(Object.assign(new Error('unavailable'), { returnCode: 3 }), false)
        },
      )
    },
    authorizePublish: (client, packet, done) => {
      if (isClosing) return done(new Error('closing'))
      take(client, packet).then(() => done(null), done)
    },
    authorizeSubscribe: (client, subscription, done) => {
      const edge = edges.get(client)
      if (edge && maySubscribe(edge.key, subscription.topic)) return done(null, subscription)
      refuse('foreign subscription', client)
      done(null, null)
    },
    authorizeForward: (_client, packet) => (isToEdge(packet.topic) ? packet : null),
  })

  keepNothingForOtherEdges(aedes)

  /** One id more than an edge has connections gets a session that ends with the connection. */
  const keepSession = (client: Client, key: string) => {
    const packet = knocks.get(client)
    if (!packet || packet.clean) return
    const ids = kept.get(key) ?? new Set()
    kept.set(key, ids)
    if (ids.has(packet.clientId) || ids.size < limits.connectionsPerEdge) ids.add(packet.clientId)
    else {
      packet.clean = true
      client.clean = true
    }
  }

  const comes = (client: Client, key: string) => {
    keepSession(client, key)
    edges.set(client, { key, inFlight: 0, credential: credentials.get(client) ?? null, isEnding: false })
    connected.set(key, (connected.get(key) ?? new Set()).add(client))
    say(client, `edge ${key}`, 'edge connected')
  }
  const goes = (client: Client) => {
    const key = edges.get(client)?.key
    if (key === undefined) return
    const others = connected.get(key)
    others?.delete(client)
    if (others?.size === 0) connected.delete(key)
    say(client, `edge ${key}`, 'edge disconnected')
  }

  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.setKeepAlive(true, minuteMs)
    const client = aedes.handle(socket)
    addresses.set(client, socket.remoteAddress ?? '')
    socket.once('close', () => goes(client))
    guardSize(client, socket, limits.payloadBytes + headerBytes, () => refuse('oversize', client))
    parserOf(client).on('packet', ({ cmd }) => {
      const edge = edges.get(client)
      if (!edge || cmd === 'publish' || socket.destroyed || mayAsk(edge.key)) return
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

/** What edges publish is for the server alone: nothing is queued for subscribers that are away, however wide their filter. */
const keepNothingForOtherEdges = (aedes: Aedes) => {
  const { persistence } = aedes as unknown as { persistence: Persistence } // missing in the declarations of aedes 1.2
  const subscriptionsByTopic = persistence.subscriptionsByTopic.bind(persistence)
  persistence.subscriptionsByTopic = async (topic) => (isToEdge(topic) ? subscriptionsByTopic(topic) : [])
}

type Parser = {
  parse: (bytes: Buffer) => number
  packet: { length: number }
  on: (event: 'packet', hear: (packet: { cmd: string }) => void) => void
}
const parserOf = (client: Client) => (client as unknown as { _parser: Parser })._parser // aedes has no option for what it guards; the version is pinned

/** Ends a connection as soon as a packet announces more than the limit, before its bytes are collected. */
const guardSize = (client: Client, socket: Socket, limit: number, onOversize: () => void) => {
  const parser = parserOf(client)
  const parse = parser.parse.bind(parser)
  parser.parse = (bytes) => {
    const left = parse(bytes)
    if (parser.packet.length > (client.connected ? limit : strangerBytes)) {
      onOversize()
      socket.destroy()
    }
    return left
  }
}
