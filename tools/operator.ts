// Commands of the operator, for the running server or the store itself: npm run provision, import-bids, login-link, audit-verify, reseal,
// person-export and person-erase.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { operatorCalls, type OperatorRequests } from '../server/src/operator/operator-calls.ts'
import type { OutputLine } from '../server/src/operator/output-line.ts'
import { keepExport } from '../server/src/operator/people-data/export-person.ts'
import { openSecret } from '../server/src/platform/security/secret.ts'
import { fail, openStore, openStoreToRead, print, readArguments, throughServerOr, typedPath } from './through-server.ts'

type Calls = ReturnType<typeof operatorCalls>

const answersOf = <Answer>(
  name: keyof Calls,
  request: object,
  run: (calls: Calls) => AsyncIterable<Answer>,
  { readsOnly = false, isFirst = false } = {},
): AsyncGenerator<Answer> =>
  throughServerOr<Answer>(name, request, {
    outside: (config) => config.DATABASE_URL !== undefined,
    isFirst,
    here: async function* (config) {
      const records = await (readsOnly ? openStoreToRead(config) : openStore(config))
      try {
        const secret = openSecret(config.SECRET_KEY, join(config.dataDir, 'secret.key'), config.SECRET_KEY_OTHER)
        const demo = config.demo && existsSync(config.demoMarker) // a folder without a server belongs to no demo yet
        yield* run(operatorCalls({ records, secret, config: { ...config, demo }, clock: { now: Date.now } }))
      } finally {
        await records.close()
      }
    },
  })

const call = <Call extends keyof OperatorRequests>(
  name: Call,
  request: OperatorRequests[Call],
  options = {},
): Promise<void> => print(answersOf<OutputLine>(name, request, (calls) => calls[name](request), options))

const withFile = async (file: string, run: (text: string) => Promise<void>): Promise<void> => {
  const text = await readFile(typedPath(file), 'utf8').catch(() => null)
  return text === null ? fail(`${file}: cannot be read`) : run(text)
}

type Command = {
  usage: string
  /** Allowed numbers of arguments without the flags. */
  count: readonly number[]
  flags?: readonly string[]
  run: (words: readonly string[], has: (flag: string) => boolean) => Promise<void>
}

const commands: Record<string, Command> = {
  provision: {
    usage: 'provision -- customers.yaml [--dry-run] [--reset-passwords]',
    count: [1],
    flags: ['dry-run', 'reset-passwords'],
    run: ([file = ''], has) => {
      const [dryRun, resetPasswords] = [has('dry-run'), has('reset-passwords')]
      return withFile(file, (text) =>
        call('provision', { file, text, dryRun, resetPasswords }, { readsOnly: dryRun, isFirst: true }),
      )
    },
  },
  'import-bids': {
    usage: 'import-bids -- <customer key> bids.ndjson [--dry-run]',
    count: [2],
    flags: ['dry-run'],
    run: ([customer = '', file = ''], has) => {
      const dryRun = has('dry-run')
      return withFile(file, (text) =>
        call('import-bids', { customer, file: basename(file), text, dryRun }, { readsOnly: dryRun }),
      )
    },
  },
  // Prints a one-time sign-in address, valid for 10 minutes. The flag first removes the second factor of a user without phone and recovery
  // codes, and notifies the user by mail. With DATABASE_URL it needs the server's SECRET_KEY (or DATA_DIR).
  'login-link': {
    usage: 'login-link -- <email> [--without-second-factor]',
    count: [1],
    flags: ['without-second-factor'],
    run: ([email = ''], has) => call('login-link', { email, withoutSecondFactor: has('without-second-factor') }),
  },
  // Recomputes the hash chain of the audit trail of one customer or all. Exits with 1 for a broken chain.
  'audit-verify': {
    usage: 'audit-verify [-- <customer key>]',
    count: [0, 1],
    run: ([customer]) => call('audit-verify', { customer }),
  },
  // Seals every stored secret under SECRET_KEY, after SECRET_KEY_OTHER accepted the previous one.
  reseal: { usage: 'reseal', count: [0], run: () => call('reseal', {}) },
  // All data about a person in one zip, readable by its owner only.
  'person-export': {
    usage: 'person-export -- <email> FILE.zip',
    count: [2],
    run: ([email = '', file = '']) =>
      print(
        keepExport(
          answersOf('person-export', { email }, (calls) => calls['person-export']({ email })),
          typedPath(file),
        ),
      ),
  },
  // Removes a person; rows that must stay name a pseudonym. --dry-run lists what would change.
  'person-erase': {
    usage: 'person-erase -- <email> [--dry-run]',
    count: [1],
    flags: ['dry-run'],
    run: ([email = ''], has) => call('person-erase', { email, dryRun: has('dry-run') }),
  },
}

const [name = '', ...argv] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
const input = command && readArguments(argv, command)
if (!command) fail(`Usage: node tools/operator.ts ${Object.keys(commands).join(' | ')}`)
else if (input) await command.run(input.words, input.has)
