import type { Data } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sumDecimals } from '@gridmast/contract/numbers.ts'
import * as contract from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { ownRoute, route } from '#context.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, fileDays, tableFile, skippedPages } from '#platform/files/table-file.ts'
import type { Own } from '#platform/http/route.ts'
import { eachOf } from '#platform/http/bulk.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  findLineInstances,
  findLines,
  type LineFilter,
  findStatements,
  getStatement,
  type LineRow,
  lockLine,
  removeStatement,
  reopenLine,
  settleLines,
  type StatementHead,
  sumLines,
} from './queries.ts'
import { importStatement, toImport } from './statement-import.ts'

const toStatement = ({ statement_id, name, taken_at, taken_by, ...counts }: StatementHead) => ({
  ...toImport({ statement_id, name, taken_at, taken_by }),
  ...counts,
})

const partsOf = ({ volume_eur, price_eur, availability_eur, share_eur, other_eur }: LineRow): contract.Parts | null =>
  volume_eur === null || price_eur === null || availability_eur === null || share_eur === null || other_eur === null
    ? null
    : { volume: volume_eur, price: price_eur, availability: availability_eur, share: share_eur, other: other_eur }

const toLine = (row: LineRow): contract.ReconciledLine => ({
  _id: row.line_id,
  kind: row.kind,
  row: row.row_no,
  instanceId: row.instance_id,
  instance: row.instance_name,
  date: row.day,
  type: row.product,
  auction: row.auction,
  start: row.starts_at?.toISOString() ?? null,
  compares: row.compares,
  ours: row.ours,
  theirs: row.theirs,
  version: row.version,
  parts: partsOf(row),
  oursEur: row.ours_eur,
  theirsEur: row.theirs_eur,
  differenceEur: row.difference_eur,
  settled: row.settled_at && {
    at: row.settled_at.toISOString(),
    by: row.settled_by ?? '',
    note: row.note ?? '',
    differenceEur: row.settled_difference_eur,
    version: row.settled_version,
    isChanged: row.settled_difference_eur !== row.difference_eur,
  },
})

const kinds: Record<contract.LineKind, string> = {
  agrees: 'Agrees',
  differs: 'Differs',
  open: 'Not settled to the end',
  'not-settled': 'Not settled here',
  'not-in-statement': 'Not in the statement',
}

const sideColumns = (title: string, side: 'ours' | 'theirs'): Column<contract.ReconciledLine>[] => [
  column.decimal(`${title}: MW`, (line) => line[side]?.mw),
  column.decimal(`${title}: EUR/MW`, (line) => line[side]?.priceEur),
  column.decimal(`${title}: availability (%)`, (line) => line[side]?.availability),
  column.decimal(`${title}: share (%)`, (line) => line[side]?.share),
]

