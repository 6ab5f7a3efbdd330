import { m } from '@gridmast/contract/messages.ts'
import { writeXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { readTable } from './read-table.ts'

const wanted = { most: 2000, columns: 60 }

test('L1 at most 500 characters of a cell are read', async () => {
  const bytes = Buffer.from(`Name;Note\nNorth;${'a'.repeat(9000)}\n`)
  const { rows } = await readTable('north', { name: 'a.csv', bytes }, wanted)
  expect(rows[1]).toEqual(['North', 'a'.repeat(500)])
})

test('L1 one long text in 72,000 cells of a small sheet is refused with a message', async () => {
  const row = Array.from({ length: 60 }, () => 'b'.repeat(2000))
  const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows: Array.from({ length: 1200 }, () => row) }] }))
  expect(bytes.length).toBeLessThan(1_000_000)
  await expect(readTable('north', { name: 'a.xlsx', bytes }, wanted)).rejects.toThrow(m.tableTooMuchText)
})

const huge = 7_900_000
test.each([
  ['nothing but line breaks', '\n'.repeat(huge), 0],
  ['nothing but separators', ';'.repeat(huge), 0],
  ['one line', 'a'.repeat(huge), 1],
  ['one quoted text without an end', `"${'a\n'.repeat(huge / 2)}`, 1],
])(
  'L1 8 MB of %s are read in time',
  async (_, text, count) => {
    const bytes = Buffer.from(text)
    const { rows } = await readTable('north', { name: 'a.csv', bytes }, wanted)
    expect(rows).toHaveLength(count)
  },
  10_000,
)

test('L1 too many rows are refused before they are read, and trailing blank lines do not count', async () => {
  const of = (text: string) => readTable('north', { name: 'a.csv', bytes: Buffer.from(text) }, wanted)
  await expect(of('Name;Note\n'.repeat(2002))).rejects.toThrow(m.tableTooLong(2000))
  await expect(of(`Name;Note${'\n'.repeat(3000)}North;a`)).rejects.toThrow(m.tableTooLong(2000))
  expect((await of(`Name;Note\nNorth;a\n${';\r\n'.repeat(3000)}`)).rows).toHaveLength(2)
})
