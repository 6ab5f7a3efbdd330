import fs from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

/** `node make-records.ts <folder>`: makes an empty embedded store and ends, taking with it the 400 MB that making one needs. */
const folder = process.argv[2] ?? ''
const pglite = await PGlite.create(folder)
await pglite.close()
// What PGlite writes here is not synced; a store that is begun on must not lose its catalog in a power cut.
const paths = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
for (const path of [...paths, folder]) {
  const file = fs.openSync(path, 'r')
  fs.fsyncSync(file)
  fs.closeSync(file)
}
