import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAlert } from '@gridmast/contract/delivery/alerts.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import type { Portal } from './portal.ts'
import { wishes, writeAlerts } from './alerts.ts'

const world = parse(readFileSync(join(import.meta.dirname, '../../demo/world.yaml'), 'utf8')) as {
  customers: { instances?: { name: string; licence: string }[] }[] // the test needs only these fields
}
const instances = world.customers[0]?.instances ?? []

test('each alert is on an instance of the demo world, in its licence, and the contract takes it', async () => {
  const ids = new Map<string, string>()
  const idOf = (text: string) => {
    const known = ids.get(text) ?? `01930000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`
    ids.set(text, known)
    return known
  }
  const licences = [...new Set(instances.map(({ licence }) => licence))]
  const licenses = licences.map((type) => ({
    _id: idOf(type),
    groups: instances.filter(({ licence }) => licence === type).map(({ name }) => ({ _id: idOf(name), name })),
  }))
  const sent: [licence: string, alert: unknown][] = []
  const ask = (async (call, { params, body }: { params: { id: string }; body: { alert: unknown } }) => {
    if (call.path === findLicences.path) return { licenses }
    sent.push([params.id, createAlert.body.parse(body).alert])
    return {}
  }) as Portal['ask'] // the two calls in use
  expect(await writeAlerts(ask, 'drift@nordhavn.example')).toBe(wishes.length)
  for (const [i, { instance, name }] of wishes.entries()) {
    const licence = instances.find((one) => one.name === instance)?.licence ?? ''
    expect(sent[i]).toEqual([
      idOf(licence),
      expect.objectContaining({ name, properties: expect.objectContaining({ group: idOf(instance) }) }),
    ])
  }
})
