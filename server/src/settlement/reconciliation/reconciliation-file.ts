import type { LineKind, ReconciledLine, ReconciledStatement } from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import type { Instead, Own } from '#platform/http/route.ts'
import type { Cell, Column } from '#platform/files/table-file.ts'
import { rowPages } from '#platform/records/row-pages.ts'
import { findLines, type LineFilter, type LineRow } from './queries.ts'

const number = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text)

const kinds: Record<LineKind, string> = {
  agrees: 'Agrees',
  differs: 'Differs',
  open: 'Not settled to the end',
  'not-settled': 'Not settled here',
  'not-in-statement': 'Not in the statement',
}

const euro = (header: string): Column => ({ header: `${header} (€)`, numberFormat: '#,##0.00' })
const columns: Column[] = [
  { header: 'Row', width: 8 },
  { header: 'Date', holds: 'days' },
  { header: 'Start', holds: 'instants' },
  ...['Instance', 'Type', 'Auction', 'State'].map((header) => ({ header })),
  ...['Ours', 'Statement', 'Difference', 'Volume', 'Price', 'Availability', 'Share', 'Not explained'].map(euro),
  ...['Ours', 'Statement'].flatMap((side) =>
    ['MW', 'EUR/MW', 'availability (%)', 'share (%)'].map((what) => ({ header: `${side}: ${what}` })),
  ),
  ...['Settlement version', 'Marked as settled by', 'Note'].map((header) => ({ header })),
  { header: 'Marked as settled', holds: 'instants' },
]

const cellsOf = (line: ReconciledLine): Cell[] => {
  const { parts, ours, theirs, settled } = line
  return [
    line.row,
    line.date,
    line.start === null ? null : new Date(line.start),
    line.instance,
    line.type,
    line.auction,
    kinds[line.kind],
    ...[line.oursEur, line.theirsEur, line.differenceEur].map(number),
    ...[parts?.volume, parts?.price, parts?.availability, parts?.share, parts?.other].map(number),
    ...[ours, theirs].flatMap((of) => [of?.mw, of?.priceEur, of?.availability, of?.share].map(number)),
    line.version,
    settled?.by ?? null,
    settled?.note ?? null,
    settled ? new Date(settled.at) : null,
  ]
}

async function* rowsOf(
  own: Own['own'],
  statementId: string,
  filter: LineFilter,
  toLine: (row: LineRow) => ReconciledLine,
) {
  const rows = rowPages<LineRow>(({ limit, skip }) =>
    own((tx, customerId) => findLines(tx, customerId, statementId, { ...filter, limit, skip })),
  )
  for await (const row of rows) yield cellsOf(toLine(row))
}

/** All lines that match, the largest differences first. */
export const reconciliationFile = async (
  own: Own['own'],
  statement: ReconciledStatement,
  filter: LineFilter,
  toLine: (row: LineRow) => ReconciledLine,
): Promise<Instead> => ({
  file: {
    fileName: `Reconciliation ${statement.firstDay} ${statement.lastDay}`,
    sheet: 'Reconciliation',
    about: {
      Statement: statement.name,
      Period: `${formatDate(statement.firstDay)} to ${formatDate(statement.lastDay)}`,
    },
    columns,
    rows: rowsOf(own, statement._id, filter, toLine),
  },
})
