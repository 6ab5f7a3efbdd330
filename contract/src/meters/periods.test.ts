import { expect, test } from 'vitest'
import { hourMs } from '#time.ts'
import { meterColumns } from './periods.ts'

test.each([
  ['a day of an hour less', '2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00', 'hours', 23],
  ['part of an hour', '2026-11-19T10:20Z', '2026-11-19T11:10Z', 'hours', 2],
  [
    '7 local days over the change in October, not on the hour',
    '2026-10-19T10:30+02:00',
    '2026-10-26T10:30+01:00',
    'hours',
    170,
  ],
  ['more than 7 days', '2026-11-01T00:00Z', '2026-11-09T00:00Z', 'days', 9 * 24],
])('columns of %s', (_, from, to, by, hours) => {
  const columns = meterColumns({ fromMs: Date.parse(from), toMs: Date.parse(to) })
  expect([columns.by, (columns.span.toMs - columns.span.fromMs) / hourMs]).toEqual([by, hours])
})
