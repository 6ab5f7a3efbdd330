import { findVersions, type Version } from '@gridmast/contract/versions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product, version } from '#platform/version.ts'
import { applyProvisioning } from '#provisioning/apply.ts'
import { readProvisioning } from '#provisioning/read.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { releasesOf } from './changelog.ts'

const running = { version: '1.2.0', day: '2026-11-22' }
const changelog = `# Changelog

## [Unreleased]

### Added
- Notes, see [the page](https://x.example/a).

## [1.1.0] - 2026-10-01
### Fixed
- <b>Bold</b>

## 1.0.0 - 2026-09-01
First.

## What a section without a version is

[1.1.0]: https://x.example/compare
`

test('a changelog gives its versions, the unreleased part as the running one', () => {
  expect(releasesOf(changelog, running)).toEqual([
    { title: 'Version 1.2.0', released: '2026-11-22', description: '### Added\n- Notes, see the page.' },
    { title: 'Version 1.1.0', released: '2026-10-01', description: '### Fixed\n- <b>Bold</b>' },
    { title: 'Version 1.0.0', released: '2026-09-01', description: 'First.' },
  ])
})

test('what comes after a release is not the running version', () => {
  const titles = releasesOf(changelog, { ...running, version: '1.1.0' }).map(({ title }) => title)
  expect(titles).toEqual(['Version 1.1.0', 'Version 1.0.0'])
})

test('a changelog of any size gives at most 100 versions of 20,000 characters', () => {
  const many = Array.from({ length: 300 }, (_, i) => `## ${i}.0.0 - 2026-01-01\n${'x'.repeat(i === 0 ? 30_000 : 10)}\n`)
  const found = releasesOf(many.join(''), running)
  expect(found).toHaveLength(100)
  expect(found[0]?.description).toHaveLength(20_000)
})

let app: TestApp
let token: string
beforeAll(async () => {
  app = await openTestApp()
  token = await app.tokenOf('auditor@north.example')
})
afterAll(() => app.close())

const customers = 'customers: [{ key: east, name: East }]\n'
const provision = (text: string, dryRun = false) =>
  applyProvisioning(app.records, readProvisioning(`${customers}${text}`), { dryRun })
const find = async (query: Record<string, string> = {}): Promise<{ versions: Version[]; totalCount: number }> =>
  (await app.ask(findVersions, { token, query })).body.data
const titles = async () =>
  (await find()).versions.filter(({ application }) => application !== product).map(({ title }) => title)

const one = (title: string, released: string, more = '') =>
  `  - { title: '${title}', application: Edge, released: ${released}, description: 'Faster', ${more} }\n`

test('the changelog of the product is read at start', async () => {
  const { versions } = await find()
  expect(versions[0]).toMatchObject({ title: `Version ${version}`, application: product, enable: true })
  expect(versions[0]?.description).toContain('### Added')
})

test('versions of the provisioning file are shown to every customer, the newest first, those not enabled to none', async () => {
  const file = `versions:\n${one('4.3', '2026-01-10')}${one('4.4', '2199-01-01')}${one('4.5', '2026-11-01', 'enable: false')}`
  expect(await provision(file, true)).toContainEqual(
    expect.objectContaining({ sign: '+', customer: 'all customers', table: 'application_version', name: '4.4' }),
  )
  expect(await titles()).toEqual([])
  await provision(file)
  expect(await titles()).toEqual(['4.4', '4.3'])
  expect(await provision(file)).toEqual([])
  const { versions, totalCount } = await find({ limit: '1', skip: '1' })
  expect(versions.map(({ application }) => application)).toEqual([product])
  expect(totalCount).toBe((await find()).versions.length)
})

test('a file without versions leaves them; one that has some has all of them', async () => {
  await provision('')
  expect(await titles()).toEqual(['4.4', '4.3'])
  expect(await provision(`versions:\n${one('4.3', '2026-01-11')}`)).toMatchObject([
    { sign: '~', name: '4.3', what: 'released "2026-01-10" -> "2026-01-11"' },
    { sign: '-', name: expect.any(String) },
    { sign: '-', name: expect.any(String) },
  ])
  expect(await titles()).toEqual(['4.3'])
})

test.each([
  [one('4.3', '20.11.2026'), 'versions[0].released: expected a date such as'],
  [one('4.3', '2026-11-20').replace("'Faster'", "''"), 'versions[0].description: expected some text'],
  [one('4.3', '2026-11-20').repeat(2), 'versions[1]: expected a version not named before: Edge 4.3'],
])('a wrong version is named with its line: %s', (text, words) => {
  expect(() => readProvisioning(`${customers}versions:\n${text}`)).toThrow(words)
})
