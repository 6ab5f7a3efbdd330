import { PGlite } from '@electric-sql/pglite'
import { flushTree } from './flush.ts'

/** `node make-records.ts <folder>`: makes an empty embedded store and ends, taking with it the 400 MB that making one needs. */
const folder = process.argv[2] ?? ''
const pglite = await PGlite.create(folder)
await pglite.close()
// What PGlite writes here is not synced; a store that is begun on must not lose its catalog in a power cut.
await flushTree(folder)
