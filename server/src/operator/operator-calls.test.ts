import { loginLink, verify } from '@gridmast/contract/people/auth.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { operatorCalls } from './operator-calls.ts'
import type { OutputLine } from './output-line.ts'

const app = await openTestApp({ PUBLIC_URL: 'https://portal.example/' })
afterAll(() => app.close())

const linesOf = async (output: AsyncIterable<OutputLine>) => {
  const lines = []
  for await (const line of output) lines.push(line)
  return lines
}

test('S5 the address of a sign-in link signs its user in once', async () => {
  const request = { email: 'expert@north.example', withoutSecondFactor: false }
  const [one] = await linesOf(operatorCalls(app)['login-link'](request))
  const id = one?.text.replace('https://portal.example/auth/login/', '') ?? ''
  expect(one?.text).toMatch(/^https:\/\/portal\.example\/auth\/login\/[\w-]+$/)
  expect((await app.ask(loginLink, { body: { id } })).body.success).toBe(true)
  expect((await app.ask(loginLink, { body: { id } })).body.success).toBe(false)
  await expect(linesOf(operatorCalls(app)['login-link']({ ...request, email: 'no@north.example' }))).rejects.toThrow(
    'no@north.example: no account that may sign in',
  )
})

test('C4 a whole trail is confirmed and a changed entry is named, for one customer or all', async () => {
  const verify = (customer?: string) => linesOf(operatorCalls(app)['audit-verify']({ customer }))
  const [north, west] = await verify()
  expect(north?.text).toMatch(/^north: whole, \d+ entries, newest [0-9a-f]{64}$/)
  expect(west?.text).toMatch(/^west: whole/)
  await app.records.owner((db) =>
    sql`update audit_entry set who = 'somebody else' where entry_no = 1 and customer_id = (select customer_id from customer where key = 'north')`.execute(
      db,
    ),
  )
  expect(await verify('north')).toEqual([
    { text: 'north: BROKEN at entry 1, 0 entries before it are whole', isError: true },
  ])
  expect(await verify('west')).toEqual([west])
  await expect(verify('nobody')).rejects.toThrow('There is no customer nobody')
})

const file = (users: string) => `
customers:
  - key: added
    name: Added
    edges: [{ key: added-edge, name: Edge, password: a-long-random-secret }]
    users: [${users}]`
const [ada, bob] = ['ada', 'bob'].map(
  (name) => `{ email: ${name}@added.example, name: ${name}, role: sudoer, password: gridmast-demo }`,
)

test('S1 provisioning through the running server reports mistakes by line, writes nothing in a dry run and ends sessions of removed users', async () => {
  const provision = (text: string, more: object = {}) =>
    linesOf(
      operatorCalls(app).provision({
        file: 'customers.yaml',
        text,
        dryRun: false,
        resetPasswords: false,
        ...more,
      }),
    )
  await expect(provision(file(`${ada}, { email: x }`))).rejects.toThrow(
    /^customers\.yaml is not valid, nothing was changed:\nline 6: /,
  )
  const asked = await provision(file(`${ada}, ${bob}`), { dryRun: true })
  expect(asked.at(-1)).toEqual({ text: '4 changes, nothing written (dry run)' })
  await expect(app.signIn('bob@added.example')).rejects.toThrow()
  expect((await provision(file(`${ada}, ${bob}`))).at(-1)).toEqual({ text: '4 changes' })
  const token = await app.signIn('bob@added.example')
  expect((await app.ask(verify, { token })).status).toBe(200)
  expect(await provision(file(`${ada}`))).toContainEqual({ text: expect.stringMatching(/^- added app_user bob@added/) })
  await expect.poll(async () => (await app.ask(verify, { token })).status, { timeout: 5000 }).toBe(401)
})

test('past bids through the running server are confirmed line by line, and a mistake has its line', async () => {
  const line = {
    instance: 'cold',
    market: 'FCR-D-INC',
    startDate: '2026-10-05',
    endDate: '2026-10-05',
    capacity: Array.from({ length: 24 }, () => 0.2),
    price: Array.from({ length: 24 }, () => 3),
  }
  const importBids = (text: string) =>
    linesOf(operatorCalls(app)['import-bids']({ customer: 'north', file: 'bids.ndjson', text, dryRun: false }))
  await expect(importBids(`${JSON.stringify(line)}\n{}`)).rejects.toThrow(
    /^bids\.ndjson, nothing was imported:\nline 2: instance: /,
  )
  expect(await importBids(JSON.stringify(line))).toEqual([
    { text: '2026-10-05: 1 request, 24 bids' },
    { text: '1 request of 1 imported with 24 bids' },
    { text: expect.stringMatching(/^24 bids have no published price/) },
  ])
})
