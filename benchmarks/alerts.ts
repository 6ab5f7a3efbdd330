// The alert engine alone: 5,000 series at 1 Hz with 10,000 alerts, told group by group as the readings tell after a commit.
import { openAlertEngine, type SeriesRule } from '../server/src/domains/alerts/engine.ts'
import type { StoredGroup } from '../server/src/readings/readings.ts'

const series = 5000
const seconds = 300

export type AlertFigures = {
  /** Processor time for a second of samples, as a share of one core. */
  share: number
  nsPerSampleAndAlert: number
  /** From the commit's news to the row, in a group with 50 crossings. */
  rowMs: number
  rows: number
}

/** A power of its own for each series; one in a hundred goes over its thresholds every two minutes. */
const valueAt = (no: number, second: number) => (no % 100 === second % 100 && second % 120 < 60 ? 500 : 200 + (no % 90))

const rules = Array.from({ length: 2 * series }, (_, i): SeriesRule => {
  const isConsumption = i % 4 === 3
  return {
    ...{ alertId: String(i), signalNo: i >> 1, type: isConsumption ? 'consumption' : 'power' },
    ...{ criteria: i % 8 === 7 ? 'lt' : 'gt', threshold: isConsumption ? 100 : 400 },
    ...{ startMinute: i % 2 ? 22 * 60 : 0, endMinute: i % 2 ? 6 * 60 : 1439, intervalMs: 300_000, validFromMs: 0 },
  }
})

const startMs = Date.parse('2026-11-20T22:00:00Z')
const listeners: ((group: StoredGroup) => void)[] = []
const known = new Map<number, number>()
let rows = 0
let savedAtMs = 0
const engine = await openAlertEngine({
  readings: {
    onStored: (listener) => {
      listeners.push(listener)
      return () => {}
    },
    storedVersion: () => 0,
    storedSince: async function* () {},
    latest: async ([no = 0]) => new Map([[no, { tMs: known.get(no) ?? startMs, value: valueAt(no, 0) }]]),
    samples: async ({ signalNos: [no = 0], toMs }) => ({
      toMs,
      series: new Map([[no, { x: [known.get(no) ?? startMs], y: [valueAt(no, 0)] }]]),
    }),
  },
  rules: async () => rules,
  rows: async () => [],
  save: async (add) => {
    rows += add.length
    savedAtMs = performance.now()
  },
  progress: async () => null,
  saveProgress: async () => {},
  now: () => startMs,
  onError: (error) => {
    throw error
  },
})

const groupAt = (second: number): StoredGroup => {
  const tMs = startMs + second * 1000
  const version = tMs * 1000
  const runs = Array.from({ length: series }, (_, no) => ({
    run: { signalNo: no, t0Ms: tMs, dtMs: 1000, values: [valueAt(no, second)] },
    version,
  }))
  return { runs, version }
}
const tell = async (group: StoredGroup) => {
  for (const listener of listeners) listener(group)
  await engine.settled()
}
// The first sample of each series is looked at from the store.
await tell(groupAt(0))
const groups = Array.from({ length: seconds }, (_, i) => groupAt(i + 1))
rows = 0
const cpu = process.cpuUsage()
for (const group of groups) await tell(group)
const { user, system } = process.cpuUsage(cpu)
const cpuMs = (user + system) / 1000

const startedAt = performance.now()
await tell({
  ...groupAt(seconds + 1),
  runs: groupAt(seconds + 1).runs.map(({ run, version }) => ({
    run: { ...run, values: [run.signalNo % 100 === 0 ? 900 : 1] },
    version,
  })),
})
const rowMs = savedAtMs - startedAt

const figures: AlertFigures = {
  share: cpuMs / 1000 / seconds,
  nsPerSampleAndAlert: (cpuMs * 1e6) / (seconds * rules.length),
  rowMs,
  rows,
}
await engine.close()
console.log(JSON.stringify(figures))
