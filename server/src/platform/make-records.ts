import { PGlite } from '@electric-sql/pglite'

/** `node make-records.ts <folder>`: makes an empty embedded store and ends, taking with it the 400 MB that making one needs. */
const pglite = await PGlite.create(process.argv[2] ?? '')
await pglite.close()
