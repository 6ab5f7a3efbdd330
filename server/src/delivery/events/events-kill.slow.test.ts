import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layTestWorld } from '#testing/data-folder.ts'
import { run } from '#testing/scripts.ts'

const script = join(import.meta.dirname, 'events.process.ts')

test.each(['after the samples', 'before the row', 'before the commit of the row', 'after the row'])(
  'kill -9 %s: one activation, one mail and one webhook in the end',
  async (where) => {
    const folder = await mkdtemp(join(tmpdir(), 'gridmast-killed-'))
    try {
      await layTestWorld(folder)
      const t0 = String(Math.floor(Date.now() / 1000) * 1000 - 300_000)
      expect((await run(script, folder, where, t0)).signal).toBe('SIGKILL')
      expect(await run(script, folder, '', t0)).toEqual({ signal: null, said: '[[70,93.5],"mail","webhook"]' })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
