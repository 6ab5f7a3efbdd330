// npm run bench: every benchmark in a separate process, with the results in benchmarks/results.md. `npm run bench -- ocpp planner` runs these
// only; other rows keep their values and dates.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { benchmarks, type Figures, type Goal, goalsOf, onRequest } from './goals.ts'

const folder = import.meta.dirname
const chosen = process.argv.slice(2)

const run = (script: string, settings: Record<string, string> = {}): Figures => {
  const isChosen = chosen.includes(script.replace('.ts', ''))
  if (!isChosen && (chosen.length > 0 || onRequest.includes(script))) return {}
  const done = spawnSync(process.execPath, [join(folder, script)], {
    encoding: 'utf8',
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: onRequest.includes(script) ? 9_000_000 : 900_000,
  })
  const last = done.stdout.trim().split('\n').at(-1) ?? ''
  if (done.status !== 0) {
    console.error(`${script} failed`)
    process.exitCode = 1
    return {}
  }
  console.log(last)
  return JSON.parse(last) as Figures
}

const measured = Object.fromEntries(
  Object.entries(benchmarks).map(([name, [script, settings]]) => [name, run(script, settings)]),
) as Record<keyof typeof benchmarks, Figures>

const results = join(folder, 'results.md')
const today = new Date().toISOString().slice(0, 10)
const rowOf = ({ what, goal, measured, holds, more }: Goal) =>
  `| ${what} | ${goal} | ${measured} | ${holds ? '🟢 met' : '🔴 missed'} | ${more} | ${today} |`

const stands = readFileSync(results, 'utf8').split('\n')
const table = goalsOf(measured).flatMap((goal) => {
  const isMeasured = !`${goal.measured} ${goal.more}`.includes('NaN')
  return isMeasured ? rowOf(goal) : stands.filter((row) => row.startsWith(`| ${goal.what} |`))
})
const [cpu] = cpus()
writeFileSync(
  results,
  `# Results

Ratios of two things measured in one run on one machine; a missed goal stays red. The newest rows: Node ${process.versions.node},
${cpus().length} × ${cpu?.model.trim() ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB. \`npm run bench\` writes this file. Goals in seconds depend on the machine:
the bare Fastify hello in the row of the gates says how fast it was that day.

| What | Goal | Measured | | Figures | On |
|---|---|---|---|---|---|
${table.join('\n')}
`,
)
