import { migrate } from '../../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../../server/src/platform/records/records.ts'
import { die } from '../../server/src/testing/scripts.ts'

// Migrates the embedded records in `dataDir` and dies, as by kill -9, before the commit of the file after `count` others.
const [dataDir = '', count = '0'] = process.argv.slice(2)
const records = await openRecords({ dataDir })
let applied = 0
const alone: Records['alone'] = (key, work) =>
  records.alone(key, async (tx) => {
    const result = await work(tx)
    if (result === true && applied++ === Number(count)) die()
    return result
  })
await migrate({ ...records, alone })
await records.close()
