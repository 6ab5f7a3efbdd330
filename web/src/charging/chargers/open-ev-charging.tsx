import type { Charger } from '@gridmast/contract/charging/ev-charging.ts'
import type { ChargerTransaction } from '@gridmast/contract/charging/sessions.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { afterEach, beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { someGroup, someTag } from '#testing/samples.ts'
import { someUser } from '#testing/user.ts'
import { chargerOf, connectorOf, licenceId, overviewOf, sessionId, sessionOf } from './ev-charging.fixture.ts'
import EvCharging from './EvCharging.tsx'

const charging = connectorOf(1, { state: 'charging', transactionId: sessionId, powerKw: 17.4, soc: 64 })
export const all: Charger[] = [
  chargerOf(1, 'Port 1', { connectors: [charging, connectorOf(2)] }),
  chargerOf(2, 'Port 2', {
    connectors: [connectorOf(1, { state: 'faulted', error: 'GroundFailure' }), connectorOf(2)],
  }),
  chargerOf(3, 'Lynlader', { meta: { ...chargerOf(3, '').meta, isActive: false } }),
]
beforeEach(() => tokenStore.set('t'))
afterEach(() => {
  tokenStore.set(null)
})

const sums = { overallConsumption: 2418.37, refusedConsumption: 0 }

type OpenOptions = {
  who?: User['userRole']
  chargers?: () => Charger[]
  transactions?: ChargerTransaction[]
  total?: number
  /** Sessions that need attention. */
  attention?: ChargerTransaction[]
  overview?: ReturnType<typeof overviewOf>
  remote?: () => { status?: number; message?: string; data?: unknown } | Promise<{ data: unknown }>
  live?: ReadableStream<Uint8Array>
  language?: 'en' | 'da'
  more?: Parameters<typeof answerCalls>[0]
}

export const open = async (search = '', options: OpenOptions = {}) => {
  const { who = 'sudoer', chargers = () => all, transactions = [sessionOf()], remote, language = 'en' } = options
  const answer = remote ?? (() => ({ data: { status: 'Accepted', accepted: true } }))
  const requests = answerCalls({
    'GET /client/live': () => ({ status: 403 }),
    [`GET /client/evc/connector/${licenceId}`]: () => ({ data: { chargers: chargers() } }),
    'GET /client/data/annotation/charger': () => ({ data: { annotations: [], isCut: false } }),
    'GET /client/evc/overview': () => ({ data: options.overview ?? overviewOf() }),
    [`GET /client/evc/transaction/${sessionId}`]: () => ({ data: { transaction: sessionOf() } }),
    'GET /client/evc/transaction': () => {
      const isAttention = fetched().at(-1)?.includes('attention=true')
      const { attention = [] } = options
      if (isAttention) return { data: { transactions: attention, totalCount: attention.length, ...sums } }
      return { data: { transactions, totalCount: options.total ?? transactions.length, ...sums } }
    },
    'GET /client/evc/tag': () => ({ data: [{ tags: [someTag], totalCount: options.total ?? 1 }] }),
    'GET /client/evc/group': () => ({ data: { groups: [someGroup] } }),
    'GET /client/evc/choice': () => ({ data: { oneSession: false } }),
    'GET /client/evc/price': () => ({ data: { chargers: [], tariffs: [] } }),
    'POST /client/evc/remote/start': answer,
    'POST /client/evc/remote/stop': answer,
    ...options.more,
  })
  const user = someUser({
    userRole: who,
    allowed: { e3App: true },
    customerId: {
      enabledLicense: { [licenceId]: { licenseType: { name: 'evCharging', icon: '' }, enabled: true } },
      license: { evCharging: { enabled: true } },
    },
  })
  const { router } = await showAt(
    '/e3-App/evCharging',
    <UserProvider value={user}>
      <h1>EV Charging</h1>
      <EvCharging />
    </UserProvider>,
    language,
    search,
  )
  return { router, requests, changes: () => requests.filter(({ call }) => !call.startsWith('GET')) }
}
export const button = (name: string | RegExp) => page.getByRole('button', { name })
export const dialog = page.getByRole('dialog')
