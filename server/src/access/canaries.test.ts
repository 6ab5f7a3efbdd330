import { calls } from '@gridmast/contract/calls.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { idPositions, idsOf, validRequest } from '#testing/tenant-matrix.ts'

const roles = ['sudoer', 'expert', 'auditor', 'custom']

let app: TestApp
let ids: Record<string, string>
const tokens = new Map<string, string>()
beforeAll(async () => {
  app = await openTestApp()
  // Both customers leave traces: sign-ins, an export, refused sign-ins.
  for (const key of ['north', 'west'])
    for (const role of roles) {
      const token = await app.tokenOf(`${role}@${key}.example`)
      tokens.set(`${role}@${key}.example`, token)
      await app.ask(calls.frequencySeries, { token, params: await own(key), query: { format: 'csv' } })
    }
  ids = await app.records.system((tx) => idsOf(tx, 'north'))
})
afterAll(() => app.close())

const own = async (key: string) => ({ id: (await app.records.system((tx) => idsOf(tx, key)))['frequency'] ?? '' })

/** All data of West has its name: customer, emails, instances, edges. */
const canary = /\bwest\b/i

const readable = Object.entries(calls as Record<string, CallShape>).filter(
  ([, call]) =>
    call.method === 'GET' &&
    call.may !== 'public' &&
    call.answer !== 'events' &&
    !idPositions(call).some(
      ({ ref }) =>
        [
          'webhook',
          'alert-trigger',
          'event',
          'bid-request',
          'bid-result-file',
          'meter',
          'reconciliation',
          'scope-2-report',
          'payment',
          'load-plan',
          'load-backtest',
        ].includes(ref) || ref.startsWith('charg'),
    ), // no such row exists here; the matrix covers those calls
)

describe.each(roles)('T5 what the %s of North reads', (role) => {
  test.each(readable)('%s has nothing of West', async (name, call) => {
    const request = validRequest(name, call, (ref) => ids[ref] ?? '')
    const token = tokens.get(`${role}@north.example`) ?? ''
    const answers = [await app.ask(call, { token, ...request })]
    if (call.query && 'format' in call.query.shape)
      answers.push(await app.ask(call, { token, ...request, query: { ...request.query, format: 'csv' } }))
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(500)
      expect(status).not.toBe(401)
      expect(text).not.toMatch(canary)
    }
  })
})

test('T5 the canary sings where it may: West reads its own name', async () => {
  const { text } = await app.ask(calls.verify, { token: await app.tokenOf('sudoer@west.example') })
  expect(text).toMatch(canary)
})
