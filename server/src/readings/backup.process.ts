import { restoreReadings } from './backup.ts'
import { openReadings } from './readings.ts'

/** `node backup.process.ts <backup> <data folder> <from ms> <to ms>` restores a backup and prints its content. */
const [backup = '', dataDir = '', from, to] = process.argv.slice(2)
const [fromMs, toMs] = [Number(from), Number(to)]
await restoreReadings(dataDir, backup)
const again = await restoreReadings(dataDir, backup).catch((error: unknown) => String(error))
const readings = await openReadings({ dataDir, rollupRoundMs: 0 })
const [whole] = await readings.buckets({ signalNo: 1, edgesMs: [fromMs, toMs] })
let raw = 0
for await (const row of readings.exportRows({ signalNos: [1], fromMs, toMs })) raw += row.values.length
await readings.insert([{ signalNo: 1, t0Ms: fromMs, dtMs: 1000, values: [-5] }])
const [changed] = await readings.buckets({ signalNo: 1, edgesMs: [fromMs, fromMs + 1000] })
await readings.close()
process.stdout.write(JSON.stringify({ again, raw, count: whole?.count, changed: changed?.sum }))
