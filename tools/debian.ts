import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

/** Debian asks this file whether a package may start its service: 101 is no. A broker of the machine would take the portal's port. */
const policy = '/usr/sbin/policy-rc.d'

/** Installs packages with apt when this is root on Debian; answers whether it tried. Their services are not started. */
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
