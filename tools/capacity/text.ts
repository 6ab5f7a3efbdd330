import { assumed } from './assumed.ts'
import type { Costs } from './costs.ts'
import type { Demand, Plan } from './rules.ts'

/** The plan as Markdown, which also reads well in a terminal. */
export const planText = (demand: Demand, { roles, sections, bottleneck }: Plan): string =>
  [
    `${Object.entries(demand)
      .map(([name, value]) => `${name} ${value.toLocaleString('en')}`)
      .join(', ')}`,
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
