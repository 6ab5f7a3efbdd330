import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { layTestWorld } from '#testing/data-folder.ts'
import { run } from '#testing/scripts.ts'

const script = join(import.meta.dirname, 'planning.process.ts')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-planning-'))
  await layTestWorld(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const live = (where: string, life: number) =>
  run(script, folder, where, new Date(Date.parse('2026-11-20T17:00:00Z') + life * 600_000).toISOString())

test('kill -9 during a plan and a backtest: the next process repeats each, and each finishes once', async () => {
  const killed = ['plan solved', 'backtest written']
  for (const [life, where] of killed.entries())
    expect([where, (await live(where, life)).signal]).toEqual([where, 'SIGKILL'])
  const { said, signal } = await live('', killed.length)
  expect([signal, JSON.parse(said)]).toEqual([
    null,
    [
      { what: 'plan', state: 'done', tries: 2, said: 'optimal' },
      { what: 'backtest', state: 'done', tries: 2, said: '1.00' },
    ],
  ])
}, 180_000)
