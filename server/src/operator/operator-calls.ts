import { z } from 'zod'
import { makeLoginLink } from '#people/auth/sign-in.ts'
import { verifyChain } from '#platform/records/audit.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { applyProvisioning } from './provisioning/apply.ts'
import { BadProvisioningFile, readProvisioning } from './provisioning/read.ts'

type OperatorApp = Pick<App, 'records' | 'secret' | 'clock' | 'config'> & {
  changed?: () => void
}

const loginLinkRequest = z.strictObject({ email: z.string(), withoutSecondFactor: z.boolean() })
const auditRequest = z.strictObject({ customer: z.string().optional() })
const provisionRequest = z.strictObject({
  file: z.string(),
  text: z.string(),
  dryRun: z.boolean(),
  resetPasswords: z.boolean(),
})
export type OperatorRequests = {
  provision: z.infer<typeof provisionRequest>
  'login-link': z.infer<typeof loginLinkRequest>
  'audit-verify': z.infer<typeof auditRequest>
}

export type Said = { said: string; wrong?: boolean }

const readCustomers = (file: string, text: string) => {
  try {
    return readProvisioning(text)
  } catch (error) {
    if (!(error instanceof BadProvisioningFile)) throw error
    throw new Error(`${file} is not valid, nothing was changed:\n${error.message}`, { cause: error })
  }
}

/** Calls of the operator's tools, through the control socket of a running server or on the store itself; each yields texts as they become available. */
export const operatorCalls = (app: OperatorApp) => ({
  provision: async function* (request: unknown): AsyncGenerator<Said> {
    const { file, text, dryRun, resetPasswords } = provisionRequest.parse(request)
    const wanted = readCustomers(file, text)
    const changes = await applyProvisioning(app.records, wanted, { dryRun, resetPasswords, demo: app.config.demo })
    for (const { sign, customer, table, name, what } of changes)
      yield { said: `${sign} ${customer} ${table} ${name}${what ? `: ${what}` : ''}` }
    yield {
      said: `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}${dryRun ? ', nothing written (dry run)' : ''}`,
    }
    if (app.config.demo && !dryRun)
      yield {
        said: 'This is a demo: what you add ends with it. For customers of your own start a server with DEMO=off.',
      }
  },
  'login-link': async function* (request: unknown): AsyncGenerator<Said> {
    const { email, withoutSecondFactor } = loginLinkRequest.parse(request)
    const id = await makeLoginLink(app.records, app.secret, email, app.clock.now(), { withoutSecondFactor })
    yield { said: portalAddress(app.config, `/auth/login/${id}`) }
  },
  'audit-verify': async function* (request: unknown): AsyncGenerator<Said> {
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
