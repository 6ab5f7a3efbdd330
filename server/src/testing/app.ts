import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallShape, Data } from '@gridmast/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { refuse } from '#access/gates.ts'
import { addSession } from '#access/sessions.ts'
import { openFileTickets } from '#access/file-tickets.ts'
import { findViewer, forgetByBus, forgetViewers } from '#access/viewer.ts'
import { routes, servePages } from '#app.ts'
import { readConfig } from '#config.ts'
import { type App, ownOf } from '#context.ts'
import { systemAfter } from '#platform/process/clock.ts'
import { openHttp } from '#platform/http/http.ts'
import { openJobs } from '#platform/jobs/jobs.ts'
import { openLive } from '#platform/http/live.ts'
import type { Mail } from '#platform/messaging/mail.ts'
import { openMetrics } from '#platform/process/metrics.ts'
import { openBus } from '#platform/messaging/bus.ts'
import { openBacklogs } from '#readings/backlogs.ts'
import { openReadCache } from '#platform/records/read-cache.ts'
import type { Records } from '#platform/records/records.ts'
import type { RowOf } from '#platform/records/rows.ts'
import { secretOf } from '#platform/security/secret.ts'
import { openTestReadings } from './readings.ts'
import { openTestWorld } from './records.ts'

type AskOptions = {
  token?: string
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  file?: { field: string; name: string; bytes: Uint8Array<ArrayBuffer> }
}

export type TestApp = App & {
  http: FastifyInstance
  sent: Mail[]
  /** Moves the clock of handlers and runs due timers; the clocks of the stores are unaffected. */
  setNow: (iso: string) => void
  /** Changes rows outside of the server, as from psql. */
  byHand: Records['system']
  /** Entries of the audit trail by a pattern of the action, in order. */
  trail: (
    action: string,
  ) => Promise<RowOf<'audit_entry', 'who' | 'action' | 'subject' | 'result' | 'before' | 'after'>[]>
  /** Creates a session without a sign-in, which takes 90 ms for the password. */
  tokenOf: (email: string, wallName?: string) => Promise<string>
  signIn: (email: string) => Promise<string>
  ask: <C extends CallShape>(
    call: C,
    options?: AskOptions,
  ) => Promise<{
    status: number
    /** `data` is absent in a refusal; check `success` or `status`. */
    body: { success: boolean; message?: string; data: Data<C>; errors?: Record<string, string> }
    text: string
    headers: Record<string, unknown>
  }>
  /** The data of an answer; undefined in a refusal. */
  data: <C extends CallShape>(call: C, options?: AskOptions) => Promise<Data<C>>
  close: () => Promise<void>
}

const formOf = async (values: unknown, file: { field: string; name: string; bytes: Uint8Array<ArrayBuffer> }) => {
  const form = new FormData()
  form.append('values', JSON.stringify(values))
  form.append(file.field, new Blob([file.bytes]), file.name)
  const written = new Response(form)
  return { type: written.headers.get('content-type') ?? '', bytes: Buffer.from(await written.arrayBuffer()) }
}

/** An app on real stores of its own, provisioned with two customers, without a port. */
export const openTestApp = async (settings: Record<string, string> = {}): Promise<TestApp> => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-'))
  const log = pino({ level: 'silent' })
  const records = await openTestWorld()
  const readings = await openTestReadings({ dataDir: join(folder, 'readings'), log })
  const bus = await openBus({ records, log })
  forgetByBus(bus)
  const readCache = openReadCache(records, bus)
  let nowMs: number | null = null
  const alarms = new Set<{ atMs: number; work: () => void }>()
  const sent: Mail[] = []
  const app: App = {
    config: readConfig({ DATA_DIR: folder, DEMO: 'off', VIPPS_URL: 'http://127.0.0.1:9', ...settings }),
    records,
    readings,
    jobs: openJobs({ records, bus, log }),
    live: openLive(bus),
    backlogs: openBacklogs(bus),
    bus,
    send: async (mail) => void sent.push(mail),
    secret: secretOf('the secret of a test installation'),
    log,
    metrics: openMetrics(),
    clock: { now: () => nowMs ?? Date.now() },
    after: (ms, work) => {
      if (nowMs === null) return systemAfter(ms, work)
      const alarm = { atMs: nowMs + ms, work }
      alarms.add(alarm)
      return () => void alarms.delete(alarm)
    },
    parts: { records: records.ping, readings: readings.ping },
  }
  const changed = () => {
    forgetViewers()
    readCache.forget()
  }
  const http = await openHttp({
    routes,
    context: app,
    log,
    metrics: app.metrics,
    authenticate: (token) => findViewer(records, token, app.clock.now()),
    tickets: openFileTickets(app),
    refuse,
    ownOf: (viewer, at) => ownOf({ records, readCache }, viewer, at),
    now: app.clock.now,
    changed,
    userOf: (viewer) => viewer.userId,
    companyOf: (viewer) => viewer.customerId,
    requestsPerMinute: 100_000,
    pages: (pages) => servePages(pages, app),
  })
  await http.ready()

  const ask: TestApp['ask'] = async (call, { token, params = {}, query, body, file } = {}) => {
    const form = file && (await formOf(body, file))
    const answer = await http.inject({
      payloadAsStream: call.answer === 'events',
      method: call.method,
      url: `/api${call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`,
      ...(query ? { query } : {}),
      ...(form ? { payload: form.bytes } : body === undefined ? {} : { payload: body as object }), // tests also send non-objects
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(form ? { 'content-type': form.type } : {}),
      },
    })
    // A stream does not end, so only its head is checked.
    if (call.answer === 'events' && answer.statusCode === 200) {
      answer.stream().destroy()
      return { status: 200, body: { success: true }, text: '', headers: answer.headers }
    }
    const text = call.answer === 'events' ? (await answer.stream().toArray()).join('') : answer.body
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      body: isJson ? JSON.parse(text) : { success: false },
      text,
      headers: answer.headers,
    }
  }
  const signIn = async (email: string) => {
    const answer = await http.inject({
      method: 'POST',
      url: '/api/user/login',
      payload: { user: { email, password: 'gridmast-demo' } },
    })
    return answer.json<{ data: { token: string } }>().data.token
  }
  return {
    ...app,
    http,
    sent,
    ask,
    data: async (call, options) => (await ask(call, options)).body.data,
    signIn,
    tokenOf: async (email, wallName) => {
      const token = await records.system(async (tx) => {
        const owner = tx.selectFrom('app_user').select(['customer_id as customerId', 'user_id as userId'])
        const found = await owner.where('email', '=', email).executeTakeFirstOrThrow()
        return addSession(tx, {
          ...found,
          remembered: false,
          ...(wallName === undefined ? {} : { wallName }),
          nowMs: app.clock.now(),
          userAgent: undefined,
          address: '::1',
        })
      })
      changed()
      return token
    },
    byHand: async (work) => {
      const done = await records.system(work)
      bus.resync()
      return done
    },
    trail: (action) =>
      records.system((tx) =>
        tx
          .selectFrom('audit_entry')
          .select(['who', 'action', 'subject', 'result', 'before', 'after'])
          .where('action', 'like', action)
          .orderBy('entry_no')
          .execute(),
      ),
    setNow: (iso) => {
      nowMs = Date.parse(iso)
      forgetViewers()
      for (const alarm of alarms) if (alarm.atMs <= nowMs && alarms.delete(alarm)) alarm.work()
    },
    close: async () => {
      await http.close()
      await readings.close()
      app.live.close()
      await bus.close()
      await records.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
