import fc from 'fast-check'
import { parseCsv } from 'hucre'
import { expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'

const wanted = { rows: 100, columns: 100, cellLength: 500 }

test('quoted cells may have separators, line breaks and doubled quotes, and the last cell may be empty', () => {
  expect(readCsv('Name;Note\r\n"a;b\nc";"say ""hi"""x\n\n;"";\n', wanted).rows).toEqual([
    ['Name', 'Note'],
    ['a;b\nc', 'say "hi"x'],
    [''],
    ['', '', ''],
  ])
  expect(readCsv('a,b,\n', wanted).rows).toEqual([['a', 'b', '']])
})

test('a csv is read as by hucre', () => {
  const text = fc.array(fc.constantFrom('a', 'b', ' ', ';', ',', '"', '""', '\n', '\r\n', '\r'), { maxLength: 40 })
  const isBlank = (row: readonly unknown[]) => row.every((cell) => typeof cell !== 'string' || cell.trim() === '')
  const withoutEnd = (rows: unknown[][]) => rows.slice(0, rows.findLastIndex((row) => !isBlank(row)) + 1)
  fc.assert(
    fc.property(text, (parts) => {
      const csv = parts.join('')
      expect(withoutEnd(readCsv(csv, wanted).rows)).toEqual(withoutEnd(parseCsv(csv)))
    }),
    { numRuns: 2000, seed: 20261121 },
  )
})
