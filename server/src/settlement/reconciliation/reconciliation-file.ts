import type { LineKind, ReconciledLine, ReconciledStatement } from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile, rowPages } from '#platform/files/table-file.ts'
import type { FileOrReply, Own } from '#platform/http/route.ts'
import { findLines, type LineFilter, type LineRow } from './queries.ts'

const kinds: Record<LineKind, string> = {
  agrees: 'Agrees',
  differs: 'Differs',
  open: 'Not settled to the end',
  'not-settled': 'Not settled here',
  'not-in-statement': 'Not in the statement',
}

const sideColumns = (title: string, side: 'ours' | 'theirs'): Column<ReconciledLine>[] => [
  column.decimal(`${title}: MW`, (line) => line[side]?.mw),
  column.decimal(`${title}: EUR/MW`, (line) => line[side]?.priceEur),
  column.decimal(`${title}: availability (%)`, (line) => line[side]?.availability),
  column.decimal(`${title}: share (%)`, (line) => line[side]?.share),
]

const columns: Column<ReconciledLine>[] = [
  column.text('Row', (line) => line.row, 8),
  column.day('Date', (line) => line.date),
  column.instant('Start', (line) => line.start),
  column.text('Instance', (line) => line.instance),
  column.text('Type', (line) => line.type),
  column.text('Auction', (line) => line.auction),
  column.text('State', (line) => kinds[line.kind]),
  column.eur('Ours', (line) => line.oursEur),
  column.eur('Statement', (line) => line.theirsEur),
  column.eur('Difference', (line) => line.differenceEur),
  column.eur('Volume', (line) => line.parts?.volume),
  column.eur('Price', (line) => line.parts?.price),
  column.eur('Availability', (line) => line.parts?.availability),
  column.eur('Share', (line) => line.parts?.share),
  column.eur('Not explained', (line) => line.parts?.other),
  ...sideColumns('Ours', 'ours'),
  ...sideColumns('Statement', 'theirs'),
  column.text('Settlement version', (line) => line.version),
  column.text('Marked as settled by', (line) => line.settled?.by),
  column.text('Note', (line) => line.settled?.note),
  column.instant('Marked as settled', (line) => line.settled?.at),
]

async function* linesOf(
  own: Own['own'],
  statementId: string,
  filter: LineFilter,
  toLine: (row: LineRow) => ReconciledLine,
) {
  const rows = rowPages<LineRow>(({ limit, skip }) =>
    own((tx, customerId) => findLines(tx, customerId, statementId, { ...filter, limit, skip })),
  )
  for await (const row of rows) yield toLine(row)
}

export const reconciliationFile = async (
  own: Own['own'],
  statement: ReconciledStatement,
  filter: LineFilter,
  toLine: (row: LineRow) => ReconciledLine,
): Promise<FileOrReply> => {
  const name = {
    fileName: `Reconciliation ${statement.firstDay} ${statement.lastDay}`,
    sheet: 'Reconciliation',
    about: {
      Statement: statement.name,
      Period: `${formatDate(statement.firstDay)} to ${formatDate(statement.lastDay)}`,
    },
  }
  return { file: tableFile(name, columns, linesOf(own, statement._id, filter, toLine)) }
}
