import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const findProgram = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
    .map((folder) => join(folder, name))
    .find(existsSync)

/** Debian runs this file before a package starts its service; exit code 101 refuses. A system-wide broker would occupy the portal's port. */
const policy = '/usr/sbin/policy-rc.d'

/** Installs packages with apt as root on Debian, without starting their services; answers whether it tried. */
export const installOnDebian = (what: string, packages: string[]): boolean => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing ${what} with apt ...`)
  const hasPolicy = existsSync(policy)
  if (!hasPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const soon = ['-q', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20']
    for (const args of [
      ['update', ...soon],
      ['install', ...soon, '-y', '--no-install-recommends', ...packages],
    ])
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  } finally {
    if (!hasPolicy) rmSync(policy)
  }
  return true
}
