// Checks that every row of docs/spec-map.md, and of 'What survives what', 'Revocations' and 'Doors' in docs/architecture.md, names an existing
// test. Rows with `later` are counted and listed, so that no gap is hidden.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

type Row = { place: string; sentence: string; test: string }

/** Rows of the three-column tables after a heading; the last column names tests. */
const rowsOf = (file: string, heading: string): Row[] => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.flatMap((text, i) => {
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const isRow =
      i > lines.indexOf(heading) && cells.length >= 5 && !/^(Text|event|change|door|-+)$/.test(cells[1] ?? '')
    return isRow
      ? [{ place: `${file}:${i + 1}`, sentence: cells[2] ?? '', test: (cells[3] ?? '').replaceAll('\\|', '|') }]
      : []
  })
}
const rows = [
  ...rowsOf('docs/spec-map.md', '# Map of the specification'),
  ...rowsOf('docs/architecture.md', '## What survives what'),
]

/** A reference is `path: title` with the exact title in the test file (several joined by ' + '). */
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
  return problem ? [`${row.place}: ${row.sentence}: ${problem}`] : []
})
for (const problem of problems) console.error(problem)
console.log(`${mapped.length} sentences held by tests, ${rows.length - mapped.length} later, ${problems.length} wrong`)
process.exit(problems.length > 0 || mapped.length === 0 ? 1 : 0)
