import { join } from 'node:path'
import { readConfig } from '../server/src/config.ts'
import { operatorCalls, type OperatorRequests } from '../server/src/operator-calls.ts'
import { isFolderHeld } from '../server/src/platform/data-lock.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { askServer } from '../server/src/platform/operator-door.ts'
import { openRecords } from '../server/src/platform/records.ts'
import { openSecret } from '../server/src/platform/secret.ts'

type Said = { said: string; wrong?: boolean }

const ask = async function* <Call extends keyof OperatorRequests>(
  call: Call,
  request: OperatorRequests[Call],
): AsyncGenerator<Said> {
  const config = readConfig(process.env)
  if (!config.DATABASE_URL && (await isFolderHeld(config.dataDir))) {
    yield* askServer(config.dataDir, call, request) as AsyncGenerator<Said> // the server has the same calls
    return
  }
  const records = await openRecords({ url: config.DATABASE_URL, dataDir: join(config.dataDir, 'records') })
  try {
    await migrate(records)
    const secret = openSecret(config.SECRET_KEY, join(config.dataDir, 'secret.key'))
    yield* operatorCalls({ records, secret, config, clock: { now: Date.now } })[call](request)
  } finally {
    await records.close()
  }
}

/** Runs one of the operator's calls, through the server that holds the embedded store or on the store itself, and prints what it says. */
export const runOperatorCall = async <Call extends keyof OperatorRequests>(
  call: Call,
  request: OperatorRequests[Call],
): Promise<void> => {
  try {
    for await (const { said, wrong } of ask(call, request)) {
      console.log(said)
      if (wrong) process.exitCode = 1
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
