import { Agent } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { CallShape } from '@gridmast/contract/call.ts'
import { calls } from '@gridmast/contract/calls.ts'
import { health } from '@gridmast/contract/operator/system.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSession } from '#access/sessions.ts'
import { addChargers } from '#charging/ledger/charger.fixture.ts'
import { openTestApp } from '#testing/app.ts'
import { pathOf, type Request, requestOf, sendTo } from '#testing/requests.ts'
import { idsOf } from '#testing/tenant-matrix.ts'

/** `npm run fuzz -- 20000` sets both; `npm test` sends the same requests each time. */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 2000)
const seed = Number(process.env['FUZZ_SEED'] ?? 20261121)

const all: Record<string, CallShape> = calls
const perCall = Math.ceil(requests / Object.keys(all).length)
const maxRounds = 6
const megabyte = 1_000_000
const roles = ['sudoer', 'expert', 'auditor', 'custom']
const callers = [...roles, 'nobody', 'invented']

let to: { port: number; agent: Agent; patienceMs: number }
let people: { role: string; customer_id: string; user_id: string }[]
const tokens = new Map<string, string>([['invented', `gmp_${'x'.repeat(43)}`]])
const app = await openTestApp()
beforeAll(async () => {
  await addChargers(app.records, [{ identity: 'fuzz' }])
  await openLicences()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo // a TCP server's address is never a pipe's name
  to = { port, agent: new Agent({ keepAlive: true, maxSockets: 4 }), patienceMs: 20_000 }
  people = await app.records.system((tx) =>
    tx
      .selectFrom('app_user')
      .innerJoin('customer', 'customer.customer_id', 'app_user.customer_id')
      .select(['app_user.role', 'app_user.customer_id', 'app_user.user_id'])
      .where('customer.key', '=', 'north')
      .execute(),
  )
})
afterAll(async () => {
  to.agent.destroy()
  await app.close()
})

/** Calls of payments and load shifting need a licence. */
const openLicences = () =>
  app.records.system(async (tx) => {
    const settings = JSON.stringify({ mobilepay: true })
    await tx.updateTable('licence').set({ settings }).where('type', '=', 'CFM').execute()
    await sql`insert into licence (customer_id, licence_id, type, name, icon, enabled)
      select customer_id, gen_random_uuid(), 'loadShifting', 'Load shifting', 'bolt', true from customer where key = 'north'`.execute(
      tx,
    )
  })

const signInAll = () =>
  app.records.system(async (tx) => {
    await tx.updateTable('customer').set({ second_factor_required: false }).execute()
    for (const { role, customer_id, user_id } of people) {
      const session = { customerId: customer_id, userId: user_id, remembered: true, nowMs: Date.now() }
      tokens.set(role, await addSession(tx, { ...session, userAgent: 'fuzz', address: '127.0.0.1' }))
    }
  })

const unknownId = '018f0000-0000-7000-8000-000000000000'
const knownIds = () =>
  app.records.system(async (tx) => {
    const [own, foreign] = [await idsOf(tx, 'north'), await idsOf(tx, 'west')]
    return (ref: string) => [own[ref] ?? unknownId, own[ref] ?? unknownId, foreign[ref] ?? unknownId, unknownId]
  })

const files: CallShape[] = [
  calls.eventExport,
  calls.eventRecord,
  calls.controlSheet,
  calls.powerCostDownload,
  calls.exportBidRequests,
  calls.bidResultHistory,
  calls.sentBidFile,
  calls.scopeReportFile,
  calls.settlementRecord,
  calls.monthlyStatement,
  calls.chargingStatement,
]
const asksForFile = (call: CallShape, { query }: Request) =>
  files.includes(call) ||
  (call.query !== undefined &&
    'format' in call.query.shape &&
    typeof query === 'object' &&
    query !== null &&
    'format' in query)

/** Documents of the API are stored compressed and measured so; all others are measured uncompressed. */
const keptPacked: CallShape[] = [calls.docs, calls.openApi]

