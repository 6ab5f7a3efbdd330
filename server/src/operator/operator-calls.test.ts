import { loginLink, verify } from '@gridmast/contract/people/auth.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { operatorCalls } from './operator-calls.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://portal.example/' })
})
afterAll(() => app.close())

const heard = async (said: AsyncIterable<{ said: string; wrong?: boolean }>) => {
  const all = []
  for await (const one of said) all.push(one)
  return all
}

test('S5 the address of a sign-in link signs the person in once', async () => {
  const request = { email: 'expert@north.example', withoutSecondFactor: false }
  const [one] = await heard(operatorCalls(app)['login-link'](request))
  const id = one?.said.replace('https://portal.example/auth/login/', '') ?? ''
  expect(one?.said).toMatch(/^https:\/\/portal\.example\/auth\/login\/[\w-]+$/)
  expect((await app.ask(loginLink, { body: { id } })).body.success).toBe(true)
  expect((await app.ask(loginLink, { body: { id } })).body.success).toBe(false)
  await expect(heard(operatorCalls(app)['login-link']({ ...request, email: 'no@north.example' }))).rejects.toThrow(
    'no@north.example: no account that may sign in',
  )
})

test('C4 a whole trail is said to be whole, a changed entry is named; of one customer or of all', async () => {
  const verify = (customer?: string) => heard(operatorCalls(app)['audit-verify']({ customer }))
  const [north, west] = await verify()
  expect(north?.said).toMatch(/^north: whole, \d+ entries, newest [0-9a-f]{64}$/)
  expect(west?.said).toMatch(/^west: whole/)
  await app.records.owner((db) =>
    sql`update audit_entry set who = 'somebody else' where entry_no = 1 and customer_id = (select customer_id from customer where key = 'north')`.execute(
      db,
    ),
  )
  expect(await verify('north')).toEqual([
    { said: 'north: BROKEN at entry 1, 0 entries before it are whole', wrong: true },
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

test('S1 provisioning through the running server: a mistake has its line, a dry run writes nothing, a removed person is out at once', async () => {
  const provision = (text: string, more: object = {}) =>
    heard(
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
  expect(asked.at(-1)).toEqual({ said: '4 changes, nothing written (dry run)' })
  await expect(app.signIn('bob@added.example')).rejects.toThrow()
  expect((await provision(file(`${ada}, ${bob}`))).at(-1)).toEqual({ said: '4 changes' })
  const token = await app.signIn('bob@added.example')
  expect((await app.ask(verify, { token })).status).toBe(200)
  expect(await provision(file(`${ada}`))).toContainEqual({ said: expect.stringMatching(/^- added app_user bob@added/) })
  await expect.poll(async () => (await app.ask(verify, { token })).status, { timeout: 500 }).toBe(401)
})
