import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, 'events.process.ts')

/** Runs until it ends or kills itself. */
const run = async (...args: string[]): Promise<{ signal: NodeJS.Signals | null; said: string }> => {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part) => (said += String(part)))
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, by) => resolve(by)))
  return { signal, said }
}

test.each(['after the samples', 'before the row', 'before the commit of the row', 'after the row'])(
  'kill -9 %s: one activation, one mail and one delivery in the end',
  async (where) => {
    const folder = await mkdtemp(join(tmpdir(), 'gridmast-killed-'))
    try {
      const t0 = String(Math.floor(Date.now() / 1000) * 1000 - 300_000)
      expect((await run(folder, where, t0)).signal).toBe('SIGKILL')
      expect(await run(folder, '', t0)).toEqual({ signal: null, said: '[[70,93.5],"mail","webhook"]' })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