const faultsOf = async (call: CallShape, request: Request, statuses: Set<number>): Promise<string[]> => {
  const answer = await sendTo(to, call, request, tokens.get(request.who), keptPacked.includes(call))
  statuses.add(answer.status)
  if (answer.status === 401 && roles.includes(request.who)) await signInAll()
  const said = answer.type.startsWith('application/json') ? answer.bytes.toString() : ''
  const envelope: unknown = said && call !== calls.openApi ? JSON.parse(said) : { success: answer.status < 400 }
  return [
    answer.status >= 500 && `answers ${answer.status} ${said.slice(0, 200)}`,
    answer.sentBytes > megabyte && !asksForFile(call, request) && `answers ${answer.sentBytes} bytes`,
    answer.status >= 400 && answer.bytes.length > 16_000 && `refuses with ${answer.bytes.length} bytes`,
    !(typeof envelope === 'object' && envelope && 'success' in envelope && envelope.success === answer.status < 400) &&
      `is no envelope: ${said.slice(0, 200)}`,
    /SQLSTATE|node_modules|\.ts:\d/.test(said) && `tells of the inside: ${said.slice(0, 200)}`,
    answer.headers['cache-control'] !== 'no-store' && 'may be kept',
  ].filter((fault) => fault !== false)
}

/** Calls that need content of a mail or of an authenticator app, which no schema provides. */
const secretive = [
  'loginSecondFactor',
  'loginLink',
  'openWall',
  'handoff',
  'resetWithOtp',
  'confirmSecondFactor',
  'confirmEmail',
  'undoEmail',
  'unsubscribe',
  'confirmAddress',
]

test.each(Object.entries(all))(
  'L1 %s answers any request briefly and in its response shape',
  async (name, call) => {
    await signInAll()
    const ids = await knownIds()
    const statuses = new Set<number>()
    const property = fc.asyncProperty(requestOf(call, callers, ids), async (request) => {
      expect(await faultsOf(call, request, statuses), `${call.method} ${pathOf(call, request)}`).toEqual([])
    })
    // A fuzz with refused requests only proves nothing.
    const wasTaken = () => [...statuses].some((status) => ![400, 401, 403, 413].includes(status))
    for (let round = 0; round < maxRounds && !wasTaken(); round++)
      await fc.assert(property, { numRuns: perCall, seed: seed + round, endOnFailure: true })
    expect(wasTaken() || secretive.includes(name), [...statuses].join(' ')).toBe(true)
  },
  60_000 + perCall * maxRounds * 1000,
)

const plain =
  'POST /api/user/login?a=b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"user":null}'
const splice = fc.record({
  at: fc.nat(plain.length),
  cut: fc.nat(8),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc
      .constantFrom(
        '\r\n',
        '\n',
        ' ',
        ':',
        '%',
        '%ff',
        '%00',
        '\0',
        'Transfer-Encoding: chunked\r\n',
        'Content-Length: 9\r\n',
        '..',
        '//',
        '/'.repeat(9000),
      )
      .map((text) => Buffer.from(text, 'latin1')),
  ),
})

test(
  'L1 the server answers after any bytes',
  async () => {
    const talk = async (bytes: Buffer) => {
      const socket = connect(to.port, '127.0.0.1')
      socket.end(bytes)
      return buffer(socket).catch(() => Buffer.alloc(0)) // a closed connection is an answer too
    }
    const property = fc.asyncProperty(fc.array(splice, { minLength: 1, maxLength: 6 }), async (splices) => {
      const bytes = splices.reduce(
        (sent, { at, cut, insert }) => Buffer.concat([sent.subarray(0, at), insert, sent.subarray(at + cut)]),
        Buffer.from(plain, 'latin1'),
      )
      const answer = (await talk(bytes)).toString('latin1')
      expect(answer).not.toMatch(/^HTTP\/1\.1 5/m)
      expect(answer.length).toBeLessThan(16_000)
    })
    await fc.assert(property, { numRuns: Math.ceil(requests / 4), seed })
    expect((await app.ask(health)).status).toBe(200)
  },
  60_000 + requests * 100,
)
