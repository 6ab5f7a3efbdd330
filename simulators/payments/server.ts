import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { minuteMs } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { type Fault, meetFault, type Operation, readFault } from './faults.ts'
import {
  cancelOf,
  captureOf,
  type Event,
  type EventName,
  happened,
  type Held,
  type Ledger,
  once,
  problem,
  refundOf,
  type Reply,
  standing,
} from './ledger.ts'

type Hook = { id: string; url: string; secret: string; events: string[] }

const signed = (hook: Pick<Hook, 'url' | 'secret'>, body: string, nowMs: number): Record<string, string> => {
  const { host, pathname, search } = new URL(hook.url)
  const date = new Date(nowMs).toUTCString()
  const hash = createHash('sha256').update(body).digest('base64')
  const text = `POST\n${pathname}${search}\n${date};${host};${hash}`
  const signature = createHmac('sha256', hook.secret).update(text).digest('base64')
  return {
    'content-type': 'application/json',
    'x-ms-date': date,
    'x-ms-content-sha256': hash,
    authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
  }
}

const noticeBody = (one: Held, event: Event): string =>
  JSON.stringify({
    msn: one.msn,
    reference: one.reference,
    pspReference: event.pspReference,
    name: event.name,
    amount: { currency: 'DKK', value: event.value },
    timestamp: event.timestamp,
    idempotencyKey: event.idempotencyKey,
    success: true,
  })

/** Each is sent `times` times without retries: the portal queries the state itself. */
const notifyHooks = async (
  hooks: readonly Hook[],
  one: Held,
  event: Event,
  times: number,
  nowMs: number,
): Promise<void> => {
  const body = noticeBody(one, event)
  const name = `epayments.payment.${event.name.toLowerCase()}.v1`
  for (const hook of hooks.filter(({ events }) => events.includes(name)))
    for (let i = 0; i < times; i++)
      await fetch(hook.url, {
        method: 'POST',
        body,
        headers: signed(hook, body, nowMs),
        signal: AbortSignal.timeout(5000),
      })
        .then((answer) => answer.body?.cancel())
        .catch(() => {})
}

/** The ePayment, access token and webhooks APIs of Vipps MobilePay, without money. */

export type Options = {
  now: () => number
  /** Time until a driver approves; null: only POST /_driver does. */
  approveMs: number | null
  changed?: (ledger: Ledger) => void
  ledger?: Ledger
}

const amount = z.object({ currency: z.literal('DKK'), value: z.int().min(0).max(65_000_000) })
const newPayment = z.object({
  amount,
  paymentMethod: z.object({ type: z.enum(['WALLET', 'CARD']) }),
  reference: z.string().regex(/^[a-zA-Z0-9-]{8,64}$/),
  returnUrl: z.url(),
  userFlow: z.enum(['PUSH_MESSAGE', 'NATIVE_REDIRECT', 'WEB_REDIRECT', 'QR']),
  paymentDescription: z.string().max(100).optional(),
})
const modification = z.object({ modificationAmount: amount })
const registration = z.object({ url: z.url(), events: z.array(z.string()).min(1) })
const hookSettings = z.object({ times: z.int().min(0).max(10), shuffled: z.boolean() }).partial()

const expiresMs = 10 * minuteMs

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer) // a request gives bytes
  const text = Buffer.concat(parts).toString()
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}

