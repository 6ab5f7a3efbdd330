import { PGlite } from '@electric-sql/pglite'
import { flushTree } from '#platform/process/data-folder.ts'

/** `node make-records.ts <folder>` creates an empty embedded store in a process of its own, because that needs 400 MB. */
const folder = process.argv[2] ?? ''
const pglite = await PGlite.create(folder)
await pglite.close()
// PGlite does not sync these files; a store in use must not lose its catalog in a power cut.
await flushTree(folder)
