import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.map', '.txt'])

/** Writes the smallest Brotli and gzip next to each text file, so that the server does not compress. */
export const compressFiles = (folder: string): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !compressible.has(extname(file))) continue
    const bytes = readFileSync(file)
    const sizeHint = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: sizeHint }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
