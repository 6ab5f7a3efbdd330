// npm run provision -- customers.yaml [--dry-run] [--reset-passwords]
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runOperatorCall, typedPath } from './operator.ts'

const read = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        'reset-passwords': { type: 'boolean', default: false },
      },
    })
    const [file] = positionals
    return file && positionals.length === 1
      ? { file, dryRun: values['dry-run'], resetPasswords: values['reset-passwords'] }
      : null
  } catch {
    return null // an unknown flag
  }
}

const request = read()
const text = request && (await readFile(typedPath(request.file), 'utf8').catch(() => null))
if (request && text !== null) await runOperatorCall('provision', { ...request, text }, { looksOnly: request.dryRun })
else {
  console.error(
    request
      ? `${request.file}: cannot be read`
      : 'Usage: npm run provision -- customers.yaml [--dry-run] [--reset-passwords]',
  )
  process.exitCode = 1
}
