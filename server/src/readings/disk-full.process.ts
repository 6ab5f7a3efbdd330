import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openReadings } from './readings.ts'

/**
 * `node disk-full.process.ts <folder> <bytes to keep free> <rounds>` repeatedly fills the small disk of `folder` while samples arrive, and
 * prints the acknowledged samples, the stored ones and the messages.
 */
const [folder = '', keptFree, rounds] = process.argv.slice(2)
const minFreeBytes = Number(keptFree)
const said: string[] = []
const log = {
  error: (_: object, text: string) => void said.push(text),
  info: (_: object, text: string) => void said.push(text),
}
const readings = await openReadings({ dataDir: join(folder, 'readings'), minFreeBytes, rollupRoundMs: 200, log })
const started = said.splice(0)

const [startMs, signalNos, ballast] = [Date.UTC(2026, 0, 1), [1, 2, 3, 4, 5], join(folder, 'ballast')]
let acknowledged = 0
let refused = 0
let isOver = false

/** Repeats the same samples until they are accepted, like an edge. */
const edge = async () => {
  while (!isOver) {
    const runs = signalNos.map((signalNo) => ({
      signalNo,
      t0Ms: startMs + acknowledged * 1000,
      dtMs: 1000,
      values: Array.from({ length: 60 }, (_, i) => acknowledged + i),
    }))
    await readings.insert(runs).then(
      () => void (acknowledged += 60),
      async () => {
        refused++
        await pause(20)
      },
    )
  }
}

const room = () => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const fill = async () => {
  const file = openSync(ballast, 'w')
  try {
    for (;;) {
      // Fast down to the limit, then 150 MB/s until the disk is full.
      const wanted = Math.max(3_000_000, Math.min(50_000_000, room() - minFreeBytes - 10_000_000))
      if (writeSync(file, Buffer.alloc(wanted)) < wanted) return
      await pause(20)
    }
  } catch {
    // full
  } finally {
    closeSync(file)
  }
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await pause(10)
}

/** Odd edges are read from raw samples, whole minutes from the roll-ups: both must be complete. */
const found = async () => {
  const counts = signalNos.flatMap((signalNo) =>
    [-1000, 0].map((beforeMs) =>
      readings.buckets({ signalNo, edgesMs: [startMs + beforeMs - (beforeMs ? 1 : 0), startMs + 3.6e9] }),
    ),
  )
  return Math.min(...(await Promise.all(counts)).map(([bucket]) => bucket?.count ?? 0))
}

const running = edge()
let lost = 0
let notReady = 0
for (let round = 0; round < Number(rounds); round++) {
  const [refusedBefore, acknowledgedBefore] = [refused, acknowledged]
  await until(() => acknowledged > acknowledgedBefore + 300)
  await fill()
  await until(() => refused > refusedBefore + 5)
  await readings.ping().catch(() => notReady++)
  rmSync(ballast)
  const atLeast = acknowledged
  await until(() => acknowledged > atLeast)
  lost = Math.max(lost, atLeast - (await found()))
}
isOver = true
await running
lost = Math.max(lost, acknowledged - (await found()))
await readings.close()
process.stdout.write(JSON.stringify({ started, acknowledged, refused, lost, notReady, said }))
