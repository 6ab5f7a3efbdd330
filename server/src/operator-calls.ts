import { z } from 'zod'
import { makeLoginLink } from '#domains/auth/login-link.ts'
import { verifyChain } from '#platform/audit.ts'
import type { App } from './context.ts'

export type OperatorApp = Pick<App, 'records' | 'secret' | 'clock' | 'config'>

const loginLinkRequest = z.strictObject({ email: z.string(), withoutSecondFactor: z.boolean() })
const auditRequest = z.strictObject({ customer: z.string().optional() })
export type OperatorRequests = {
  'login-link': z.infer<typeof loginLinkRequest>
  'audit-verify': z.infer<typeof auditRequest>
}

/** What the operator's tools ask of the records: of a running server through its door, or of the store itself. Each yields texts as they are known. */
export const operatorCalls = (app: OperatorApp) => ({
  'login-link': async function* (request: unknown) {
    const { email, withoutSecondFactor } = loginLinkRequest.parse(request)
    const id = await makeLoginLink(app.records, app.secret, email, app.clock.now(), { withoutSecondFactor })
    const portal = app.config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${app.config.PORT}`
    yield { said: `${portal}/auth/login/${id}` }
  },
  'audit-verify': async function* (request: unknown) {
    const { customer: wanted } = auditRequest.parse(request)
    const customers = await app.records.system((tx) =>
      tx.selectFrom('customer').select(['customer_id', 'key']).orderBy('key').execute(),
    )
    const asked = customers.filter(({ key }) => !wanted || key === wanted)
    if (wanted && asked.length === 0) throw new Error(`There is no customer ${wanted}`)
    for (const { customer_id, key } of asked) {
      const { entries, firstBroken, newest } = await verifyChain(app.records, customer_id)
      yield firstBroken === null
        ? { said: `${key}: whole, ${entries} entries${newest ? `, newest ${newest}` : ''}` }
        : { said: `${key}: BROKEN at entry ${firstBroken}, ${entries} entries before it are whole`, wrong: true }
    }
  },
})
