import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layTestWorld } from '../../server/src/testing/data-folder.ts'
import { run, start } from '../../server/src/testing/scripts.ts'
import { serveProvider } from './payments.fixture.ts'

const script = join(import.meta.dirname, '../../server/src/charging/payments/payments.process.ts')
const minuteMs = 60_000
const startMs = Date.parse('2026-11-20T12:00:00Z')
const times = Array.from({ length: 12 }, (_, i) => new Date(startMs + i * 2 * minuteMs).toISOString())

let prepared = ''
beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'gridmast-pay-'))
  await layTestWorld(prepared)
  await run(script, prepared)
}, 120_000)
afterAll(() => rm(prepared, { recursive: true, force: true }))

const places: [where: string, path: string][] = [
  ['while the reservation is asked', '/epayment/v1/payments'],
  ['while the payment is looked at', 'GET'],
  ['while it is captured', '/capture'],
  ['while the rest is given back', '/cancel'],
  ...Array.from({ length: 8 }, (_, i): [string, string] => [
    `${i % 2 ? 'after' : 'commit'} ${Math.floor(i / 2) + 2}`,
    '',
  ]),
]

/** After the commit of the start and before its notification: no charger received it, so the whole reservation is released. */
const neverSent = 'after 3'

test.each(places)(
  'kill -9 %s: one reservation, captured once and stored in the portal',
  async (where, path) => {
    const folder = await mkdtemp(join(tmpdir(), 'gridmast-pay-'))
    await cp(prepared, folder, { recursive: true })
    let kill: (() => void) | null = null
    const nowMs = startMs
    const provider = await serveProvider(
      () => nowMs,
      (asked) => {
        const isIt = path === 'GET' ? /payments\/[^/]+$/.test(asked) : path !== '' && asked.endsWith(path)
        if (isIt) kill?.()
      },
      0,
    )
    try {
      const { child, ended } = start(script, folder, provider.baseUrl, path ? '' : where, ...times.slice(0, 3))
      kill = () => child.kill('SIGKILL')
      await ended
      kill = null
      const last = await run(script, folder, provider.baseUrl, '', ...times.slice(3))
      const payment = JSON.parse(last.said) as { id: string; state: string; captured: number | null }
      const held = await provider.held(payment.id)
      if (where === neverSent) {
        expect(payment).toMatchObject({ state: 'released', captured: null })
        expect(held).toMatchObject({ captured: 0, cancelled: 20_000 })
        return
      }
      expect(payment).toMatchObject({ state: 'captured', captured: 1000 })
      expect(await provider.taken(payment.id)).toEqual([1000])
      expect(held).toMatchObject({ captured: 1000, cancelled: 19_000, value: 20_000 })
    } finally {
      provider.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
