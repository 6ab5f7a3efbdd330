import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import type { Part } from '../tools/installation.ts'
import { findProgram } from '../tools/debian.ts'
import { root } from '../tools/run.ts'
import { openEdge } from './edges.ts'
import { closing, mosquitto, startRole, withStoresAnd } from './frame.ts'
import { signalFamily, until } from './processes.ts'

const folder = join(root, 'deploy/prometheus')
const file = join(folder, 'recorded.test.yml')

/** `scrape_interval` of deploy/prometheus/prometheus.yml. */
const everyS = 15
/** Prometheus's default of `scrape_timeout`. */
const scrapeTimeoutS = 10
const quietS = 120
const recoveryS = 30
/** Longer than the `for` of one minute. */
const faultS = 90

const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })) })
  .parse(parse(readFileSync(join(folder, 'rules.yml'), 'utf8')))
  .groups.flatMap((group) => group.rules)
/** Rules that read hours of values before the fault, or the time of day, which promtool begins at 0. */
const isTooLong = ({ expr }: { expr: string }) => /(?<!last_over_time\(\w+)\[\d+h/.test(expr) || expr.includes('time()')
const unrecorded = rules.filter(isTooLong).map(({ alert }) => alert)
const metrics = new Set(
  rules.filter((rule) => !isTooLong(rule)).flatMap(({ expr }) => expr.match(/\b(gridmast|process)_\w+/g) ?? []),
)

type Target = { role: string; part: Part }
type Scrape = Map<string, string>

/** The values that Prometheus stores for a target, by series; only `up` when it does not answer in time. */
const scrapeOf = async ({ role, part }: Target): Promise<Scrape> => {
  const target = `instance="${role}-1:9464", job="gridmast", role="${role}"`
  const text = await fetch(`${part.health}/metrics`, { signal: AbortSignal.timeout(scrapeTimeoutS * 1000) }).then(
    (answer) => answer.text(),
    () => null,
  )
  const samples = (text ?? '').split('\n').flatMap((line): [string, string][] => {
    const [, name = '', labels, value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return metrics.has(name) ? [[`${name}{${labels ? `${labels}, ` : ''}${target}}`, value]] : []
  })
  return new Map([[`up{${target}}`, text === null ? '0' : '1'], ...samples])
}

/** In promtool's notation: `1x3` is four times 1, `_x3` three missing values; a series that ends is stale once, then missing. */
const valuesOf = (scrapes: readonly Scrape[], series: string): string => {
  const runs: { value: string; count: number }[] = []
  for (const [i, scrape] of scrapes.entries()) {
    const value = scrape.get(series) ?? (scrapes[i - 1]?.has(series) ? 'stale' : '_')
    const last = runs.at(-1)
    if (last?.value === value) last.count++
    else runs.push({ value, count: 1 })
  }
  const inNotation = ({ value, count }: { value: string; count: number }) => {
    if (count === 1) return value
    return `${value}x${value === '_' ? count : count - 1}`
  }
  return runs.map(inNotation).join(' ')
}

type Fault = { name: string; firing: string[]; begin: () => unknown; end: () => Promise<unknown> }
/** `at`: the number of the last scrape of the span. */
type Span = { name: string; at: number; firing: string[]; alerts: string }

const firingAlerts = 'ALERTS{alertstate="firing"}'

const write = (scrapes: readonly Scrape[], spans: readonly Span[]): void => {
  const series = [...new Set(scrapes.flatMap((scrape) => [...scrape.keys()]))].toSorted()
  const test = {
    name: spans.map(({ name }) => name).join('; '),
    interval: `${everyS}s`,
    input_series: series.map((one) => ({ series: one, values: valuesOf(scrapes, one) })),
    promql_expr_test: spans.map(({ at, firing, alerts }) => ({
      expr: `group by (alertname) (${alerts})`,
      eval_time: `${at * everyS}s`,
      exp_samples: firing.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
    })),
  }
  const head = `# Written by npm run faults -- --record on ${new Date().toISOString().slice(0, 10)}, never edited: /metrics of one installation with a process of each
# role, PostgreSQL, a readings server and Mosquitto, scraped every ${everyS} s. Each expression names the alerts that fire at the end of a span of the
# test's name, the first one those of the whole quiet span: none. Not recorded, because their rules read hours of values or the time of day:
# ${unrecorded.join(', ')}.
`
  const text = stringify(
    { rule_files: ['rules.yml'], evaluation_interval: `${everyS}s`, tests: [test] },
    { lineWidth: 0, singleQuote: true },
  )
  writeFileSync(file, head + text)
}

/** Records the metrics of an installation through a quiet span and faults, writes them as a test of promtool and runs it. */
export const record = (): Promise<void> =>
  withStoresAnd(mosquitto, ({ start, provision, readings, postgres, broker }) =>
    closing(async (onEnd) => {
      const web = await startRole(start, 'web')
      await provision('demo/world.yaml')
      const [ingest, ocpp, jobs] = [
        await startRole(start, 'ingest'),
        await startRole(start, 'ocpp'),
        await startRole(start, 'jobs'),
      ]
      const targets = [web, ingest, ocpp, jobs]
      const edge = await openEdge(broker.urlOf('edge-lab'), 'edge-lab', 'lab')
      onEnd(edge.close)
      await until('samples are acknowledged', () => edge.acknowledged.length > 30)

      const scrapes: Scrape[] = []
      const spans: Span[] = []
      let nextMs = Date.now()
      const scrape = async (seconds: number) => {
        for (let i = 0; i < seconds / everyS; i++, nextMs += everyS * 1000) {
          await pause(Math.max(0, nextMs - Date.now()))
          const each = await Promise.all(targets.map(scrapeOf))
          scrapes.push(new Map(each.flatMap((one) => [...one])))
        }
      }
      const killed = (target: typeof web): Pick<Fault, 'begin' | 'end'> => ({
        begin: async () => {
          const ended = once(target.part.process, 'exit')
          target.part.process.kill('SIGKILL')
          await ended
        },
        end: async () => (target.part = await target.again()),
      })
      const stopped = (pid: number | undefined): Pick<Fault, 'begin' | 'end'> => ({
        begin: () => signalFamily(pid, 'SIGSTOP'),
        end: async () => signalFamily(pid, 'SIGCONT'),
      })
      const faults: Fault[] = [
        { name: 'web killed', firing: ['ProcessDown'], ...killed(web) },
        {
          name: 'the only ingest killed',
          firing: ['IngestMissing', 'ProcessDown'],
          ...killed(ingest),
        },
        {
          name: 'Mosquitto killed',
          firing: ['BrokerLost', 'PartNotReady'],
          begin: broker.kill,
          end: broker.restart,
        },
        { name: 'PostgreSQL stopped', firing: ['PartNotReady'], ...stopped(postgres.process.pid) },
        {
          name: 'the readings server stopped',
          firing: ['PartNotReady'],
          ...stopped(readings.process.pid),
        },
      ]

      await scrape(quietS)
      spans.push({
        name: 'quiet',
        at: scrapes.length - 1,
        firing: [],
        alerts: `max_over_time(${firingAlerts}[${quietS}s])`,
      })
      for (const { name, firing, begin, end } of faults) {
        console.log(`${new Date().toISOString()} ${name}`)
        await begin()
        try {
          await scrape(faultS)
        } finally {
          await Promise.all([end(), scrape(recoveryS)])
        }
        spans.push({ name, at: scrapes.length - 1 - recoveryS / everyS, firing, alerts: firingAlerts })
      }
      write(scrapes, spans)
      const { status, stdout, stderr } = spawnSync(findProgram('promtool') ?? 'promtool', ['test', 'rules', file], {
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`the recorded series do not fire their alerts: ${stdout}${stderr}`)
    }),
  )
