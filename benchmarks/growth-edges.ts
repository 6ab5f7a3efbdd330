// Edges that send one message a second with one sample of each of their five signals, to the whole server with its embedded broker and stores.
// A size that the server does not follow (less than nine tenths of the messages acknowledged in their second) is the last one.
import { addEdges, signalsPerEdge, sizesOf, watch, type Window } from './growth-rows.ts'
import { runLoad } from './ingest.ts'
import { openBench } from './ocpp-server.ts'

const sizes = sizesOf([50, 500, 1500, 5000])
const [settleS, watchS] = [4, 8]
const bench = openBench()

try {
  await bench.rows((records) => addEdges(records, Math.max(...sizes)))
  const { mqttPort, pid } = await bench.serve()
  const points: { size: number; costs: Record<string, number> }[] = []
  let stopped: string | undefined
  for (const edges of sizes) {
    let watching: Promise<Window> | undefined
    const load = await runLoad(mqttPort, settleS + watchS + 1, 1, Date.now(), {
      everyMs: 1000,
      edges,
      samples: 1,
      onConnected: () => {
        watching = watch(pid, settleS).then(() => watch(pid, watchS))
      },
    })
    const window = await watching
    if (!window) throw new Error('no edge was connected')
    const costs = {
      ...window,
      storesMs: window.cpuMs - window.mainMs,
      usPerSample: (window.cpuMs * 1000) / (load.messagesPerS * signalsPerEdge),
      messagesPerS: load.messagesPerS,
      ackP99Ms: load.ackP99Ms,
    }
    points.push({ size: edges, costs })
    if (load.messagesPerS < edges * 0.9) {
      stopped = `${edges} edges are not followed: ${load.messagesPerS.toFixed(0)} messages a second, ${load.ackP99Ms.toFixed(0)} ms to an acknowledgement (p99)`
      break
    }
  }
  console.log(JSON.stringify({ points, ...(stopped ? { stopped } : {}) }))
} finally {
  bench.close()
}
process.exit(0)
