import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const keyFileName = 'secret.key'

export const keyOf = (dataDir: string): Buffer | null => {
  const file = join(dataDir, keyFileName)
  return existsSync(file) ? readFileSync(file) : null
}
export const sha256Of = (key: Buffer | null): string | null => key && createHash('sha256').update(key).digest('hex')

/** The key is a separate file, so that archive and key can be stored apart. */
export const keyBeside = (file: string) => `${file}.key`
