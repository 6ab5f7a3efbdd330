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
