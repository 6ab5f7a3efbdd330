// Cost of the access checks: a signed-in GET against a bare Fastify hello, a query with tenant scope against one without, a sign-in against
// the password hash alone.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { login } from '@gridmast/contract/people/auth.ts'
import autocannon from 'autocannon'
import { sql } from 'kysely'
import { writeAudit } from '../server/src/platform/records/audit.ts'
import { hashPassword, verifyPassword } from '../server/src/platform/security/password.ts'
import type { Tx } from '../server/src/platform/records/records.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const gates = async () => {
  const servers = fork(join(import.meta.dirname, 'api-servers.ts'))
  const [at] = (await once(servers, 'message')) as [{ bare: string; gated: string; path: string; token: string }] // its only message
  const load = async (url: string, headers: Record<string, string>) => {
    const done = await autocannon({ url, headers, connections: 16, duration: 2 })
    if (done.non2xx > 0 || done.errors > 0) throw new Error(`${url}: ${done.non2xx} refused, ${done.errors} failed`)
    return done.requests.average
  }
  const perS = { bare: [] as number[], gated: [] as number[] }
  for (let i = 0; i < 9; i++) {
    perS.bare.push(await load(at.bare, {}))
    perS.gated.push(await load(`${at.gated}/api${at.path}`, { authorization: `Bearer ${at.token}` }))
  }
  servers.send('stop')
  await once(servers, 'exit')
  const [bare, gated] = [median(perS.bare), median(perS.gated)]
  return { helloPerS: bare, gatedPerS: gated, gatesRatio: gated / bare }
}

/** A page of 30 of 3,000 entries of two customers, in a transaction with and without scope. */
const scoping = async (app: TestApp) => {
  const customers = await app.records.system((tx) => tx.selectFrom('customer').select('customer_id').execute())
  for (const { customer_id } of customers)
    await app.records.system(async (tx) => {
      for (let i = 0; i < 1500; i++)
        await writeAudit(tx, customer_id, Date.now(), {
          userId: null,
          who: 'bench@north.example',
          action: 'prices.tax',
          subject: `entry ${i}`,
          after: { i },
          result: 'ok',
        })
    })
  const customerId = customers[0]?.customer_id ?? ''
  const query = (tx: Tx) =>
    tx.selectFrom('audit_entry').selectAll().where('customer_id', '=', customerId).orderBy('entry_no', 'desc').limit(30)
  // A text of its own: a prepared statement shared by two roles is planned again each time, and the server's roles have their own queries.
  const unscopedQuery = (tx: Tx) =>
    query(tx)
      .modifyEnd(sql`/* unscoped */`)
      .execute()
  const ms = { scoped: [] as number[], unscoped: [] as number[] }
  for (let i = 0; i < 400; i++) {
    ms.scoped.push(await timed(() => app.records.tenant(customerId, (tx) => query(tx).execute())))
    ms.unscoped.push(await timed(() => app.records.owner((db) => db.transaction().execute(unscopedQuery))))
  }
  const [scoped, unscoped] = [median(ms.scoped), median(ms.unscoped)]
  return { scopedMs: scoped, unscopedMs: unscoped, scopingRatio: scoped / unscoped }
}

const signIn = async (app: TestApp) => {
  const body = { user: { email: 'sudoer@north.example', password: 'gridmast-demo' } }
  const hash = await hashPassword(body.user.password)
  const together = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: 8 }, work))
  const ms = { login: [] as number[], hash: [] as number[] }
  for (let i = 0; i < 8; i++) {
    ms.login.push(await timed(() => together(() => app.ask(login, { body }))))
    ms.hash.push(await timed(() => together(() => verifyPassword(body.user.password, hash))))
  }
  return { loginMs: median(ms.login) / 8, hashMs: median(ms.hash) / 8, signInRatio: median(ms.login) / median(ms.hash) }
}

export const api = async () => {
  const app = await openTestApp()
  const figures = { ...(await scoping(app)), ...(await signIn(app)) }
  await app.close()
  return { ...(await gates()), ...figures }
}

if (import.meta.main) console.log(JSON.stringify({ benchmark: 'gates', ...(await api()) }))
