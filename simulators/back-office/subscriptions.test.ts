import { addEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import { expect, test } from 'vitest'
import type { Portal } from './portal.ts'
import { subscribed, writeSubscriptions } from './subscriptions.ts'

const ids = [
  '01930000-0000-7000-8000-000000000001',
  '01930000-0000-7000-8000-000000000002',
  '01930000-0000-7000-8000-000000000003',
]

test('each is to an instance, for mails of the markets of its licence, and the contract takes it', async () => {
  const licenses = ['FCR-D-INC', 'FFR', 'aFRR'].map((name, i) => ({
    name,
    groups: [
      { _id: ids[i], name: subscribed[i] },
      { _id: 'another', name: 'Another' },
    ],
  }))
  const sent: unknown[] = []
  const ask = (async (call, { body }: { body: unknown }) => {
    if (call.path === findLicences.path) return { licenses }
    const { instanceId, eventType, activation } = addEmailSubscriptions.body.parse(body)
    sent.push([instanceId, eventType, activation])
    return {}
  }) as Portal['ask'] // the two calls in use
  expect(await writeSubscriptions(ask, 'kontrolrum@nordhavn.example')).toBe(3)
  expect(sent).toEqual([
    [ids[0], 'fcr_based', true],
    [ids[1], 'fcr_based', true],
    [ids[2], 'frr_based', true],
  ])
})