export const openPayments = ({
  now,
  approveMs,
  changed = () => {},
  ledger = { payments: {}, keys: {} },
}: Options): Server => {
  const faults: Fault[] = []
  const hooks: Hook[] = []
  let told = { times: 1, shuffled: false }
  let heldBack: (() => Promise<void>) | null = null
  const tokens = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()

  const later = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }

  const announce = (one: Held, event: Event) => {
    const send = () => notifyHooks(hooks, one, event, told.times, now())
    if (!told.shuffled) return void send()
    const before = heldBack
    heldBack = before ? null : send
    if (before) void send().then(before)
  }

  const move = (one: Held, state: Held['state'], name: EventName) => {
    if (one.state !== 'CREATED') return
    one.state = state
    announce(one, happened(one, name, one.value, now()))
    changed(ledger)
  }

  const create = (body: unknown, msn: string, key: string): Reply => {
    const read = newPayment.safeParse(body)
    if (!read.success)
      return problem(400, 'Bad Request', read.error.issues.map(({ path }) => path.join('.')).join(', '))
    const { reference, amount: asked } = read.data
    if (ledger.payments[reference]) return problem(409, 'Conflict', 'Reference is not unique')
    const redirectUrl = `https://landing.example/?token=${randomBytes(12).toString('hex')}`
    const one: Held = {
      msn,
      reference,
      pspReference: randomUUID(),
      state: 'CREATED',
      value: asked.value,
      redirectUrl,
      cancelled: 0,
      captured: 0,
      refunded: 0,
      createdMs: now(),
      events: [],
    }
    ledger.payments[reference] = one
    announce(one, happened(one, 'CREATED', asked.value, now(), key))
    if (approveMs !== null) later(approveMs, () => move(one, 'AUTHORIZED', 'AUTHORIZED'))
    return { status: 201, body: { redirectUrl, reference } }
  }

  const change = (one: Held, operation: 'capture' | 'cancel' | 'refund', body: unknown, key: string): Reply => {
    const read = modification.safeParse(body)
    const value = read.success ? read.data.modificationAmount.value : 0
    if (operation !== 'cancel' && !read.success) return problem(400, 'Bad Request', 'modificationAmount')
    const deed = { capture: captureOf, cancel: cancelOf, refund: refundOf }[operation]
    const { reply, event } = deed({ one, value, nowMs: now(), key })
    if (event) announce(one, event)
    return reply
  }

  type Asked = { operation: Operation; deed: () => Reply }

  const askedOf = (request: IncomingMessage, url: URL, body: unknown): Asked | null => {
    const header = (name: string) => String(request.headers[name] ?? '')
    const key = header('idempotency-key')
    const isPost = request.method === 'POST'
    if (isPost && url.pathname === '/accesstoken/get')
      return {
        operation: 'token',
        deed: () => {
          if (!header('client_id') || !header('client_secret')) return problem(401, 'Unauthorized', 'No client')
          if (header('client_secret').startsWith('wrong')) return problem(401, 'Unauthorized', 'Unknown client')
          const token = randomBytes(24).toString('base64url')
          tokens.add(token)
          const expiresOn = String(Math.floor(now() / 1000) + 3599)
          return {
            status: 200,
            body: { token_type: 'Bearer', expires_in: '3599', expires_on: expiresOn, access_token: token },
          }
        },
      }
    const guarded = (operation: Operation, deed: () => Reply): Asked => ({
      operation,
      deed: () => {
        if (!tokens.has(header('authorization').replace(/^Bearer /, ''))) return problem(401, 'Unauthorized', 'Token')
        if (!header('ocp-apim-subscription-key')) return problem(401, 'Unauthorized', 'Subscription key')
        return deed()
      },
    })
    if (isPost && url.pathname === '/webhooks/v1/webhooks')
      return guarded('webhooks', () => {
        const read = registration.safeParse(body)
        if (!read.success) return problem(400, 'Bad Request', 'url, events')
        const hook = { id: randomUUID(), secret: randomBytes(48).toString('base64'), ...read.data }
        hooks.push(hook)
        return { status: 201, body: { id: hook.id, secret: hook.secret } }
      })
    const keyed = (deed: () => Reply) => () =>
      key === ''
        ? problem(400, 'Bad Request', 'Idempotency-Key')
        : once(ledger.keys, key, `${url.pathname} ${JSON.stringify(body)}`, deed)
    if (isPost && url.pathname === '/epayment/v1/payments')
      return guarded(
        'create',
        keyed(() => create(body, header('merchant-serial-number'), key)),
      )
    const [, reference = '', what] = /^\/epayment\/v1\/payments\/([^/]+)(?:\/(\w+))?$/.exec(url.pathname) ?? []
    const one = ledger.payments[reference]
    const missing = () => problem(404, 'Not Found', 'Payment not found')
    if (request.method === 'GET' && reference && !what)
      return guarded('get', () => {
        if (one && one.state === 'CREATED' && now() - one.createdMs > expiresMs) move(one, 'EXPIRED', 'EXPIRED')
        return one ? standing(one) : missing()
      })
    if (isPost && (what === 'capture' || what === 'cancel' || what === 'refund'))
      return guarded(what, one ? keyed(() => change(one, what, body, key)) : missing)
    return null
  }

  const send = (response: ServerResponse, { status, body }: Reply) => {
    response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' })
    response.end(JSON.stringify(body))
  }

  const control = (url: URL, body: unknown): Reply | null => {
    if (url.pathname === '/_ledger') return { status: 200, body: ledger.payments }
    if (url.pathname === '/_faults') {
      const fault = readFault(body)
      if (typeof fault !== 'string') faults.push(fault)
      return typeof fault === 'string' ? { status: 400, body: { message: fault } } : { status: 200, body: {} }
    }
    if (url.pathname === '/_hooks') {
      told = { ...told, ...hookSettings.parse(body) }
      return { status: 200, body: told }
    }
    const [, reference = '', what] = /^\/_driver\/([^/]+)\/(approve|abort|expire)$/.exec(url.pathname) ?? []
    const one = ledger.payments[reference]
    if (!one) return null
    if (what === 'approve') move(one, 'AUTHORIZED', 'AUTHORIZED')
    else if (what === 'abort') move(one, 'ABORTED', 'ABORTED')
    else move(one, 'EXPIRED', 'EXPIRED')
    return standing(one)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const body = await bodyOf(request)
    const controlled = control(url, body)
    if (controlled) return send(response, controlled)
    const asked = askedOf(request, url, body)
    if (!asked) return send(response, problem(404, 'Not Found', 'No such resource'))
    const fault = meetFault(faults, asked.operation)
    if (fault?.kind === 'lost') return void request.socket.destroy()
    if (fault?.kind === 'html')
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
    if (fault?.kind === '429') response.setHeader('retry-after', 1)
    if (fault && /^\d+$/.test(fault.kind)) return send(response, problem(Number(fault.kind), 'Fault', 'On request'))
    const reply = asked.deed()
    changed(ledger)
    if (fault?.kind === 'late') await wait(fault.lateMs)
    if (fault?.kind === 'never') return
    if (fault?.kind === 'cut')
      return void response
        .writeHead(reply.status, { 'content-length': 5000 })
        .write('{"agg', () => request.socket.destroy())
    send(response, reply)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.once('close', () => {
    for (const timer of timers) clearTimeout(timer)
  })
  return server
}
