import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../run.ts'
import type { Release } from './releases.ts'

const parts = ['contract', 'demo', 'package.json', 'releases.yaml', 'server', 'simulators', 'tools']

/** `modules` are folders of packages, the first one with a name counts. */
const linkPackages = (folder: string, modules: readonly string[]) => {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@gridmast'), { recursive: true })
  const places = modules.flatMap((from) => readdirSync(from).map((name) => [name, join(from, name)] as const))
  for (const [name, at] of new Map(places.toReversed())) if (name !== '@gridmast') symlinkSync(at, join(packages, name))
  for (const name of ['contract', 'server', 'simulators'])
    symlinkSync(join(folder, name), join(packages, '@gridmast', name))
}

const unpack = (archive: Buffer, modules: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-release-'))
  const { status, stderr } = spawnSync('tar', ['-x', '-C', folder], { input: archive })
  if (status !== 0) throw new Error(stderr.toString())
  linkPackages(folder, modules)
  return folder
}

const maxBuffer = 512 * 1024 * 1024
const installed = join(root, 'node_modules')

/**
 * The sources of a release in a temporary folder, with the packages that are installed now, and those of `modules` before them; null when the
 * repository has no history of it (a shallow clone, an archive).
 */
export const checkOut = ({ commit }: Release, modules: readonly string[] = []): string | null => {
  const listed = spawnSync('git', ['ls-tree', '--name-only', commit], { cwd: root, encoding: 'utf8' })
  if (listed.status !== 0) return null
  const names = listed.stdout.split('\n').filter((name) => parts.includes(name))
  const { status, stdout } = spawnSync('git', ['archive', commit, ...names], { cwd: root, maxBuffer })
  return status === 0 ? unpack(stdout, [...modules, installed]) : null
}

export const copySources = (): string => {
  const { stdout } = spawnSync('tar', ['-c', '--exclude=node_modules', ...parts], { cwd: root, maxBuffer })
  return unpack(stdout, [installed])
}