const columns: Column<contract.ReconciledLine>[] = [
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

async function* linesOf(own: Own['own'], statementId: string, filter: LineFilter) {
  const rows = skippedPages<LineRow>(({ limit, skip }) =>
    own((tx, customerId) => findLines(tx, customerId, statementId, { ...filter, limit, skip })),
  )
  for await (const row of rows) yield toLine(row)
}

const statementFile = (own: Own['own'], statement: contract.ReconciledStatement, filter: LineFilter) => {
  const { firstDay, lastDay } = statement
  const name = {
    fileName: `Reconciliation ${fileDays(firstDay, lastDay)}`,
    sheet: 'Reconciliation',
    about: { Statement: statement.name, Period: `${formatDate(firstDay)} to ${formatDate(lastDay)}` },
  }
  return { file: tableFile(name, columns, linesOf(own, statement._id, filter)) }
}

const find = ownRoute(contract.findStatements, async (tx, customerId, { query }) => {
  const { rows, totalCount } = await findStatements(tx, customerId, query)
  return { statements: rows.map(toStatement), totalCount }
})

const checkInstance = async (tx: Tx, customerId: string, statementId: string, instanceId: string | undefined) => {
  const instances = await findLineInstances(tx, customerId, statementId)
  if (instanceId && !instances.some(({ instance_id }) => instance_id === instanceId)) throw notFound()
  return instances
}

const get = route(contract.getReconciliation, async ({ own, params: { id }, query }) => {
  const statement = await own(async (tx, customerId) => {
    const head = await getStatement(tx, customerId, id)
    await checkInstance(tx, customerId, id, query.instanceId)
    return toStatement(head)
  })
  if (query.format) return statementFile(own, statement, query)
  return own(async (tx, customerId): Promise<Data<typeof contract.getReconciliation>> => {
    const { count, ours, theirs, difference, ...parts } = await sumLines(tx, customerId, id, query)
    const instances = await checkInstance(tx, customerId, id, query.instanceId)
    return {
      statement,
      lines: (await findLines(tx, customerId, id, query)).map(toLine),
      totalCount: count,
      sums: { oursEur: ours, theirsEur: theirs, differenceEur: difference, parts },
      instances: instances.map(({ instance_id, name }) => ({ _id: instance_id, name })),
    }
  })
})

const settle = ownRoute(
  contract.settleDifferences,
  async (tx, customerId, { audit, viewer, nowMs, params: { id }, body }) => {
    const { lineId, cause, instanceId, note, count } = body
    const statement = await getStatement(tx, customerId, id)
    await checkInstance(tx, customerId, id, instanceId)
    const line = lineId && (await lockLine(tx, customerId, id, lineId))
    const settled = await settleLines(
      tx,
      [customerId, id],
      { show: 'unsettled', lineId, cause, instanceId },
      { at: new Date(nowMs), by: viewer.email, note },
    )
    if (settled.length !== count) throw new Refusal(409, m.differencesChanged)
    const after = { note, differences: count, differenceEur: sumDecimals(settled), ...(cause ? { cause } : {}) }
    await audit(tx, 'reconciliation.settle', line ? subjectOf(line) : statement.name, { after })
    return { count }
  },
)

const settleSeveral = ownRoute(
  contract.settleLines,
  async (tx, customerId, { audit, viewer, nowMs, params: { id }, body: { ids, note } }) => {
    await getStatement(tx, customerId, id)
    return eachOf(ids, async (lineId) => {
      const line = await lockLine(tx, customerId, id, lineId)
      const by = { at: new Date(nowMs), by: viewer.email, note }
      const [differenceEur] = await settleLines(tx, [customerId, id], { show: 'unsettled', lineId }, by)
      if (differenceEur === undefined) throw new Refusal(409, m.differencesChanged)
      await audit(tx, 'reconciliation.settle', subjectOf(line), { after: { note, differences: 1, differenceEur } })
    })
  },
)

const subjectOf = ({ instance_name, product, day }: LineRow) => `${instance_name} ${product} ${formatDate(day)}`

const reopen = route(contract.reopenDifference, async ({ own, audit, params: { id }, body }) => {
  await own(async (tx, customerId) => {
    const line = await lockLine(tx, customerId, id, body.lineId)
    if (!line.settled_at) throw new Refusal(409, m.differencesChanged)
    await reopenLine(tx, customerId, id, body.lineId)
    const before = {
      note: line.note,
      by: line.settled_by,
      at: line.settled_at,
      differenceEur: line.settled_difference_eur,
    }
    await audit(tx, 'reconciliation.reopen', subjectOf(line), { before })
  })
})

const remove = route(contract.removeReconciliation, async ({ own, audit, params: { id } }) => {
  await own(async (tx, customerId) => {
    const before = toStatement(await getStatement(tx, customerId, id))
    await removeStatement(tx, customerId, id)
    await audit(tx, 'reconciliation.remove', before.name, { before })
  })
})

export const reconciliations = [importStatement, find, get, settle, settleSeveral, reopen, remove]
