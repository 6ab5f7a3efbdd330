import { afterAll, expect, test } from 'vitest'
import { openVipps } from '../../server/src/connectors/vipps/fetch.ts'
import { followPayments } from '../../server/src/charging/payments/follow.ts'
import { paymentKind, mobilePay } from '../../server/src/charging/payments/operations.ts'
import { openOutbox } from '../../server/src/platform/messaging/outbox.ts'
import type { Records, Tx } from '../../server/src/platform/records/records.ts'
import { keys, openDesk } from './payments.fixture.ts'

const desk = await openDesk()
await desk.saveAccount()
afterAll(() => desk?.close())

const dying = (place: 'before the commit of' | 'after', nth: number) => {
  let count = 0
  let isDead = false
  const check = (isPlace: boolean) => {
    isDead ||= isPlace
    if (isDead) throw new Error('died')
  }
  const records: Records = {
    ...desk.app.records,
    system: async (work) => {
      check(false)
      return desk.app.records.system(work)
    },
    tenant: async <T>(id: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
      check(false)
      const own = ++count
      const done = await desk.app.records.tenant(id, async (tx) => {
        const answer = await work(tx)
        check(place === 'before the commit of' && own === nth)
        return answer
      })
      check(place === 'after' && own === nth)
      return done
    },
  }
  return { records, isDead: () => isDead }
}

const round = async (records: Records) => {
  const app = { ...desk.app, records }
  const vipps = openVipps(desk.provider.baseUrl, keys, { timeoutMs: 1000, now: desk.now })
  const providerOf = () => Promise.resolve(mobilePay(vipps))
  const outbox = openOutbox({ ...app, kinds: paymentKind(app, providerOf) })
  await outbox.drain().catch(() => {})
  await followPayments(app, providerOf).catch(() => {})
  await outbox.drain().catch(() => {})
  await outbox.close().catch(() => {})
}

test.each(['before the commit of', 'after'] as const)(
  'a crash %s each transaction from the end of a session to the last release: captured once and exactly',
  async (place) => {
    for (let nth = 1; ; nth++) {
      const { _id, transactionId } = await desk.charging()
      await desk.end(transactionId, { wh: 4000, dkk: '10' })
      const { records, isDead } = dying(place, nth)
      for (let rounds = 0; rounds < 3 && !isDead(); rounds++) await round(records)
      await desk.settled(_id)
      expect([place, nth, (await desk.shown(_id)).payment.state]).toEqual([place, nth, 'captured'])
      expect([place, nth, await desk.provider.taken(_id)]).toEqual([place, nth, [1000]])
      expect(await desk.provider.held(_id)).toMatchObject({ captured: 1000, cancelled: 19_000, refunded: 0 })
      if (!isDead()) return expect(nth).toBeGreaterThan(5)
    }
  },
)
