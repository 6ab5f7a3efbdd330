import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layTestWorld } from '#testing/data-folder.ts'
import { run } from '#testing/scripts.ts'

const script = join(import.meta.dirname, 'send.process.ts')
const [due, later] = ['2026-11-05T07:00:00Z', '2026-11-05T07:05:00Z']
const nothing = { sent: 0, mails: 0, trail: 0 }
const one = { sent: 1, mails: 1, trail: 1 }
const all = { sent: 2, mails: 2, trail: 2 }

let prepared = ''
beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'gridmast-statements-'))
  await layTestWorld(prepared)
  await run(script, prepared)
}, 120_000)
afterAll(() => rm(prepared, { recursive: true, force: true }))

test.each([
  ['before the row', nothing],
  ['before the commit of the row', nothing],
  ['after the row', one],
])(
  'kill -9 %s: mails, sent marks and trail are all stored or none, and once five minutes later',
  async (where, left) => {
    const folder = await mkdtemp(join(tmpdir(), 'gridmast-statements-'))
    try {
      await cp(prepared, folder, { recursive: true })
      expect((await run(script, folder, where, due)).signal).toBe('SIGKILL')
      const { signal, said } = await run(script, folder, '', later, later)
      expect([signal, JSON.parse(said)]).toEqual([null, [left, all, all]])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
