// Checks docs/spec-map.md: every row names a test that exists. A row whose test is `later` is counted and named, so that no gap hides.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

type Row = { line: number; sentence: string; test: string }

const rows: Row[] = readFileSync(join(root, 'docs/spec-map.md'), 'utf8')
  .split('\n')
  .flatMap((text, i) => {
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim())
    if (cells.length < 5 || cells[1] === 'Text' || /^-+$/.test(cells[1] ?? '')) return []
    return [{ line: i + 1, sentence: cells[2] ?? '', test: (cells[3] ?? '').replaceAll('\\|', '|') }]
  })

/** A reference is `path: title`, the title as it stands in the test file (several joined by ' + '). */
const problemOf = ({ test }: Row): string | null => {
  if (test === '') return 'names no test'
  for (const reference of test.split(' + ')) {
    const [path = '', ...title] = reference.replaceAll('`', '').split(': ')
    if (!existsSync(join(root, path))) return `${path} does not exist`
    const wanted = title.join(': ')
    if (!wanted || !readFileSync(join(root, path), 'utf8').includes(wanted))
      return `${path} has no test named '${wanted}'`
  }
  return null
}

const mapped = rows.filter((row) => row.test !== 'later')
const problems = mapped.flatMap((row) => {
  const problem = problemOf(row)
  return problem ? [`docs/spec-map.md:${row.line}: ${row.sentence}: ${problem}`] : []
})
for (const problem of problems) console.error(problem)
console.log(`${mapped.length} sentences held by tests, ${rows.length - mapped.length} later, ${problems.length} wrong`)
process.exit(problems.length > 0 || mapped.length === 0 ? 1 : 0)
