// Open live streams of one customer, idle and while an edge sends five messages a second that each of them receives.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addEdges, addUsers, sizesOf, watch, type Window } from './growth-rows.ts'
import { runLoad } from './ingest.ts'
import { openBench } from './ocpp-server.ts'

const sizes = sizesOf([100, 1000, 2500, 5000, 10_000])
const streamsPerUser = 20
const everyMs = 200
const [settleS, watchS] = [2, 6]
const bench = openBench()

try {
  const tokensFile = join(bench.folder, 'tokens.json')
  await bench.rows(async (records) => {
    await addEdges(records, 1)
    const tokens = await addUsers(records, 'north', Math.ceil(Math.max(...sizes) / streamsPerUser))
    writeFileSync(tokensFile, JSON.stringify(tokens), { mode: 0o600 })
  })
  const { port, mqttPort, pid } = await bench.serve()
  const load = bench.openLoad(`http://127.0.0.1:${port}`, 'stream-load.ts', [tokensFile])
  const points: { size: number; costs: Record<string, number> }[] = []
  let open = 0
  let stopped: string | undefined
  for (const size of sizes) {
    ;({ open } = await load.ask<{ open: number }>({ do: 'open', count: size - open }))
    await pause(settleS * 1000)
    const idle = await watch(pid, watchS)
    let watching: Promise<Window> | undefined
    await load.ask({ do: 'news' })
    await runLoad(mqttPort, settleS + watchS + 1, 1, Date.now(), {
      everyMs,
      edges: 1,
      samples: 1,
      onConnected: () => {
        watching = watch(pid, settleS).then(() => watch(pid, watchS))
      },
    })
    const busy = await watching
    if (!busy) throw new Error('no edge was connected')
    const received = await load.ask<{ news: number; bytes: number }>({ do: 'news' })
    const newsPerS = received.news / (settleS + watchS + 1)
    points.push({
      size: open,
      costs: {
        ...idle,
        newsPerS,
        bytesPerNews: received.bytes / Math.max(1, received.news),
        newsMainMs: (busy.mainMs - idle.mainMs) / (1000 / everyMs),
        newsCpuMs: (busy.cpuMs - idle.cpuMs) / (1000 / everyMs),
      },
    })
    const sentPerS = (open * 1000) / everyMs
    if (newsPerS < sentPerS * 0.8) {
      stopped = `${open} streams receive ${newsPerS.toFixed(0)} of ${sentPerS} pieces of news a second`
      break
    }
  }
  load.end()
  console.log(JSON.stringify({ points, ...(stopped ? { stopped } : {}) }))
} finally {
  bench.close()
}
process.exit(0)
