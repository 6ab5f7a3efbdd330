import { m } from '@gridmast/contract/messages.ts'
import { writeXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { readTable } from './read-table.ts'

const wanted = { most: 2000, columns: 60 }

test('L1 of a cell no more than 500 characters are read', async () => {
  const bytes = Buffer.from(`Name;Note\nNorth;${'a'.repeat(9000)}\n`)
  const { rows } = await readTable({ name: 'a.csv', bytes }, wanted)
  expect(rows[1]).toEqual(['North', 'a'.repeat(500)])
})

test('L1 one long text in 72,000 cells of a small sheet is refused in words', async () => {
  const row = Array.from({ length: 60 }, () => 'b'.repeat(2000))
  const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows: Array.from({ length: 1200 }, () => row) }] }))
  expect(bytes.length).toBeLessThan(1_000_000)
  await expect(readTable({ name: 'a.xlsx', bytes }, wanted)).rejects.toThrow(m.tableTooMuchText)
})
