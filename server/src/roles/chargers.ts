import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { App } from '#context.ts'
import { startCentral } from '#charging/ledger/central.ts'
import { capConnections, headersMs } from '#platform/http/admission.ts'
import { namingSetting } from '#platform/http/errors.ts'

/** The role `ocpp`: chargers connect to `/ocpp/{identity}`, on the portal's port or their own, optionally with TLS. */

const listen = (setting: string, server: Server, port: number, host: string) =>
  namingSetting(
    setting,
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    }),
  )

/**
 * A server for chargers only; other requests are a 404. A connection without an upgrade ends after `waitMs`, at most `most` per address;
 * upgraded ones do not count, because chargers of a mobile operator may share an address.
 */
export const chargersServer = (trustProxy: string, tls: ServerOptions | null, waitMs = headersMs, most?: number) => {
  const times = { headersTimeout: waitMs, requestTimeout: waitMs, connectionsCheckingInterval: waitMs / 4 }
  const server = tls ? createTlsServer({ ...tls, ...times, handshakeTimeout: waitMs }) : createServer(times)
  server.on('request', (_, answer) => answer.writeHead(404, { connection: 'close', 'content-length': 0 }).end())
  const release = capConnections(server, trustProxy, most)
  server.on('upgrade', (_, socket: Socket) => release(socket))
  return server
}

const tlsOptions = ({ OCPP_TLS_CERT, OCPP_TLS_KEY, OCPP_CLIENT_CA }: App['config']) => {
  if (!OCPP_TLS_CERT || !OCPP_TLS_KEY) throw new Error('OCPP_TLS_PORT: OCPP_TLS_CERT and OCPP_TLS_KEY are missing')
  return {
    cert: readFileSync(OCPP_TLS_CERT),
    key: readFileSync(OCPP_TLS_KEY),
    minVersion: 'TLSv1.2' as const,
    // Only profile 3 needs a certificate; without one the key decides.
    ...(OCPP_CLIENT_CA ? { ca: readFileSync(OCPP_CLIENT_CA), requestCert: true, rejectUnauthorized: false } : {}),
  }
}

const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))

/** `portal` is this process's server when it also has the role `web`. */
export const openChargers = async (app: App, portal: Server | null) => {
  const { config } = app
  const central = await startCentral(app)
  const servers: Server[] = []
  if (portal) central.attach(portal)
  else {
    const plain = chargersServer(config.TRUST_PROXY, null)
    await listen('PORT', plain, config.PORT, config.HOST)
    servers.push(plain)
  }
  if (config.OCPP_TLS_PORT > 0) {
    const tls = chargersServer(config.TRUST_PROXY, tlsOptions(config))
    await listen('OCPP_TLS_PORT', tls, config.OCPP_TLS_PORT, config.HOST)
    servers.push(tls)
  }
  for (const server of servers) central.attach(server)
  return {
    close: async () => {
      await central.close()
      await Promise.all(servers.map(close))
    },
  }
}
