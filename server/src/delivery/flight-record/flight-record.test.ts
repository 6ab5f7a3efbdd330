import { createHash } from 'node:crypto'
import { hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestWorld } from '#testing/records.ts'
import { storedRows } from '#testing/rows.ts'
import { seriesParts, sealRecord, writeParts } from './seal.ts'
import { compareChains, verifyRecord } from './verify.ts'

let north = ''
let west = ''
const records = await openTestWorld()
const found = await storedRows(records, 'customer', {}, ['key', 'customer_id'])
const idOf = (key: string) => found.find((one) => one.key === key)?.customer_id ?? ''
north = idOf('north')
west = idOf('west')
afterAll(() => records.close())

const from = Date.parse('2026-09-15T10:00:00Z')
const power = (kw: number) =>
  seriesParts('power', 'kW', { x: [0, 1, 2, 3].map((n) => from + n * 1000), y: [900, 901, null, kw] })
const seal = async (subject: string, kw = 900, customerId = north) => {
  const written = await writeParts([
    { part: 'about', kind: 'event' },
    { part: 'bids', bids: [{ eur: '3.5' }] },
    ...power(kw),
  ])
  return records.tenant(customerId, (tx) =>
    sealRecord(tx, customerId, { subject, written, nowMs: Date.parse('2026-09-16T06:00:00Z') }),
  )
}

test('a series has a part per hour; evenly spaced samples have a step, others have milliseconds', () => {
  const x = [from + hourMs - 1000, from + hourMs, from + hourMs + 1000, from + hourMs + 2000]
  expect(seriesParts('power', 'kW', { x, y: [1, 2, 3, 4] })).toEqual([
    { part: 'power 2026-09-15T10:00Z', unit: 'kW', from: '2026-09-15T10:59:59.000Z', ms: [0], values: [1] },
    { part: 'power 2026-09-15T11:00Z', unit: 'kW', from: '2026-09-15T11:00:00.000Z', stepMs: 1000, values: [2, 3, 4] },
  ])
})

