import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import proxyAddr from '@fastify/proxy-addr'
import { WebSocketServer } from 'ws'
import { countedAs, isLoopback } from '#platform/http/address.ts'
import { ratesOf } from '#platform/http/limits.ts'
import {
  certificateOf,
  chooseVersion,
  type Credentials,
  isNamed,
  isStill,
  judge,
  keyOf,
  openReconnectLimit,
  readBasic,
  readPath,
} from './admission.ts'
import { type Connection, openConnection, type ConnectionHandler } from './connection.ts'
import type { Version } from './frames.ts'

/** Connections of chargers: admission, one live socket per charger, and heartbeats. The backend handles the messages. */

export type Session<Charger> = { charger: Charger; generation: number }

type Backend<Charger extends Credentials> = {
  /** Chargers with this identity: of one customer, or of all when the path names none. */
  find: (identity: string, customerKey: string | null) => Promise<readonly Charger[]>
  get: (chargerId: string) => Promise<Charger | null>
  unknown: (identity: string, customerKey: string | null, address: string) => void
  /** Increments the stored connection count: of two processes the higher number has the newer socket. */
  opened: (charger: Charger, version: Version, isClaim: boolean) => Promise<number>
  /** A connection counted by `opened` has ended, or was never upgraded. */
  closed: (charger: Charger, generation: number) => void
  serve: (session: Session<Charger>) => Omit<ConnectionHandler, 'closed'>
}

type CentralSystem<Charger> = {
  attach: (server: Server) => void
  connectionOf: (chargerId: string) => Connection | null
  open: () => Iterable<{ charger: Charger; connection: Connection; generation: number }>
  /** A newer socket is open in another process: an own one of a lower generation is closed. */
  outdated: (chargerId: string, generation: number) => void
  /** Closes connections of chargers that were removed, disabled, or registered with another key or profile. */
  recheck: () => Promise<void>
  count: () => number
  close: () => Promise<void>
}

/** Ten times a full local list. */
const longestMessage = 256 * 1024
const pingMs = 30_000
const ticks = 30
/** Per address without a valid key: enough for the installation of a site. */
const [unauthenticatedPerSecond, unauthenticatedBurst] = [2, 60]
const maxPendingHandshakes = 2000

const words: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

