import { z } from 'zod'
import { makeLoginLink } from '#people/auth/sign-in.ts'
import { verifyChain } from '#platform/records/audit.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { BadPastBids, importPastBids } from '#trading/requests/past-bids.ts'
import { erasePerson } from './people-data/erase-person.ts'
import { exportPerson } from './people-data/export-person.ts'
import type { OutputLine } from './output-line.ts'
import { applyProvisioning } from './provisioning/apply.ts'
import { BadProvisioningFile, readProvisioning } from './provisioning/read.ts'
import { reseal } from './reseal.ts'

type OperatorApp = Pick<App, 'records' | 'secret' | 'clock' | 'config'>

const loginLinkRequest = z.strictObject({ email: z.string(), withoutSecondFactor: z.boolean() })
const eraseRequest = z.strictObject({ email: z.string(), dryRun: z.boolean() })
const exportRequest = z.strictObject({ email: z.string() })
const auditRequest = z.strictObject({ customer: z.string().optional() })
const provisionRequest = z.strictObject({
  file: z.string(),
  text: z.string(),
  dryRun: z.boolean(),
  resetPasswords: z.boolean(),
})
export type OperatorRequests = {
  provision: z.infer<typeof provisionRequest>
  'import-bids': z.infer<typeof importRequest>
  'login-link': z.infer<typeof loginLinkRequest>
  'audit-verify': z.infer<typeof auditRequest>
  reseal: Record<string, never>
  'person-erase': z.infer<typeof eraseRequest>
}

const importRequest = z.strictObject({ customer: z.string(), file: z.string(), text: z.string(), dryRun: z.boolean() })
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
  provision: async function* (request: unknown): AsyncGenerator<OutputLine> {
    const { file, text, dryRun, resetPasswords } = provisionRequest.parse(request)
    const customers = readCustomers(file, text)
    const changes = await applyProvisioning(app.records, customers, { dryRun, resetPasswords, demo: app.config.demo })
    for (const { sign, customer, table, name, what } of changes)
      yield { text: `${sign} ${customer} ${table} ${name}${what ? `: ${what}` : ''}` }
    yield {
      text: `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}${dryRun ? ', nothing written (dry run)' : ''}`,
    }
    if (app.config.demo && !dryRun)
      yield {
        text: 'This is a demo: what you add ends with it. For customers of your own start a server with DEMO=off.',
      }
  },
  'import-bids': async function* (request: unknown): AsyncGenerator<OutputLine> {
    const file = importRequest.parse(request)
    try {
      for await (const text of importPastBids(app, file)) yield { text }
    } catch (error) {
      if (!(error instanceof BadPastBids)) throw error
      throw new Error(`${file.file}, nothing was imported:\n${error.message}`, { cause: error })
    }
  },
  'login-link': async function* (request: unknown): AsyncGenerator<OutputLine> {
    const { email, withoutSecondFactor } = loginLinkRequest.parse(request)
    const id = await makeLoginLink(app.records, app.secret, email, app.clock.now(), { withoutSecondFactor })
    yield { text: portalAddress(app.config, `/auth/login/${id}`) }
  },
  'person-export': (request: unknown) => exportPerson(app, exportRequest.parse(request).email),
  'person-erase': (request: unknown): AsyncGenerator<OutputLine> => {
    const { email, dryRun } = eraseRequest.parse(request)
    return erasePerson(app, email, { dryRun })
  },
  reseal: () => reseal(app),
  'audit-verify': async function* (request: unknown): AsyncGenerator<OutputLine> {
    const { customer } = auditRequest.parse(request)
    const all = await app.records.system((tx) =>
      tx.selectFrom('customer').select(['customer_id', 'key']).orderBy('key').execute(),
    )
    const customers = all.filter(({ key }) => !customer || key === customer)
    if (customer && customers.length === 0) throw new Error(`There is no customer ${customer}`)
    for (const { customer_id, key } of customers) {
      const { entries, firstBroken, newest } = await verifyChain(app.records, customer_id)
      yield firstBroken === null
        ? { text: `${key}: whole, ${entries} entries${newest ? `, newest ${newest}` : ''}` }
        : { text: `${key}: BROKEN at entry ${firstBroken}, ${entries} entries before it are whole`, isError: true }
    }
  },
})
