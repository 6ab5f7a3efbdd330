import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../server/src/config.ts'
import { collectMessages } from './messages.ts'
import { root } from './run.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = ['README.md', 'docs/operations.md', ...globSync('docs/operations/*.md', { cwd: root })]

/** Sentences about errors of the program itself: no operator can cause or remedy them. */
const ofTheProgram = new Set([
  '….… has no value',
  'A query outside of the open transaction: use its tx',
  'A request has at most … bytes.',
  'A request is one line: {"call": …, "request": …}',
  'A store in memory has no folder to copy',
  'No form of this statement for a cluster is known: …',
  'Not a transaction of the records',
  'Not an id',
  'Only an embedded store can be copied; use pg_dump',
  'Runs as a worker only',
  'The foreign keys of … are a circle',
  'The store gave nothing back',
  'gridmast.… has no engine',
  'no content',
  'no request',
  'stopping',
  '… is not a name of an export',
])
const isUsage = (text: string) => /^(Usage: |npm run verify-record )/.test(text)
const hasWords = (text: string) => /[A-Za-z]{2}/.test(text)

test('each message of the server and its tools is explained, and no other', () => {
  const inSources = [...collectMessages()]
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => hasWords(text) && !isUsage(text) && !ofTheProgram.has(text))
  const explained = [...read('docs/operations/messages.md').matchAll(/^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$/gm)]
  expect(explained.map(([, text = '']) => text).toSorted()).toEqual([...new Set(inSources)].toSorted())
})

const roles = new Set(['all', 'web', 'ingest', 'ocpp', 'jobs'])

test('each setting is listed with its default, unit and roles', () => {
  const rows = [...read('docs/operations/settings.md').matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \| (.+) \|$/gm)]
  const listed = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]))
  const defaults = Object.entries(settings.shape).map(([name, schema]) => {
    const value = schema.parse(undefined)
    return [name, value === undefined ? 'none' : String(value)]
  })
  expect(listed).toEqual(Object.fromEntries(defaults))
  for (const [, name, , , role = ''] of rows)
    expect([name, role.split(', ').filter((one) => !roles.has(one))]).toEqual([name, []])
})

const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

test.each(pages)('each link of %s leads to a file and a heading', (page) => {
  for (const [, link = ''] of read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
    const [path = '', anchor] = link.split('#')
    const file = path ? join(dirname(page), path) : page
    expect([link, existsSync(join(root, file))]).toEqual([link, true])
    if (anchor) expect([link, anchorsOf(file)]).toEqual([link, expect.arrayContaining([anchor])])
  }
})

test('the contents name every page', () => {
  const contents = read('docs/operations.md')
  for (const page of globSync('docs/operations/*.md', { cwd: root }))
    expect(contents).toContain(`(${page.replace('docs/', '')})`)
})
