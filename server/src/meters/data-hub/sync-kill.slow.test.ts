import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveEloverblik } from '#testing/eloverblik.ts'
import { layTestWorld } from '#testing/data-folder.ts'
import { run, start } from '#testing/scripts.ts'

const script = join(import.meta.dirname, 'sync.process.ts')
const point = (i: number) => `5713130000${String(i).padStart(8, '0')}`
const bundle = (first: number, end: number) => Array.from({ length: end - first }, (_, i) => point(first + i))
const bundles = [bundle(0, 10), bundle(10, 20), bundle(20, 25)]
const series = 'gettimeseries'

const kinds = (asked: readonly { path: string; points: string[] }[]) => ({
  tokens: asked.filter(({ path }) => path === 'token').length,
  readings: asked
    .filter(({ path }) => path.includes(series))
    .map(({ points }) => bundles.findIndex((one) => String(one) === String(points))),
})

let prepared = ''
beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'gridmast-sync-'))
  await layTestWorld(prepared)
  await run(script, prepared)
}, 120_000)
afterAll(() => rm(prepared, { recursive: true, force: true }))

test.each([
  ['while the token is asked', 'token', 1, { tokens: 1, readings: [] }, { tokens: 1, readings: [1, 2, 0] }],
  ['while the second bundle is asked', series, 2, { tokens: 1, readings: [0, 1] }, { tokens: 0, readings: [2, 1] }],
  ['before the commit of the row', '', 0, { tokens: 1, readings: [0] }, { tokens: 0, readings: [1, 2, 0] }],
  ['after the row', '', 0, { tokens: 1, readings: [0] }, { tokens: 0, readings: [1, 2] }],
])(
  'kill -9 %s: stored readings are not requested again, missing ones are requested once more',
  async (where, path, nth, before, after) => {
    const folder = await mkdtemp(join(tmpdir(), 'gridmast-sync-'))
    await cp(prepared, folder, { recursive: true })
    const asked: { path: string; points: string[] }[] = []
    let kill: (() => void) | null = null
    let count = 0
    const source = await serveEloverblik((one) => {
      asked.push(one)
      if (kill && path && one.path.includes(path) && ++count === nth) kill()
    })
    try {
      const { child, ended } = start(script, folder, source.url, where, '2026-11-22T10:00:00Z')
      kill = () => child.kill('SIGKILL')
      expect((await ended).signal).toBe('SIGKILL')
      kill = null
      expect(kinds(asked.splice(0))).toEqual(before)
      const times = ['2026-11-22T10:01:00Z', '2026-11-22T10:03:00Z', '2026-11-22T10:05:00Z']
      expect(await run(script, folder, source.url, '', ...times)).toEqual({
        signal: null,
        said: JSON.stringify(Array.from({ length: 25 }, () => 14)),
      })
      expect(kinds(asked)).toEqual(after)
    } finally {
      await source.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
