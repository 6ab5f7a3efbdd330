// npm run fuzz -- 20000 [--seed 42]: that many random requests from the schemas, against a server with its own stores.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { run } from './run.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const requests = positionals[0] ?? '20000'
const seed = values.seed ?? String(randomInt(2 ** 31))
if (!/^\d+$/.test(requests) || !/^\d+$/.test(seed)) throw new Error('npm run fuzz -- <requests> [--seed <number>]')

console.log(`${requests} requests, seed ${seed}: the same again with npm run fuzz -- ${requests} --seed ${seed}`)
const env = { ...process.env, FUZZ_REQUESTS: requests, FUZZ_SEED: seed }
await run('vitest', ['run', '--project=server', 'server/src/fuzz.test.ts'], { env })
