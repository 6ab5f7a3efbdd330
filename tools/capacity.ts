// npm run capacity -- --customers 100 --edges 300 --chargers 1000 --meters 1200 --users 500 [--samples-per-second 1500 --retention-days 400]:
// machines, disks, connections and settings of an installation, from the costs in benchmarks/growth.json. `--page` writes docs/capacity.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readCosts } from './capacity/costs.ts'
import { readDemand } from './capacity/demand.ts'
import { planFor } from './capacity/rules.ts'
import { costsText, pageParts, planText, withParts } from './capacity/text.ts'
import { root } from './run.ts'

const usage =
  'Usage: npm run capacity -- --customers 100 --edges 300 --chargers 1000 --meters 1200 --users 500 [--samples-per-second 1500] [--retention-days 400]'

const number = { type: 'string' } as const

try {
  const { values } = parseArgs({
    options: {
      customers: number,
      edges: number,
      chargers: number,
      meters: number,
      users: number,
      'samples-per-second': number,
      'retention-days': number,
      page: { type: 'boolean', default: false },
    },
  })
  const { page: isPage, ...options } = values
  const costs = readCosts(join(root, 'benchmarks/growth.json'))
  if (isPage) {
    const [page, growth] = [join(root, 'docs/capacity.md'), join(root, 'benchmarks/growth.md')]
    const parts = pageParts(costs, readFileSync(growth, 'utf8'))
    writeFileSync(page, withParts(readFileSync(page, 'utf8'), parts))
  } else {
    const demand = readDemand(options)
    console.log(`${planText(demand, planFor(demand, costs))}\n\n${costsText(costs)}`)
  }
} catch (error) {
  const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  console.error(`${sentence}\n${usage}`)
  process.exit(1)
}
