import { existsSync } from 'node:fs'
import { findProgram, installOnDebian } from '../debian.ts'

/** Programs that check the files of deploy/, by Debian package. */
const packages: Record<string, string> = {
  nginx: 'nginx',
  haproxy: 'haproxy',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
  shellcheck: 'shellcheck',
  mosquitto: 'mosquitto',
  pgbouncer: 'pgbouncer',
}

const streamModule = '/etc/nginx/modules-enabled/50-mod-stream.conf'

/** Names of programs that are missing. */
const missingPrograms = (): string[] => [
  ...Object.keys(packages).filter((name) => !findProgram(name)),
  ...(existsSync(streamModule) ? [] : ['libnginx-mod-stream']),
]

/** Installs what is missing on Debian; the tests report what is then still missing. */
export const installPrograms = (): void => {
  const missing = missingPrograms()
  if (missing.length > 0)
    installOnDebian(
      missing.join(', '),
      missing.map((name) => packages[name] ?? name),
    )
}

/** Whether a check can run here; in CI it must. */
export const hasProgram = (name: string): boolean => {
  const isHere = name === 'nginx' ? Boolean(findProgram(name)) && existsSync(streamModule) : Boolean(findProgram(name))
  if (!isHere && process.env['CI']) throw new Error(`${name} is not installed`)
  if (!isHere) process.stderr.write(`skip what ${name} checks: it is not installed here\n`)
  return isHere
}
