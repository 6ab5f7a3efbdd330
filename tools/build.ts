// npm run build: builds the portal for npm run serve, once per release. --check only reports whether it is built.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root, run } from './run.ts'

const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.map', '.txt'])

/** Writes the smallest Brotli and gzip next to each text file, so that the server does not compress. */
const compressFiles = (folder: string): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !compressible.has(extname(file))) continue
    const bytes = readFileSync(file)
    const sizeHint = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: sizeHint }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

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
    'tools/build.ts',
    'package-lock.json',
  ].map((name) => join(root, name))
  const folders = ['web/src', 'web/public', 'contract/src'].map((name) => join(root, name))
  for (const file of [...folders.flatMap(filesUnder), ...loose])
    hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/** Whether the built portal matches the sources. */
const isBuilt = (hash = sourceHash()): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash

export const buildWeb = async (): Promise<void> => {
  const hash = sourceHash()
  if (isBuilt(hash)) return
  console.log('Building the portal ...')
  await run('vite', ['build', '--logLevel', 'warn'], { cwd: join(root, 'web') })
  compressFiles(join(root, 'web/dist'))
  writeFileSync(stamp, hash)
}

if (import.meta.main)
  if (!process.argv.includes('--check')) await buildWeb()
  else if (!isBuilt()) {
    console.error('The portal is not built from the sources at hand. Run npm run build first.')
    process.exitCode = 1
  }
