import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressFiles } from './compress.ts'
import { root, run } from './run.ts'

const stamp = join(root, 'web/dist/.built-from')

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

const sourceHash = (): string => {
  const hash = createHash('sha256')
  const loose = [
    'web/index.html',
    'web/vite.config.ts',
    'web/first-load.ts',
    'tools/compress.ts',
    'package-lock.json',
  ].map((name) => join(root, name))
  const folders = ['web/src', 'web/public', 'contract/src'].map((name) => join(root, name))
  for (const file of [...folders.flatMap(filesUnder), ...loose])
    hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/** Whether the built portal matches the sources. */
export const isBuilt = (hash = sourceHash()): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash

export const buildWeb = async (): Promise<void> => {
  const hash = sourceHash()
  if (isBuilt(hash)) return
  console.log('Building the portal ...')
  await run('vite', ['build', '--logLevel', 'warn'], { cwd: join(root, 'web') })
  compressFiles(join(root, 'web/dist'))
  writeFileSync(stamp, hash)
}
