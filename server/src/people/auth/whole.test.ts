import * as contract from '@gridmast/contract/people/auth.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { withPlugin } from '#testing/records.ts'
import { makeLoginLink } from './sign-in.ts'

const app = await openTestApp()
afterAll(() => app.close())

const owner = 'expert@north.example'
const password = 'kold luft i nord'

/** A store whose server dies when the audit entry is written. */
const dying: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === 'audit_entry')
      throw new Error('the server died here')
    return node
  },
  transformResult: async ({ result }) => result,
}
const tables = ['app_user', 'user_session', 'one_time_code', 'outbox', 'audit_entry'] as const
const store = () =>
  app.records.system(async (tx) => {
    const rows = []
    for (const table of tables) rows.push(await tx.selectFrom(table).selectAll().execute())
    return rows
  })

let token = ''
beforeEach(async () => {
  await app.records.system((tx) => tx.deleteFrom('attempt').execute())
  token = await app.signIn(owner)
})

const signIn = (email: string) => app.ask(contract.login, { body: { user: { email, password: 'gridmast-demo' } } })
const ready: Record<string, () => Promise<[CallShape, Parameters<TestApp['ask']>[1]]>> = {
  'signing in': async () => [contract.login, { body: { user: { email: owner, password: 'gridmast-demo' } } }],
  'a sign-in link': async () => [
    contract.loginLink,
    { body: { id: await makeLoginLink(app.records, app.secret, owner, app.clock.now()) } },
  ],
  'handing off': async () => [
    contract.handoff,
    { body: { code: (await signIn('admin@north.example')).body.data?.['token'] ?? '' } },
  ],
  'requesting a code': async () => [contract.resetPassword, { body: { email: owner } }],
  'ending one session': async () => {
    const other = await app.signIn(owner)
    const list: { _id: string }[] = (await app.data(contract.sessions, { token: other }))?.['sessions'] ?? []
    return [contract.revokeSession, { token, params: { sessionId: list[0]?._id ?? '' } }]
  },
  'logging out all accounts': async () => [
    contract.logoutAll,
    { token, body: { tokens: [await app.signIn('sudoer@west.example')] } },
  ],
  'logging out': async () => [contract.logout, { token }],
  'resetting the password': async () => {
    await app.ask(contract.resetPassword, { body: { email: owner } })
    const mail = await app.records.system((tx) =>
      tx.selectFrom('mail_outbox').select('body').orderBy('created_at', 'desc').limit(1).executeTakeFirstOrThrow(),
    )
    const otp = /is (\d{8})$/m.exec(mail.body ?? '')?.[1]
    return [contract.resetWithOtp, { body: { email: owner, otp, newPassword: password, confirmNewPassword: password } }]
  },
}

test.each(Object.keys(ready))(
  'C4 %s is stored with its audit entry or not at all, and works on retry',
  async (what) => {
    const [call, sent] = (await ready[what]?.()) ?? [contract.login, {}]
    const before = await store()
    const { system, tenant } = app.records
    app.records.system = (work) => system((tx) => work(withPlugin(tx, dying)))
    app.records.tenant = (id, work) => tenant(id, (tx) => work(withPlugin(tx, dying)))
    const died = await app.ask(call, sent)
    Object.assign(app.records, { system, tenant })
    expect(died).toMatchObject({ status: 500, body: { success: false, message: 'Internal server error!' } })
    expect(await store()).toEqual(before)

    expect((await app.ask(call, sent)).status).toBe(200)
    expect(await store()).not.toEqual(before)
  },
)
