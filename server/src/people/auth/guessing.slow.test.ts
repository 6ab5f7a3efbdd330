import { login, resetPassword, resetWithOtp } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { KyselyPlugin } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { passwordsHashed } from '#platform/security/password.ts'
import { rules } from '#access/attempts.ts'
import { openTestApp } from '#testing/app.ts'
import { withPlugin } from '#testing/records.ts'
import { addRows, changeRows, storedRow, storedRows } from '#testing/rows.ts'
import { authJobs } from './routes.ts'

let before = 0
const hashed = () => {
  const count = passwordsHashed() - before
  before = passwordsHashed()
  return count
}

const app = await openTestApp()
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow('2026-11-20T08:00:00Z')
  await app.records.system((tx) => tx.deleteFrom('attempt').execute())
  hashed()
})

const owner = 'sudoer@north.example'
const signIn = async (
  from: { email?: string; password?: string; address?: string; cookie?: string | undefined } = {},
) => {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api${login.path}`,
    remoteAddress: from.address ?? '192.0.2.1',
    payload: { user: { email: from.email ?? owner, password: from.password ?? 'gridmast-demo' } },
    headers: from.cookie ? { cookie: from.cookie } : {},
  })
  const [cookie] = answer.cookies
  return {
    status: answer.statusCode,
    message: answer.json<{ message: string }>().message,
    retryAfter: answer.headers['retry-after'],
    header: String(answer.headers['set-cookie'] ?? ''),
    cookie: cookie && `${cookie.name}=${cookie.value}`,
  }
}
const fail = (from: Parameters<typeof signIn>[0] = {}) => signIn({ password: 'wrong', ...from })

describe('guessing a password', () => {
  test('S3 the sixth try waits, states the delay and computes no hash', async () => {
    for (let i = 0; i < 5; i++) expect(await fail()).toMatchObject({ status: 401, message: m.wrongCredentials })
    expect(hashed()).toBe(5)
    const blocked = await signIn()
    expect(blocked).toMatchObject({ status: 429, message: 'Too many attempts. Try again in 1 s.', retryAfter: '1' })
    expect(hashed()).toBe(0)
    app.setNow('2026-11-20T08:00:01Z')
    expect((await signIn()).status).toBe(200)
  })

  test('S3 an unknown e-mail has the same delays', async () => {
    const walk = async (email: string) => {
      const said = []
      for (let i = 0; i < 7; i++) said.push(await fail({ email }))
      return said.map(({ status, message, retryAfter }) => ({ status, message, retryAfter }))
    }
    expect(await walk('nobody@north.example')).toEqual(await walk(owner))
  })

  test('S3 a successful sign-in resets the count, and the case of the e-mail does not matter', async () => {
    for (let i = 0; i < 4; i++) await fail({ email: i % 2 ? owner : owner.toUpperCase() })
    expect((await signIn()).status).toBe(200)
    for (let i = 0; i < 5; i++) expect((await fail()).status).toBe(401)
    expect((await fail({ email: owner.toUpperCase() })).status).toBe(429)
  })

  test('S3 a /48 of IPv6 counts as one network for all its prefixes', async () => {
    const from = (n: number) => ({ address: `2001:db8:1:${n.toString(16)}::1`, email: `nobody${n}@north.example` })
    const { free } = rules['login-network']
    await addRows(app.records, 'attempt', {
      kind: 'login-network',
      key: app.secret.hmac('login-network', '2001:db8:1::/48'),
      count: free - 1,
      first_at: new Date(app.clock.now()),
      last_at: new Date(app.clock.now()),
    })
    expect((await fail(from(1))).status).toBe(401)
    expect((await fail(from(2))).status).toBe(429)
    expect((await fail({ address: '2001:db8:2::1' })).status).toBe(401)
  })

  test('S3 one address prefix with many accounts is delayed, other addresses are not', async () => {
    for (let i = 0; i < 100; i++)
      expect((await fail({ email: `a${i}@north.example`, address: `198.51.100.${i}` })).status).toBe(401)
    expect((await fail({ email: 'b@north.example', address: '198.51.100.200' })).status).toBe(429)
    expect((await signIn({ address: '198.51.101.1' })).status).toBe(200)
  })

  test('S3 during 1,000 wrong passwords the owner signs in from another address and from a known browser', async () => {
    const { cookie } = await signIn({ address: '10.0.0.1' })
    const prefixes = 20
    hashed()
    const strangers: number[] = []
    const owners: number[] = []
    for (let round = 0; round < 10; round++) {
      const flood = Array.from({ length: 100 }, (_, i) => fail({ address: `10.0.${i % prefixes}.${round + 1}` }))
      // The first hundred are checked, and fill the queue of passwords.
      if (round > 0) {
        owners.push((await signIn({ address: '203.0.113.9' })).status)
        owners.push((await signIn({ address: '10.0.0.1', cookie })).status)
      }
      strangers.push(...(await Promise.all(flood)).map((answer) => answer.status))
    }
    expect(owners).toEqual(Array.from({ length: 18 }, () => 200))
    const count = (status: number) => strangers.filter((one) => one === status).length
    expect(count(401)).toBe(prefixes * 5)
    expect(count(401) + count(429) + count(503)).toBe(1000)
    expect(hashed()).toBe(prefixes * 5 + owners.length)
    expect((await signIn({ address: '10.0.0.1' })).status).toBe(429)
  })

  test('S3 with fifty waiting sign-ins a further one is refused without counting, and a known browser is served', async () => {
    const { cookie } = await signIn({ address: '10.1.0.1' })
    const flood = Array.from({ length: 90 }, (_, i) => fail({ email: `f${i}@x.example`, address: `10.2.${i}.1` }))
    const known = signIn({ address: '10.1.0.1', cookie })
    const statuses = (await Promise.all(flood)).map((answer) => answer.status)
    expect((await known).status).toBe(200)
    const turnedAway = statuses.filter((status) => status === 503).length
    expect(turnedAway + statuses.filter((status) => status === 401).length).toBe(90)
    const kept = await app.records.system((tx) =>
      tx.selectFrom('attempt').select('count').where('kind', '=', 'login-account').where('count', '>', 0).execute(),
    )
    expect(kept).toHaveLength(90 - turnedAway)
  }, 60_000)
})

describe('the cookie of a known browser', () => {
  test('S3 the cookie is sent to account calls only and not readable by scripts', async () => {
    const { header } = await signIn()
    expect(header).toMatch(
      /^gm_device_[0-9a-f]{12}=[\w.-]+; Max-Age=31536000; Path=\/api\/user; HttpOnly; SameSite=Strict$/,
    )
    expect((await fail()).header).toBe('')
  })

  test('S3 a known browser has its own count, which other clients do not change', async () => {
    const { cookie } = await signIn()
    for (let i = 0; i < 6; i++) await fail()
    expect((await signIn()).status).toBe(429)
    expect((await signIn({ cookie })).status).toBe(200)
    for (let i = 0; i < 5; i++) expect((await fail({ cookie })).status).toBe(401)
    expect((await signIn({ cookie })).status).toBe(429)
  })

  test('S3 a forged, foreign or one-year-old cookie has no effect', async () => {
    const { cookie = '' } = await signIn()
    const other = (await signIn({ email: 'sudoer@west.example' })).cookie ?? ''
    const [name = ''] = cookie.split('=')
    for (let i = 0; i < 5; i++) await fail()
    for (const given of [
      `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`,
      `${name}=${other.split('=')[1]}`,
      `${name}=x`,
      other,
    ])
      expect((await signIn({ cookie: given })).status, given).toBe(429)
    expect((await signIn({ cookie })).status).toBe(200)
    app.setNow('2027-11-20T08:00:01Z')
    for (let i = 0; i < 5; i++) await fail()
    expect((await signIn({ cookie })).status).toBe(429)
  })

  test('S3 recovery by mail makes the browser known at once, despite failures from its address', async () => {
    const email = 'auditor@north.example'
    for (let i = 0; i < 6; i++) await fail({ email, address: '127.0.0.1' })
    await app.ask(resetPassword, { body: { email } })
    const mail = await storedRow(app.records, 'mail_outbox', { recipient: email }, ['body'])
    const otp = /is (\d{8})$/m.exec(mail.body ?? '')?.[1]
    const password = 'Ammoniak-4-kompressorer'
    const done = await app.ask(resetWithOtp, {
      body: { email, otp, newPassword: password, confirmNewPassword: password },
    })
    const cookie = String(done.headers['set-cookie']).split(';')[0]
    expect((await signIn({ email, password, address: '127.0.0.1' })).status).toBe(429)
    expect((await signIn({ email, password, address: '127.0.0.1', cookie })).status).toBe(200)
  })
})

describe('response time', () => {
  const counted: string[] = []
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      counted.push(node.kind === 'RawNode' ? node.sqlFragments.join('?') : node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  beforeAll(() => {
    const { system, tenant } = app.records
    app.records.system = (work) => system((tx) => work(withPlugin(tx, counting)))
    app.records.tenant = (id, work) => tenant(id, (tx) => work(withPlugin(tx, counting)))
  })
  afterEach(() => void counted.splice(0))

  const workOf = async (act: () => Promise<unknown>) => {
    counted.splice(0)
    hashed()
    await act()
    return {
      queries: counted.map((query) => query.replace('release', 'rollback to')),
      hashes: hashed(),
    }
  }

  test('S3 a wrong password, an unknown e-mail and a disabled account cost the same queries and one hash', async () => {
    const wrong = await workOf(() => fail())
    expect(wrong.hashes).toBe(1)
    expect(wrong.queries.length).toBeGreaterThan(8)
    expect(await workOf(() => fail({ email: 'nobody@north.example' }))).toEqual(wrong)
    await changeRows(app.records, 'app_user', { email: 'custom@west.example' }, { enabled: false })
    expect(await workOf(() => signIn({ email: 'custom@west.example' }))).toEqual(wrong)
  })

  test('S4 requesting and trying a code costs the same for an unknown e-mail', async () => {
    const known = await workOf(() => app.ask(resetPassword, { body: { email: owner } }))
    expect(known.queries.length).toBeGreaterThan(8)
    for (const email of ['nobody@north.example', 'admin@north.example', 'custom@west.example'])
      expect(await workOf(() => app.ask(resetPassword, { body: { email } })), email).toEqual(known)
    const attempt = (email: string) =>
      workOf(() =>
        app.ask(resetWithOtp, {
          body: { email, otp: '00000000', newPassword: 'en god sætning', confirmNewPassword: 'en god sætning' },
        }),
      )
    const tried = await attempt(owner)
    expect(await attempt('nobody@north.example')).toEqual(tried)
  })
})

test('attempts are deleted after two days without a new one', async () => {
  await fail()
  const job = authJobs.find(({ name }) => name === 'forget-attempts')
  const left = () => storedRows(app.records, 'attempt')
  app.setNow('2026-11-22T08:00:00Z')
  await job?.run(app)
  expect(await left()).toHaveLength(2)
  app.setNow('2026-11-22T08:00:01Z')
  await job?.run(app)
  expect(await left()).toEqual([])
})
