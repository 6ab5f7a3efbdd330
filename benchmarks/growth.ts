// node benchmarks/growth.ts: growth curves with their slopes, into benchmarks/growth.md and growth.json (read by npm run capacity). `growth.ts
// edges streams` runs these only, other curves keep their values and dates; `--sizes 1,10` are smaller sizes, whose results are only printed.
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { fitLine } from '../tools/fit.ts'
import { type Costs, type Curve, readCosts } from '../tools/capacity/costs.ts'
import { curveSpecs, type CurveName, type CurveSpec, fixedLimits, type Script, scripts } from './growth-curves.ts'
import { usageOf } from './ocpp-server.ts'

type Measured = { points: { size: number; costs: Record<string, number> }[]; stopped?: string }

const folder = import.meta.dirname
const dataFile = join(folder, 'growth.json')
const { values, positionals } = parseArgs({ options: { sizes: { type: 'string' } }, allowPositionals: true })
const unknown = positionals.find((name) => !scripts.some((script) => script === name))
if (unknown !== undefined) throw new Error(`no such curve: ${unknown}; ${scripts.join(', ')}`)
const chosen = scripts.filter((name) => positionals.length === 0 || positionals.includes(name))
const today = new Date().toISOString().slice(0, 10)

const run = (script: Script): Measured | null => {
  const startedAt = performance.now()
  const { status, stdout } = spawnSync(process.execPath, [join(folder, `growth-${script}.ts`)], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC', ...(values.sizes ? { SIZES: values.sizes } : {}) },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 900_000,
  })
  console.log(`${script}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  if (status === 0) return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured
  console.error(`growth-${script}.ts failed`)
  process.exitCode = 1
  return null
}

/** CPU of an answer of a bare Fastify server: the speed of this machine, also while other programs use it. */
const helloUs = async (): Promise<number> => {
  const servers: ChildProcess = fork(join(folder, 'api-servers.ts'))
  const [{ bare }] = (await once(servers, 'message')) as [{ bare: string }] // its only message
  await autocannon({ url: bare, connections: 16, duration: 1 })
  const before = usageOf(servers.pid ?? 0).cpuMs
  const { requests } = await autocannon({ url: bare, connections: 16, duration: 4 })
  const us = ((usageOf(servers.pid ?? 0).cpuMs - before) * 1000) / requests.total
  servers.send('stop')
  await once(servers, 'exit')
  return us
}

const curveOf = ({ field }: CurveSpec, { points, stopped }: Measured): Curve => {
  const pairs = points.flatMap(({ size, costs }): [number, number][] =>
    costs[field] === undefined ? [] : [[size, costs[field]]],
  )
  return { date: today, points: pairs, ...fitLine(pairs), ...(stopped ? { stopped } : {}) }
}

const machine: Costs['machine'] = {
  processor: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'processor'}`,
  memoryGib: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
  helloUs: await helloUs(),
}
type Curves = Costs['curves']

const short = (value: number) => {
  const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.abs(value) || 1))))
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}
const rowOf = (curves: Curves, [name, spec]: [CurveName, CurveSpec]) => {
  const curve = curves[name]
  if (!curve) return []
  const points = curve.points.map(([size, cost]) => `${short(size)}: ${short(cost)}`).join(' · ')
  const isFlat = curve.slope <= 0
  const slope = isFlat ? 'none' : `${short(curve.slope)} ${spec.unit}${curve.isLinear ? '' : ', not linear'}`
  return [`| ${spec.per} | ${spec.cost} | ${points} | ${slope} | ${curve.date} |`]
}
/** Size at which the line reaches its limit. */
const reaches = (spec: CurveSpec, curve: Curve | undefined) =>
  spec.limit && curve && curve.slope > 0 ? (spec.limit.most - curve.base) / curve.slope : Infinity

const bottleneckOf = (curves: Curves, per: string): string[] => {
  const specs = (Object.entries(curveSpecs) as [CurveName, CurveSpec & { group: Script }][]).filter(
    ([name, spec]) => spec.per === per && curves[name],
  )
  const group = specs[0]?.[1].group
  if (!group) return []
  const ends = specs.map(([name, spec]) => ({ at: reaches(spec, curves[name]), what: spec.limit?.what ?? '' }))
  const fixed = fixedLimits[group]
  if (fixed) ends.push({ at: fixed.most, what: fixed.what })
  const first = ends.toSorted((a, b) => a.at - b.at)[0]
  const largest = Math.max(...specs.flatMap(([name]) => curves[name]?.points.map(([size]) => size) ?? []))
  const stopped = specs.map(([name]) => curves[name]?.stopped).find((reason) => reason !== undefined)
  const isReached = first && Number.isFinite(first.at)
  const reason = isReached ? `${first.what}, at ${short(Math.max(0, Math.round(first.at)))}` : 'none within these costs'
  return [`| ${per} | ${short(largest)} | ${reason} | ${stopped ?? ''} |`]
}

const page = (curves: Curves) => {
  const specs = Object.entries(curveSpecs) as [CurveName, CurveSpec][]
  return `# Growth

\`node benchmarks/growth.ts\` writes this file: costs of one process with every role and embedded stores, as sizes grow, by the product's own doors. Times are of CPU, so that other programs on the machine matter less; a slope is the linear fit, and a curve whose points leave the line by more than 15 % of its range is called not linear.
${machine.processor}, ${machine.memoryGib} GiB, Node ${machine.node}; a bare Fastify hello takes ${short(machine.helloUs)} µs of CPU.

| Each | Cost | Size: cost | Slope for one | On |
|---|---|---|---|---|
${specs.flatMap((spec) => rowOf(curves, spec)).join('\n')}

## First bottleneck
The first limit that the lines reach, for one process.

| Each | Largest size measured | First bottleneck | Where the measurement ended |
|---|---|---|---|
${[...new Set(specs.map(([, { per }]) => per))].flatMap((per) => bottleneckOf(curves, per)).join('\n')}
`
}

/** Each script is written when it ends: a later failure loses nothing. */
for (const script of chosen) {
  const measured = run(script)
  if (!measured) continue
  const curves: Curves = existsSync(dataFile) && !values.sizes ? readCosts(dataFile).curves : {}
  for (const [name, spec] of Object.entries(curveSpecs) as [CurveName, CurveSpec][])
    if (spec.group === script) curves[name] = curveOf(spec, measured)
  if (values.sizes) console.log(page(curves))
  else {
    writeFileSync(dataFile, `${JSON.stringify({ date: today, machine, curves } satisfies Costs, null, 1)}\n`)
    writeFileSync(join(folder, 'growth.md'), page(curves))
  }
}