const refuse = (socket: Duplex, status: number, headers: string[] = []) => {
  const head = [`HTTP/1.1 ${status} ${words[status] ?? ''}`, 'Connection: close', 'Content-Length: 0', ...headers]
  // A socket from an upgrade has no owner: its other half would stay open as long as the client likes.
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n`)
}

export const openCentralSystem = <Charger extends Credentials>(options: {
  backend: Backend<Charger>
  trustProxy: string
  allowPlain: boolean
  now: () => number
  onRefused: (reason: string) => void
  onError: (error: unknown) => void
  answerWithinMs?: number
}): CentralSystem<Charger> => {
  const { backend, now, onRefused } = options
  const isProxy = proxyAddr.compile(options.trustProxy.split(',').map((part) => part.trim()))
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: longestMessage,
    perMessageDeflate: false,
    handleProtocols: (offered) => chooseVersion(offered) ?? false,
  })
  type Live = { charger: Charger; connection: Connection; generation: number; tick: number }
  const live = new Map<string, Live>()
  const reconnectLimit = openReconnectLimit(now)
  const mayTry = ratesOf(unauthenticatedPerSecond, unauthenticatedBurst, now)
  const detach: (() => void)[] = []
  let pendingHandshakes = 0
  let isClosing = false
  let opened = 0

  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const reject = (status: number, reason: string, headers?: string[]) => {
      onRefused(reason)
      refuse(socket, status, headers)
    }
    const path = readPath(request.url)
    if (!path) return reject(request.url?.startsWith('/ocpp') ? 400 : 404, 'path')
    if (isClosing || pendingHandshakes >= maxPendingHandshakes) return reject(503, 'busy', ['Retry-After: 10'])
    const { identity, customerKey } = path
    const address = proxyAddr(request, isProxy)
    const isEncrypted =
      request.socket instanceof TLSSocket ||
      (request.headers['x-forwarded-proto'] === 'https' && isProxy(request.socket.remoteAddress ?? '', 0))
    const basic = readBasic(request.headers.authorization)
    const named = await backend.find(identity, customerKey)
    const presented = {
      basic,
      isEncrypted,
      mayBePlain: options.allowPlain || isLoopback(address),
      certificate: certificateOf(request),
      isAddressed: customerKey !== null || named.filter(({ securityProfile }) => securityProfile === 3).length === 1,
    }
    const charger = named.find((one) => judge(one, presented) === 'welcome') ?? named[0] ?? null
    const verdict = judge(charger, presented)
    if (!charger || verdict !== 'welcome') {
      if (!mayTry(countedAs(address))) return reject(429, 'rate', ['Retry-After: 60'])
      if (!charger) {
        backend.unknown(identity, customerKey, countedAs(address))
        return reject(404, 'unknown')
      }
      if (verdict === 'wrong-key') return reject(401, verdict, ['WWW-Authenticate: Basic realm="ocpp"'])
      return reject(403, verdict)
    }
    const waitS = reconnectLimit.waitS(charger.chargerId)
    if (waitS > 0) return reject(429, 'parked', [`Retry-After: ${waitS}`])
    const admitted = { ...charger, passwordHash: keyOf(charger, basic) ?? charger.passwordHash, previousHash: null }
    const version = chooseVersion((request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim()))
    const isClaim = charger.securityProfile === 3 && !isNamed(charger, presented)
    const generation = version ? await backend.opened(charger, version, isClaim) : 0
    let isServed = false
    try {
      isServed = upgrade(request, socket, head, admitted, version, generation)
    } finally {
      if (version && !isServed) backend.closed(admitted, generation)
    }
  }

  const upgrade = (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    charger: Charger,
    version: Version | null,
    generation: number,
  ): boolean => {
    const { chargerId } = charger
    let isServed = false
    if (socket.destroyed || isClosing) {
      socket.destroy()
      return false
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => {}) // too long, not UTF-8 or bad frames: ws closes the socket
      if (!version) {
        onRefused('version')
        return webSocket.close(1002, 'ocpp2.0.1 or ocpp1.6')
      }
      // A slower handshake of an older generation never replaces a newer one.
      const before = live.get(chargerId)
      if (before && before.generation > generation) return webSocket.close(1012, 'A newer connection is open')
      before?.connection.close(1012, 'A newer connection was opened')
      const handler = backend.serve({ charger, generation })
      const closed = () => {
        if (live.get(chargerId)?.generation === generation) live.delete(chargerId)
        backend.closed(charger, generation)
      }
      const connection = openConnection(webSocket, version, { ...handler, closed }, options.answerWithinMs)
      live.set(chargerId, { charger, connection, generation, tick: opened++ % ticks })
      isServed = true
    })
    return isServed
  }

  let tick = 0
  const beating = setInterval(() => {
    tick = (tick + 1) % ticks
    for (const one of live.values()) if (one.tick === tick) one.connection.beat()
  }, pingMs / ticks).unref()

  return {
    attach: (http) => {
      const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        pendingHandshakes++
        socket.on('error', () => socket.destroy())
        admit(request, socket, head)
          .catch((error: unknown) => {
            options.onError(error)
            refuse(socket, 503, ['Retry-After: 10'])
          })
          .finally(() => pendingHandshakes--)
      }
      http.on('upgrade', onUpgrade)
      detach.push(() => http.off('upgrade', onUpgrade))
    },
    connectionOf: (chargerId) => live.get(chargerId)?.connection ?? null,
    open: () => live.values(),
    outdated: (chargerId, generation) => {
      const ours = live.get(chargerId)
      if (ours && ours.generation < generation) ours.connection.close(1012, 'A newer connection was opened')
    },
    recheck: async () => {
      const all = Array.from(live.values(), async ({ charger, connection }) => {
        if (!isStill(charger, await backend.get(charger.chargerId))) connection.close(1008, 'The registration changed')
      })
      await Promise.all(all)
    },
    count: () => live.size,
    close: async () => {
      isClosing = true
      clearInterval(beating)
      for (const one of detach) one()
      for (const { connection } of live.values()) connection.close(1001, 'The server restarts')
      const until = Date.now() + 3000
      while (live.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
    },
  }
}
