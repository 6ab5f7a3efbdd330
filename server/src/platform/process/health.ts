import { createServer, type Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { version } from './version.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

export type Metrics = {
  registry: Registry
  counter: (name: string, help: string, labels?: string[]) => Counter<string>
  gauge: (name: string, help: string, read: () => number) => void
  requests: Histogram<'call' | 'status'>
  /** Since the last call, in ms. */
  loopDelayP99Ms: () => number
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  return {
    registry,
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: labels, registers: [registry] }),
    gauge: (name, help, read) =>
      void new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      }),
    requests: new Histogram({
      name: 'gridmast_http_request_seconds',
      help: 'Time to answer a call',
      labelNames: ['call', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    loopDelayP99Ms: () => {
      const p99 = delay.percentile(99) / 1e6
      delay.reset()
      return p99
    },
  }
}

type Probes = Record<string, () => Promise<void>>

type Health = { version: string; ready: boolean; parts: Record<string, { ready: boolean; detail?: string }> }

/** Time limit of a probe, so that a hanging part does not delay the answer. */
const longestProbeMs = 2000

const answeredInTime = async (probe: () => Promise<void>) => {
  const late = new AbortController()
  try {
    await Promise.race([
      probe(),
      pause(longestProbeMs, undefined, { signal: late.signal }).then(() => {
        throw new Error(`no answer within ${longestProbeMs / 1000} s`)
      }),
    ])
  } finally {
    late.abort()
  }
}

export const readHealth = async (probes: Probes): Promise<Health> => {
  const parts = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => {
      const detail = await answeredInTime(probe).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      return [name, { ready: detail === null, ...(detail === null ? {} : { detail }) }] as const
    }),
  )
  return { version, ready: parts.every(([, { ready }]) => ready), parts: Object.fromEntries(parts) }
}

/**
 * Health and metrics of a process with any roles, on the operator's address (METRICS_HOST), never the public one, because the errors of a part
 * are those of the engine.
 */
export const serveHealth = (from: { probes: Probes; metrics: Metrics; port: number; host: string }): Promise<Server> =>
  new Promise((resolve, reject) => {
    const answers = new Map([
      [
        '/metrics',
        () =>
          from.metrics.registry
            .metrics()
            .then((text) => ({ status: 200, text, type: from.metrics.registry.contentType })),
      ],
      [
        '/api/health',
        async () => {
          const health = await readHealth(from.probes)
          return { status: health.ready ? 200 : 503, text: JSON.stringify(health), type: 'application/json' }
        },
      ],
    ])
    const server = createServer((request, response) => {
      const answer = answers.get(request.url ?? '')
      if (!answer) return void response.writeHead(404).end()
      answer().then(
        ({ status, text, type }) => response.writeHead(status, { 'content-type': type }).end(text),
        () => response.writeHead(500).end(),
      )
    })
    server.once('error', reject)
    server.listen(from.port, from.host, () => resolve(server))
  })
