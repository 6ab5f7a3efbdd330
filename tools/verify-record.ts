// npm run verify-record -- <file> [<file> ...]: verifies flight records without a server and reports changes. Exits with 1 for a mismatch.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compareChains, verifyRecord } from '../server/src/delivery/flight-record/verify.ts'

const files = process.argv.slice(2)
if (files.length === 0) {
  console.error('npm run verify-record -- <file> [<file> ...]')
  process.exit(1)
}
const verdicts = files.map((file) => ({ file: basename(file), ...verifyRecord(readFileSync(file, 'utf8')) }))
for (const { file, wrong, subject, own, parts } of verdicts) {
  if (own && wrong.length === 0)
    console.log(`${file}: unchanged. ${subject}; ${parts} parts; link ${own.no}, sealed ${own.at}, ${own.sha256}`)
  for (const one of wrong) console.log(`${file}: ${one}`)
}
const apart = compareChains(verdicts)
for (const one of apart) console.log(one)
if (apart.length > 0 || verdicts.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1
