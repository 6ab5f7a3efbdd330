import { isDeepStrictEqual } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { openReadings } from './readings.ts'

/**
 * `node last-hour.process.ts <folder> write` stores samples of this hour until it is killed, one dot per group; `compare` reopens the folder
 * and prints differences between memory and store.
 */
const [dataDir = '', task] = process.argv.slice(2)
const signalNos = [1, 2, 3, 4, 5]
const readings = await openReadings({ dataDir, rollupRoundMs: 0 })

const write = async () => {
  const firstMs = Math.floor(Date.now() / 1000) * 1000 - 1_500_000
  for (let i = 0; ; i++) {
    const runs = signalNos.map((signalNo) => ({
      signalNo,
      t0Ms: firstMs + ((i * 7919) % 1400) * 1000,
      dtMs: 500 * signalNo,
      values: Array.from({ length: 20 }, (_, k) => (k % 7 === signalNo ? null : (i + k) / signalNo)),
    }))
    await readings.insert(runs, 1)
    process.stdout.write('.')
  }
}

const compare = async () => {
  const nowMs = Date.now()
  const span = { fromMs: nowMs - 3_000_000, toMs: nowMs }
  while (readings.held().series < signalNos.length) {
    await readings.latest(signalNos)
    await pause(5)
  }
  const held = { ...(await readings.samples({ signalNos, ...span })), latest: await readings.latest(signalNos) }
  const windows = await Promise.all(signalNos.map((signalNo) => readings.window({ signalNo, ...span, maxPoints: 300 })))
  const store = await openReadings({ dataDir, rollupRoundMs: 0, lastHourBytes: 0 })
  const stored = { ...(await store.samples({ signalNos, ...span })), latest: await store.latest(signalNos) }
  const storedWindows = await Promise.all(
    signalNos.map((signalNo) => store.window({ signalNo, ...span, maxPoints: 300 })),
  )
  const counts = [...held.series.values()].map(({ x }) => x.length)
  const heldSeries = [readings.held().series, store.held().series]
  const isSame = isDeepStrictEqual([held, windows], [stored, storedWindows])
  await store.close()
  await readings.close()
  process.stdout.write(JSON.stringify({ counts, heldSeries, isSame }))
}

await (task === 'write' ? write() : compare())
