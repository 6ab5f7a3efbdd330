import { assumed } from './assumed.ts'
import { type Costs, missingCurves } from './costs.ts'
import { type Demand, type Plan, planFor } from './rules.ts'

/** Of each customer: 3 edges, 10 chargers, 12 meters and 5 users, like the larger customer of the demo. */
const demandOf = (customers: number): Demand => ({
  customers,
  edges: 3 * customers,
  chargers: 10 * customers,
  meters: 12 * customers,
  users: 5 * customers,
  samplesPerSecond: 3 * customers * assumed.signalsPerEdge,
  retentionDays: 400,
})

/** The plan as Markdown, which also reads well in a terminal. */
export const planText = (demand: Demand, { roles, sections, bottleneck }: Plan): string =>
  [
    Object.entries(demand)
      .map(([name, value]) => `${name} ${value.toLocaleString('en')}`)
      .join(', '),
    '',
    '| Processes of | Number | Cores of each | Memory of each | PostgreSQL connections |',
    '|---|---|---|---|---|',
    ...roles.map(
      ({ role, processes, cores, memoryMb, connections }) =>
        `| ${role} | ${processes} | ${cores.toFixed(2)} | ${Math.round(memoryMb).toLocaleString('en')} MB | ${connections} |`,
    ),
    '',
    '| What | Value | Figure is |',
    '|---|---|---|',
    ...sections.flatMap(({ title, lines }) => [
      `| **${title}** | | |`,
      ...lines.map(({ what, value, from }) => `| ${what} | ${value} | ${from} |`),
    ]),
    '',
    `First bottleneck: ${bottleneck}.`,
  ].join('\n')

export const costsText = ({ date, machine }: Costs): string =>
  `Costs measured on ${date}: ${machine.processor}, Node ${machine.node}, ${machine.helloUs.toFixed(0)} µs of CPU for a bare Fastify hello. ` +
  'Extrapolated: more than ten times beyond the largest measured size. ' +
  `Assumed: ${assumed.activeShare * 100} % of users are active, ${assumed.chargingShare * 100} % of chargers have a session, ` +
  `a process uses at most ${assumed.busyShare * 100} % of a core, and the other figures of tools/capacity/assumed.ts.`

export const examples: { title: string; demand: Demand }[] = [
  { title: '10 customers', demand: demandOf(10) },
  { title: '1,000 customers', demand: demandOf(1000) },
  { title: '100,000 customers', demand: demandOf(100_000) },
]

const exampleText = ({ title, demand }: (typeof examples)[number], costs: Costs): string => {
  const missing = missingCurves(costs)
  const text =
    missing.length > 0
      ? `Without figures: ${missing.join(', ')} not measured.`
      : planText(demand, planFor(demand, costs))
  return `### ${title}\n${text}`
}

/** The parts of docs/capacity.md that the tool writes. */
export const pageParts = (costs: Costs, growth: string): Record<string, string> => ({
  curves: growth.slice(growth.indexOf('| Each | Cost |')).trim().replaceAll('\n## ', '\n### '),
  examples: [costsText(costs), ...examples.map((example) => exampleText(example, costs))].join('\n\n'),
})

/** The page with its generated parts, which are between the comments `<!-- name -->` and `<!-- end -->`. */
export const withParts = (page: string, parts: Record<string, string>): string =>
  Object.entries(parts).reduce((text, [name, part]) => {
    const [before, rest] = text.split(`<!-- ${name} -->\n`)
    if (before === undefined || rest === undefined) throw new Error(`the page has no part ${name}`)
    return `${before}<!-- ${name} -->\n${part}\n${rest.slice(rest.indexOf('<!-- end -->'))}`
  }, page)
