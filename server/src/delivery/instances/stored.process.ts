import { openReadings } from '#readings/readings.ts'

/** Prints the sample times of a series: `node stored.process.ts <folder> <signal>`. */
const [dataDir = '', signalNo] = process.argv.slice(2)
const readings = await openReadings({ dataDir, rollupRoundMs: 0 })
const times: number[] = []
for await (const row of readings.exportRows({ signalNos: [Number(signalNo)], fromMs: 0, toMs: Date.now() }))
  times.push(row.tMs)
await readings.close()
process.stdout.write(JSON.stringify(times))
