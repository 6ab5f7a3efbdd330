import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

/** `FAULT_ROUNDS=200` for a longer run. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 20)
const [size, keptFree] = [256 * 2 ** 20, 64 * 2 ** 20]

const folder = mkdtempSync(join(tmpdir(), 'gridmast-full-'))
const isMounted = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
afterAll(() => {
  if (isMounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
})

const run = async (times: number) => {
  const script = join(import.meta.dirname, 'disk-full.process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder, String(keptFree), String(times)])
  return JSON.parse(stdout) as {
    started: string[]
    acknowledged: number
    refused: number
    lost: number
    notReady: number
    said: string[]
  }
}

test.skipIf(!isMounted)(
  `a disk that fills up ${rounds} times takes no acknowledged sample with it (needs root for a small disk of its own)`,
  { timeout: 60_000 + rounds * 10_000 },
  async () => {
    const first = await run(rounds)
    expect(first).toMatchObject({ started: [], lost: 0, notReady: rounds })
    expect(first.refused).toBeGreaterThan(rounds)
    expect(first.said.filter((text) => text.startsWith('The disk is nearly full'))).toHaveLength(rounds)
    expect(first.said.filter((text) => text.startsWith('Disk space is sufficient'))).toHaveLength(rounds)
    // Parts that the engine set aside show at the next start.
    expect(await run(0)).toMatchObject({ started: [] })
  },
)
