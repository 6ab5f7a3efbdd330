import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layTestWorld } from '#testing/data-folder.ts'
import { run } from '#testing/scripts.ts'

const script = join(import.meta.dirname, 'alerts.process.ts')

test.each(['after the samples', 'before the row', 'before the commit of the row', 'after the row', 'before the mail'])(
  'kill -9 %s: one row and one mail in the end',
  async (where) => {
    const folder = await mkdtemp(join(tmpdir(), 'gridmast-killed-'))
    try {
      await layTestWorld(folder)
      const t0 = String(Math.floor(Date.now() / 1000) * 1000 - 60_000)
      expect((await run(script, folder, where, t0)).signal).toBe('SIGKILL')
      expect(await run(script, folder, '', t0)).toEqual({ signal: null, said: '[412]' })
      const mails = join(folder, 'mails')
      expect(existsSync(mails) && readFileSync(mails, 'utf8')).toBe('Alert: Cold above 400 (North Cold)\n')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
