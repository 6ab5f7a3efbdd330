import { findVersions, type Version } from '@gridmast/contract/people/versions.ts'
import { afterAll, expect, test } from 'vitest'
import { product, version } from '#platform/process/version.ts'
import { applyProvisioning } from '#operator/provisioning/apply.ts'
import { readProvisioning } from '#operator/provisioning/read.ts'
import { openTestApp } from '#testing/app.ts'
import { releases } from './routes.ts'

test('the release notes have the running version and no code, paths, commands or ids', () => {
  expect(releases[0]?.title).toBe(`Version ${version}`)
  const sentences = releases.flatMap(({ description, descriptionDa }) => [
    ...description.split('\n'),
    ...descriptionDa.split('\n'),
  ])
  const technical = /`|npm |\bnode\b|https?:|[\w-]+\/[\w-]+[./]|\.\w{2,4}\b|[a-z][A-Z][a-z]|_|\bAPI\b|\btoken/
  expect(sentences.filter((sentence) => technical.test(sentence.replace('eConomics', '')))).toEqual([])
})

const app = await openTestApp()
const token = await app.tokenOf('auditor@north.example')
afterAll(() => app.close())

const customers = 'customers: [{ key: east, name: East }]\n'
const provision = (text: string, dryRun = false) =>
  applyProvisioning(app.records, readProvisioning(`${customers}${text}`), { dryRun })
const find = async (query: Record<string, string> = {}): Promise<{ versions: Version[]; totalCount: number }> =>
  await app.data(findVersions, { token, query })
const titles = async () =>
  (await find()).versions.filter(({ application }) => application !== product).map(({ title }) => title)

const one = (title: string, released: string, more = '') =>
  `  - { title: '${title}', application: Edge, released: ${released}, description: 'Faster', ${more} }\n`

test('the release notes are listed in both languages', async () => {
  const { versions } = await find()
  expect(versions[0]).toMatchObject({ title: `Version ${version}`, application: product, enable: true })
  expect(versions[0]?.description).toMatch(/^- Home shows/)
  expect(versions[0]?.descriptionDa).toMatch(/^- Hjem viser/)
})

test('enabled versions of the provisioning file are shown to every customer, newest first', async () => {
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

test('a file without versions keeps the stored ones, a file with versions replaces them', async () => {
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
])('a wrong version is refused with its line: %s', (text, words) => {
  expect(() => readProvisioning(`${customers}versions:\n${text}`)).toThrow(words)
})
