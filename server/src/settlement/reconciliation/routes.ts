import type { Data } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sumDecimals } from '@gridmast/contract/numbers.ts'
import * as contract from '@gridmast/contract/settlement/reconciliation.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { reconciliationFile } from './reconciliation-file.ts'
import {
  findLineInstances,
  findLines,
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

const toStatement = ({
  statement_id,
  name,
  taken_at,
  taken_by,
  ...counts
}: StatementHead): contract.ReconciledStatement => ({
  ...toImport({ statement_id, name, taken_at, taken_by }),
  ...counts,
})

const partsOf = (row: LineRow): contract.Parts | null => {
  const {
    volume_eur: volume,
    price_eur: price,
    availability_eur: availability,
    share_eur: share,
    other_eur: other,
  } = row
  return volume === null || price === null || availability === null || share === null || other === null
    ? null
    : { volume, price, availability, share, other }
}

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

const find = route(contract.findStatements, ({ own, query }) =>
  own(async (tx, customerId) => {
    const { rows, totalCount } = await findStatements(tx, customerId, query)
    return { statements: rows.map(toStatement), totalCount }
  }),
)

const checkInstance = async (tx: Tx, customerId: string, statementId: string, instanceId: string | undefined) => {
  const instances = await findLineInstances(tx, customerId, statementId)
  if (instanceId && !instances.some(({ instance_id }) => instance_id === instanceId)) throw notFound()
  return instances
}

const get = route(contract.getReconciliation, async ({ own, params: { id }, query }) => {
  const statement = await own(async (tx, customerId) => {
    const found = await getStatement(tx, customerId, id)
    await checkInstance(tx, customerId, id, query.instanceId)
    return toStatement(found)
  })
  if (query.format) return reconciliationFile(own, statement, query, toLine)
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

const settle = route(contract.settleDifferences, async ({ own, audit, viewer, nowMs, params: { id }, body }) =>
  own(async (tx, customerId) => {
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
  }),
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

export const reconciliations = [importStatement, find, get, settle, reopen, remove]
