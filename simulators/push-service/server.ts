import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
  type ECDH,
} from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { z } from 'zod'

/** A browser's subscription, as `PushSubscription.toJSON()` has it. */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

export type Received = { text: string; ttlS: number; topic: string | null; urgency: string | null }

type Browser = { key: ECDH; auth: Buffer; serverKey: string; received: Received[]; status: number }

type Options = {
  now: () => number
  /** Origin of the endpoints; default: the address of the server. */
  origin?: string
}

/** Largest body of a message (RFC 8030, 7.2). */
const maxBytes = 4096
const dayS = 86_400

const info = (name: string, ...more: Buffer[]) => Buffer.concat([Buffer.from(`${name}\0`), ...more])
const hkdf = (key: Buffer, salt: Buffer, about: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, about, bytes))

/** One record of aes128gcm (RFC 8188) under the keys of a subscription (RFC 8291). Throws for any other body. */
const decrypt = (body: Buffer, { key, auth }: Browser): string => {
  const salt = body.subarray(0, 16)
  const senderKey = body.subarray(21, 21 + body.readUInt8(20))
  const sealed = body.subarray(21 + senderKey.length)
  const shared = key.computeSecret(senderKey)
  const secret = hkdf(shared, auth, info('WebPush: info', key.getPublicKey(), senderKey), 32)
  const opening = createDecipheriv(
    'aes-128-gcm',
    hkdf(secret, salt, info('Content-Encoding: aes128gcm'), 16),
    hkdf(secret, salt, info('Content-Encoding: nonce'), 12),
  )
  opening.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('no last record')
  return padded.subarray(0, end).toString('utf8')
}

const claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string().regex(/^(mailto|https):/) })

const jsonOf = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

/** VAPID (RFC 8292): signed under the key of the subscription, for this origin, valid now and for a day at most. */
const isAuthorised = (header: string | undefined, serverKey: string, origin: string, nowMs: number): boolean => {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header ?? '') ?? []
  const [head = '', content = '', signature = ''] = token.split('.')
  if (key !== serverKey || signature === '') return false
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${content}`)
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return false
  const { aud, exp } = claims.parse(jsonOf(content))
  return aud === origin && exp > nowMs / 1000 && exp <= nowMs / 1000 + dayS
}

const bytesOf = async (request: IncomingMessage) => Buffer.concat(await request.toArray())

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : null)

/** A push service (RFC 8030) together with the browsers that subscribed to it: it decrypts what it is sent. */
export const openPushService = ({ now, origin }: Options) => {
  const browsers = new Map<string, Browser>()
  let address = origin ?? ''

  const accept = async (request: IncomingMessage, browser: Browser): Promise<number> => {
    const { headers } = request
    const body = await bytesOf(request)
    if (browser.status !== 201) return browser.status
    if (body.length > maxBytes) return 413
    const ttl = textOf(headers['ttl'])
    const topic = textOf(headers['topic'])
    if (ttl === null || !/^\d+$/.test(ttl) || (topic !== null && !/^[\w-]{1,32}$/.test(topic))) return 400
    if (headers['content-encoding'] !== 'aes128gcm') return 415
    if (!isAuthorised(headers.authorization, browser.serverKey, address, now())) return 403
    const text = decrypt(body, browser)
    browser.received.push({ text, ttlS: Number(ttl), topic, urgency: textOf(headers['urgency']) })
    return 201
  }

  const subscribe = (serverKey: string): Subscription & { id: string } => {
    const id = randomUUID()
    const key = createECDH('prime256v1')
    key.generateKeys()
    const auth = randomBytes(16)
    browsers.set(id, { key, auth, serverKey, received: [], status: 201 })
    const keys = { p256dh: key.getPublicKey('base64url'), auth: auth.toString('base64url') }
    return { id, endpoint: `${address}/push/${id}`, keys }
  }

  const browserOf = (id: string): Browser => {
    const browser = browsers.get(id)
    if (!browser) throw new Error(`No subscription ${id}`)
    return browser
  }

  const control = async (request: IncomingMessage, response: ServerResponse, [what, id = '']: string[]) => {
    if (what === '_subscribe') {
      const { key } = z.object({ key: z.string() }).parse(JSON.parse((await bytesOf(request)).toString()))
      response.end(JSON.stringify(subscribe(key)))
      return
    }
    response.end(JSON.stringify(browserOf(id).received))
  }

  const server: Server = createServer((request, response) => {
    const [what = '', id = ''] = (request.url ?? '').slice(1).split('/')
    const isMessage = what === 'push' && request.method === 'POST'
    const browser = browsers.get(id)
    const answer = async () => {
      if (!isMessage) return control(request, response, [what, id])
      const status = browser ? await accept(request, browser) : 404
      response.writeHead(status, status === 201 ? { location: `${address}/message/${randomUUID()}` } : {}).end()
    }
    answer().catch(() => response.writeHead(400).end())
  })

  return {
    listen: (port: number, host = '127.0.0.1') =>
      new Promise<string>((resolve) =>
        server.listen(port, host, () => {
          const bound = server.address()
          if (address === '' && typeof bound === 'object' && bound) address = `http://${host}:${bound.port}`
          resolve(address)
        }),
      ),
    subscribe,
    received: (id: string) => browserOf(id).received,
    /** Answers the messages of a subscription with this status; 201 accepts them. */
    answer: (id: string, status: number) => {
      browserOf(id).status = status
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
