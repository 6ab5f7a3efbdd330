import { setTimeout as pause } from 'node:timers/promises'
import type { Part } from '../tools/installation.ts'

/** Answers the value of a metric in the text of `/metrics`; undefined when the process does not answer or has no such metric. */
export const valueOf = (metrics: string, name: string): number | undefined => {
  const line = metrics.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

export const metricsOf = ({ health }: Part): Promise<string> =>
  fetch(`${health}/metrics`, { signal: AbortSignal.timeout(5000) }).then(
    (answer) => answer.text(),
    () => '',
  )

/** Reads the metrics of the processes twice a second; `text` states the rule and the seconds from `start` until it was true. */
export const watchAlarm = (rule: string, parts: readonly Part[], isFiring: (metrics: string[]) => boolean) => {
  let sinceMs = Infinity
  let firedMs: number | null = null
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const metrics = await Promise.all(parts.map(metricsOf))
      if (Date.now() >= sinceMs && isFiring(metrics)) firedMs ??= Date.now()
      await pause(500)
    }
  })()
  return {
    start: () => (sinceMs = Date.now()),
    stop: async (): Promise<string | null> => {
      isOver = true
      await watching
      return firedMs === null ? null : `\`${rule}\`, ${((firedMs - sinceMs) / 1000).toFixed(1)} s`
    },
  }
}
