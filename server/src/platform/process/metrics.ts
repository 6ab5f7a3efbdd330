import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { answeredInTime } from './in-time.ts'
import { metricList, type MetricName } from './metric-list.ts'

type Labels = Record<string, string>
type Values = number | readonly { labels: Labels; value: number }[]

/** Longer than a probe, shorter than Prometheus's scrape timeout of 10 s: without a limit a silent PostgreSQL showed `jobs` as down. */
const longestReadMs = 4000

export type Metrics = {
  /** One counter of a name, however many parts count with it. */
  counter: (name: MetricName<'counter'>) => { inc: (labels?: Labels, count?: number) => void }
  /** A counter that another part keeps, read at each scrape. */
  total: (name: MetricName<'counter'>, read: () => number) => void
  histogram: (name: MetricName<'histogram'>) => { observe: (seconds: number, labels?: Labels) => void }
  /** `read` is called at each scrape; a metric whose read fails or is late has no value in it. */
  gauge: (name: MetricName<'gauge'>, read: () => Values | Promise<Values>) => void
  text: () => Promise<string>
  contentType: string
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const about = (name: keyof typeof metricList) => ({
    name,
    help: metricList[name].help,
    labelNames: [...metricList[name].labels],
    registers: [registry],
  })
  const counters = new Map<string, Counter<string>>()
  const metrics: Metrics = {
    counter: (name) => {
      const counter = counters.get(name) ?? new Counter<string>(about(name))
      counters.set(name, counter)
      return { inc: (labels = {}, count = 1) => counter.inc(labels, count) }
    },
    total: (name, read) =>
      void new Counter({
        ...about(name),
        collect() {
          this.reset()
          this.inc(read())
        },
      }),
    histogram: (name) => {
      const histogram = new Histogram<string>({ ...about(name), buckets: [...metricList[name].bucketsS] })
      return { observe: (seconds, labels = {}) => histogram.observe(labels, seconds) }
    },
    gauge: (name, read) => {
      void new Gauge({
        ...about(name),
        async collect() {
          this.reset()
          const values = await answeredInTime(async () => read(), longestReadMs).catch(() => null)
          if (values === null) this.remove({}) // after `reset` a gauge without labels is 0
          else if (typeof values === 'number') this.set(values)
          else for (const { labels, value } of values) this.set(labels, value)
        },
      })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  metrics.gauge('gridmast_event_loop_delay_p99_seconds', () => {
    const p99 = delay.percentile(99) / 1e9
    delay.reset()
    return p99
  })
  return metrics
}
