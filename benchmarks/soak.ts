// The embedded demo at rest: CPU share, memory and the slope of memory of its server process. `node soak.ts --minutes 60 --settle 15`: the
// first minutes, while the demo fills, are not measured.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fitLine } from '../tools/fit.ts'
import { usageOf } from './ocpp-server.ts'
import { startDemo } from './demo.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, settle: { type: 'string', default: '15' } },
})
const [minutes, settleMinutes] = [Number(values.minutes), Number(values.settle)]
if (!(minutes >= 1 && minutes <= 10_080 && settleMinutes >= 0 && settleMinutes <= 1440))
  throw new Error('--minutes is a number from 1 to 10080, --settle one from 0 to 1440')
const everyS = 10

const demo = await startDemo({})
try {
  const pid = await demo.serverPid()
  await pause(settleMinutes * 60_000)
  const startedAt = performance.now()
  const before = usageOf(pid).cpuMs
  const points: [number, number][] = []
  while (performance.now() - startedAt < minutes * 60_000) {
    points.push([(performance.now() - startedAt) / 3_600_000, usageOf(pid).rssKb / 1024])
    await pause(everyS * 1000)
  }
  const spentMs = performance.now() - startedAt
  const rss = points.map(([, mb]) => mb)
  console.log(
    JSON.stringify({
      benchmark: 'soak',
      minutes: spentMs / 60_000,
      cpuShare: (usageOf(pid).cpuMs - before) / spentMs,
      rssMb: rss.toSorted((a, b) => a - b)[rss.length >> 1],
      rssMaxMb: Math.max(...rss),
      mbPerHour: fitLine(points).slope,
    }),
  )
} finally {
  await demo.stop()
}
process.exit(0)
