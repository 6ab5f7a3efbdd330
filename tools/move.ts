// npm run move -- --to-records postgres://… --to-readings http://…: copies the embedded stores of DATA_DIR to servers. While the server runs it
// copies all data and what is written meanwhile; run again without the server it copies the rest and compares. With --from-records and
// --from-readings it fills an empty DATA_DIR from servers. An interrupted move continues.
import { parseArgs } from 'node:util'
import { readConfig } from '../server/src/config.ts'
import { moveToFolder, moveToServers, servers } from '../server/src/operator/move/move.ts'
import type { OutputLine } from '../server/src/operator/output-line.ts'
import { lockDataFolder } from '../server/src/platform/process/data-folder.ts'
import { print, throughServerOr } from './through-server.ts'

const usage =
  'Usage: npm run move -- --to-records postgres://… --to-readings http://…, or --from-records … --from-readings … into an empty DATA_DIR; --cluster names the cluster of a ClickHouse server'

const option = { type: 'string' } as const
const names = {
  'to-records': option,
  'to-readings': option,
  'from-records': option,
  'from-readings': option,
  cluster: option,
}

const readServers = (argv: string[]) => {
  try {
    const { values } = parseArgs({ args: argv, options: names })
    const { cluster } = values
    const to = servers.safeParse({ records: values['to-records'], readings: values['to-readings'], cluster })
    const from = servers.safeParse({ records: values['from-records'], readings: values['from-readings'], cluster })
    if (to.success === from.success) return null
    return to.success ? { to: to.data } : from.success ? { from: from.data } : null
  } catch {
    return null
  }
}

const move = async function* (): AsyncGenerator<OutputLine> {
  const given = readServers(process.argv.slice(2))
  if (!given) throw new Error(usage)
  const config = readConfig(process.env)
  if (config.DATABASE_URL || config.CLICKHOUSE_URL)
    throw new Error('Unset DATABASE_URL and CLICKHOUSE_URL: the addresses of a move are its arguments')
  if (given.from) {
    await lockDataFolder(config.dataDir)
    return yield* moveToFolder(config.dataDir, given.from, config.MIN_FREE_BYTES)
  }
  yield* throughServerOr<OutputLine>('move', given.to, {
    outside: () => false,
    isFirst: true, // moveToServers has a sentence of its own
    here: ({ dataDir }) => moveToServers(dataDir, given.to, Date.now()),
  })
}

await print(move())
process.exit()