describe('the chain of a customer', () => {
  test('a subject with the same content keeps its link and file, and other content is a new link', async () => {
    const first = await seal('event 1')
    await seal('event 2')
    expect(await seal('event 1')).toEqual(first)
    const changed = await seal('event 1', 901)
    expect([first.no, changed.no]).toEqual([1, 3])
    expect(verifyRecord(changed.content)).toMatchObject({ wrong: [], subject: 'event 1', own: { no: 3 }, parts: 3 })
    expect(verifyRecord(changed.content).links).toHaveLength(3)
  })

  test('two files sealed at once have separate links in one chain', async () => {
    const both = await Promise.all([seal('event 3', 1), seal('event 4', 2)])
    expect(new Set(both.map(({ no }) => no)).size).toBe(2)
    const verdicts = both.map(({ content }) => verifyRecord(content))
    expect(verdicts.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(compareChains(verdicts)).toEqual([])
  })

  test('C4 T2 links cannot be changed or removed, and each customer has its own chain', async () => {
    await seal('event 1')
    const changes = [sql`update flight_record set subject = 'x'`, sql`delete from flight_record`]
    for (const change of changes) {
      await expect(records.system((tx) => change.execute(tx))).rejects.toThrow(/permission denied/)
      await expect(records.tenant(north, (tx) => change.execute(tx))).rejects.toThrow(/permission denied/)
    }
    const theirs = await seal('event 1', 900, west)
    expect(theirs.no).toBe(1)
    const apart = compareChains([verifyRecord(theirs.content), verifyRecord((await seal('event 1')).content)])
    expect(apart).toEqual(['The files are of different chains: link 1 differs'])
  })

  test('the manual check of the documentation gives the hashes of the lines, the list and the link', async () => {
    const { content } = await seal('event 5')
    const lines = content.trimEnd().split('\n')
    const sealAt = lines.findIndex((line) => line.startsWith('{"seal"'))
    const sha = (text: string) => createHash('sha256').update(text).digest('hex')
    const { parts, content: sum } = JSON.parse(lines[sealAt] ?? '') as { parts: [string, string][]; content: string }
    expect(lines.slice(0, sealAt).map(sha)).toEqual(parts.map(([, of]) => of))
    expect(sha(parts.map(([part, of]) => `${of}  ${part}\n`).join(''))).toBe(sum)
    const link = JSON.parse(lines.at(-1) ?? '') as Record<string, string>
    expect(sha([link['link'], link['at'], link['subject'], link['content'], link['previous'], ''].join('\n'))).toBe(
      link['sha256'],
    )
  })
})

test('chains without a common link are reported, and a file between them joins them', () => {
  const linksOf = (from: number, to: number) => ({
    links: Array.from({ length: to - from + 1 }, (_, i) => ({
      link: from + i,
      at: '',
      subject: '',
      content: '',
      previous: '',
      sha256: `hash of ${from + i}`,
    })),
  })
  const [early, late, between] = [linksOf(1, 3), linksOf(600, 602), linksOf(3, 600)]
  expect(compareChains([late, early])).toEqual([
    'The chains have no link in common: one ends with link 3, another begins with link 600. Add a record from between them.',
  ])
  expect(compareChains([late, early, between])).toEqual([])
  expect(compareChains([early, { links: [] }])).toEqual([])
})

describe('changes to a file are reported', () => {
  let whole = ''
  let lines: string[] = []
  let sealAt = 0
  beforeAll(async () => {
    for (const n of [6, 7, 8]) await seal(`event ${n}`, n)
    whole = (await seal('event 9')).content
    lines = whole.trimEnd().split('\n')
    sealAt = lines.findIndex((line) => line.startsWith('{"seal"'))
  })
  const said = (change: (copy: string[]) => void) => {
    const copy = [...lines]
    change(copy)
    return verifyRecord(`${copy.join('\n')}\n`).wrong.join('; ')
  }
  const relinked = (copy: string[], at: number, change: object) => {
    const link = { ...(JSON.parse(copy[at] ?? '') as Record<string, string>), ...change }
    const text = [link['link'], link['at'], link['subject'], link['content'], link['previous'], ''].join('\n')
    copy[at] = JSON.stringify({ ...link, sha256: createHash('sha256').update(text).digest('hex') })
  }

  test('an unchanged file has no error', () => expect(verifyRecord(whole).wrong).toEqual([]))

  test.each<[string, (copy: string[]) => void, RegExp]>([
    [
      'a sample',
      (copy) => void (copy[2] = (copy[2] ?? '').replace('901', '911')),
      /^Part 'power 2026-09-15T10:00Z' was changed \(line 3\)$/,
    ],
    ['a price', (copy) => void (copy[1] = (copy[1] ?? '').replace('3.5', '9.5')), /^Part 'bids' was changed/],
    ['a part that is gone', (copy) => void copy.splice(1, 1), /Part 'bids' is missing/],
    ['a part more', (copy) => void copy.splice(1, 0, '{"part":"letter","text":"x"}'), /Part 'letter' was added/],
    ['a part twice', (copy) => void copy.splice(sealAt, 0, copy[2] ?? ''), /twice|moved/],
    ['parts that changed places', (copy) => void copy.splice(0, 2, copy[1] ?? '', copy[0] ?? ''), /'about' was moved/],
    [
      'a sample and its hash',
      (copy) => {
        const line = (copy[2] ?? '').replace('901', '911')
        const sum = (text: string) => createHash('sha256').update(text).digest('hex')
        copy[sealAt] = (copy[sealAt] ?? '').replace(sum(copy[2] ?? ''), sum(line))
        copy[2] = line
      },
      /The list of parts was changed/,
    ],
    ['a missing link', (copy) => void copy.splice(sealAt + 2, 1), /^Link \d+ is missing$/],
    [
      'a reordered chain',
      (copy) => void copy.splice(sealAt + 1, 2, copy[sealAt + 2] ?? '', copy[sealAt + 1] ?? ''),
      /The chain was reordered/,
    ],
    [
      'a changed link',
      (copy) => void (copy[sealAt + 1] = (copy[sealAt + 1] ?? '').replace('event', 'evint')),
      /^Link \d+ was changed/,
    ],
    [
      'a replaced link',
      (copy) => relinked(copy, sealAt + 2, { subject: 'event 0' }),
      /does not follow link|one of them was replaced/,
    ],
    ['a cut chain', (copy) => void copy.pop(), /is not the last of its chain/],
    ['no seal', (copy) => void copy.splice(sealAt, 1), /has no seal/],
  ])('%s', (_, change, words) => expect(said(change)).toMatch(words))

  test('any changed character is reported', () => {
    for (let at = 0; at < whole.length; at += 7) {
      const other = whole[at] === '0' ? '1' : '0'
      const changed = whole.slice(0, at) + other + whole.slice(at + 1)
      expect(verifyRecord(changed).wrong, `byte ${at}: ${whole.slice(at - 10, at + 10)}`).not.toEqual([])
    }
    expect(verifyRecord(whole.slice(0, -1)).wrong).toEqual(['The file was cut off: its last line does not end'])
  })
})
