// Chargers that are connected and idle, then some that send meter values one after the other, to the whole server with its embedded stores.
import { setTimeout as pause } from 'node:timers/promises'
import { sizesOf, watch } from './growth-rows.ts'
import { openBench, threadCpuMs, usageOf } from './ocpp-server.ts'

const sizes = sizesOf([100, 1000, 5000, 10_000])
const [settleS, watchS, sendS] = [3, 6, 4]
const senders = [20, 50, 100]
const bench = openBench()

try {
  await bench.seed(Math.max(...sizes))
  const { port, pid } = await bench.serve()
  const load = bench.openLoad(`ws://127.0.0.1:${port}/ocpp`)
  const points: { size: number; costs: Record<string, number> }[] = []
  let open = 0
  for (const size of sizes) {
    ;({ open } = await load.ask<{ open: number }>({ do: 'connect', count: size - open, atOnce: 50 }))
    await pause(settleS * 1000)
    points.push({ size: open, costs: { ...(await watch(pid, watchS)) } })
  }
  const now = () => ({ cpuMs: usageOf(pid).cpuMs, mainMs: threadCpuMs(pid, 'MainThread') })
  for (const chargers of senders) {
    const before = now()
    const sent = await load.ask<{ messages: number; p99Ms: number }>({ do: 'values', chargers, seconds: sendS })
    const after = now()
    points.push({
      size: sent.messages / sendS,
      costs: {
        messageCpuMs: (after.cpuMs - before.cpuMs) / sendS,
        messageMainMs: (after.mainMs - before.mainMs) / sendS,
        answerP99Ms: sent.p99Ms,
      },
    })
  }
  load.end()
  console.log(JSON.stringify({ points }))
} finally {
  bench.close()
}
process.exit(0)
