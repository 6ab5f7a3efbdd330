import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layTestWorld } from '#testing/data-folder.ts'
import { run } from '#testing/scripts.ts'

const script = join(import.meta.dirname, 'placing.process.ts')
// The early gate of 22.11. closes on 21.11. at 00:30 CET; its cut-off is two hours before.
const [cutOff, minuteLater] = ['2026-11-20T21:30:00Z', '2026-11-20T21:31:00Z']
const nothing = { bids: 0, files: 0, mails: 0, placed: 0, trail: 0 }
const all = { bids: 24, files: 1, mails: 1, placed: 1, trail: 1 }

let prepared = ''
beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'gridmast-placing-'))
  await layTestWorld(prepared)
  await run(script, prepared)
}, 120_000)
afterAll(() => rm(prepared, { recursive: true, force: true }))

test.each([
  ['before the row', nothing],
  ['before the commit of the row', nothing],
  ['after the row', all],
])(
  'kill -9 %s: bids, file, mail and trail are all stored or none, and once after the next minute',
  async (where, left) => {
    const folder = await mkdtemp(join(tmpdir(), 'gridmast-placing-'))
    try {
      await cp(prepared, folder, { recursive: true })
      expect((await run(script, folder, where, cutOff)).signal).toBe('SIGKILL')
      const { signal, said } = await run(script, folder, '', minuteLater, minuteLater)
      expect([signal, JSON.parse(said)]).toEqual([null, [left, all, all]])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
