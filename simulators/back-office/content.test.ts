import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAlert } from '@gridmast/contract/delivery/alerts.ts'
import { addEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import { createSupportNote, updateSupportNote } from '@gridmast/contract/people/support-notes.ts'
import { createBidRequest } from '@gridmast/contract/trading/bid-requests.ts'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { alerts, bids, notes, subscribed, writeAlerts, writeBids, writeNotes, writeSubscriptions } from './content.ts'
import type { Portal } from './portal.ts'

const world = parse(readFileSync(join(import.meta.dirname, '../../demo/world.yaml'), 'utf8')) as {
  customers: { instances?: { name: string; licence: string }[] }[] // the tests need only these fields
}
const instances = world.customers[0]?.instances ?? []
const licenceOf = (name: string) => instances.find((one) => one.name === name)?.licence ?? ''
const ids = new Map<string, string>()
const idOf = (text: string) => {
  const id = ids.get(text) ?? `01930000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`
  ids.set(text, id)
  return id
}
const licenses = [...new Set(instances.map(({ licence }) => licence))].map((name) => ({
  _id: idOf(name),
  name,
  groups: instances.filter(({ licence }) => licence === name).map((one) => ({ _id: idOf(one.name), name: one.name })),
}))

type Loose = { params?: { id: string }; body: unknown }
/** Licences of the demo world, and the answers of a test to the other calls. */
const askWith = (answer: (call: { path: string; method: string }, sent: Loose) => unknown) =>
  (async (call, sent: Loose) => (call.path === findLicences.path ? { licenses } : answer(call, sent))) as Portal['ask'] // the calls in use

test('each alert is on an instance of the demo, in its licence, and valid for the contract', async () => {
  const sent: [licence: string | undefined, alert: unknown][] = []
  const ask = askWith((_, { params, body }) => sent.push([params?.id, createAlert.body.parse(body).alert]))
  expect(await writeAlerts(ask, 'drift@nordhavn.example')).toBe(alerts.length)
  expect(sent).toEqual(
    alerts.map(({ instance, name }) => [
      idOf(licenceOf(instance)),
      expect.objectContaining({ name, properties: expect.objectContaining({ group: idOf(instance) }) }),
    ]),
  )
})

test.each(['2026-11-20T12:00:00Z', '2026-03-29T00:30:00Z', '2026-10-25T01:30:00Z'])(
  'the bid requests of %s are valid for the contract, in whole weeks from an open Monday',
  async (now) => {
    const sent: { startDate: string; endDate: string }[] = []
    const ask = askWith((_, { body }) => sent.push(createBidRequest.body.parse(body)))
    expect(await writeBids(ask, Date.parse(now))).toBe(bids.length)
    expect(sent).toHaveLength(bids.length)
    for (const { startDate, endDate } of sent) {
      expect(new Date(startDate).getUTCDay()).toBe(1)
      expect(new Date(endDate).getUTCDay()).toBe(0)
      expect(Date.parse(startDate) - Date.parse(now)).toBeGreaterThan(14 * 86_400_000)
    }
  },
)

test('each subscription is to an instance, for mails of the market of its licence, and valid for the contract', async () => {
  const sent: unknown[] = []
  const ask = askWith((_, { body }) => {
    const { instanceId, eventType, activation } = addEmailSubscriptions.body.parse(body)
    sent.push([instanceId, eventType, activation])
  })
  expect(await writeSubscriptions(ask, 'kontrolrum@nordhavn.example')).toBe(3)
  const types = ['fcr_based', 'fcr_based', 'frr_based']
  expect(sent).toEqual(subscribed.map((name, i) => [idOf(name), types[i], true]))
})

test('each note is dated before today, and the closed one is closed later', async () => {
  const sent: unknown[] = []
  const ask = askWith(({ path, method }, { body }) => {
    const form = path === createSupportNote.path ? createSupportNote.body : updateSupportNote.body
    const { supportNote } = form.parse(body)
    sent.push([method, supportNote.title, supportNote.released, supportNote.enable])
    return { supportNote: { _id: idOf('note') } }
  })
  expect(await writeNotes(ask, Date.parse('2026-11-20T12:00:00Z'))).toBe(2)
  const [settled, open] = notes
  expect(sent).toEqual([
    ['POST', settled?.title, '2026-11-08', true],
    ['PATCH', settled?.title, '2026-11-08', false],
    ['POST', open?.title, '2026-11-19', true],
  ])
})
