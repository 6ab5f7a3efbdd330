import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { can } from '@gridmast/contract/roles.ts'
import * as contract from '@gridmast/contract/settlement/statements.ts'
import { today } from '@gridmast/contract/time.ts'
import { ownRoute, route } from '#context.ts'
import { queueConfirmations } from '#people/letters/address-confirmation.ts'
import { dueAt } from '#people/letters/monthly-statement.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import {
  addReader,
  checkGroup,
  findMonths,
  findReaders,
  lockReaders,
  getReader,
  type ReaderRow,
  removeReader,
} from './queries.ts'
import { nextMonth } from './send.ts'
import { settlementStatement } from './settlement-statement.ts'

const months = ownRoute(contract.findStatementMonths, async (tx, customerId, { nowMs }) => ({
  months: (await findMonths(tx, customerId, today(nowMs))).map(({ sent_at, readers, changedSince, ...month }) => ({
    ...month,
    sent: sent_at && { at: sent_at.toISOString(), readers, changedSince },
  })),
}))

const file = route(contract.monthlyStatement, async ({ own, viewer, nowMs, params: { month }, query }) => {
  const make = await settlementStatement.make(own, {
    customerId: viewer.customerId,
    month,
    subjectId: null,
    nowMs,
    isMailed: false,
  })
  if (!make) throw new Refusal(404, m.noSettlements)
  const statement = await make(query.language)
  return query.format === 'pdf' ? { document: statement.document } : { file: statement.file }
})

const toReader = (row: ReaderRow): contract.StatementReader => ({
  _id: row.reader_id,
  email: row.email,
  ...(row.unconfirmed && { unconfirmed: true }),
  groupId: row.group_id,
  groupName: row.group_name,
  kind: row.kind === 'charging' ? 'charging' : 'settlement',
  last: row.last_month && row.last_at ? { month: row.last_month, at: row.last_at.toISOString() } : null,
})

const readers = ownRoute(contract.findStatementReaders, async (tx, customerId, { nowMs }) => {
  const month = nextMonth(nowMs)
  return {
    readers: (await findReaders(tx, customerId)).map(toReader),
    next: { month, at: new Date(dueAt(month)).toISOString() },
  }
})

const add = ownRoute(contract.addStatementReader, async (tx, customerId, { app, audit, viewer, nowMs, body }) => {
  const { email, kind, groupId } = body
  if (kind === 'charging' && !can(viewer, 'ev-charging.edit')) throw new Refusal(403, m.licenseNotActive)
  if (groupId !== undefined) await checkGroup(tx, customerId, groupId)
  if (kind === 'settlement' && groupId !== undefined) throw invalid({ groupId: m.unknownField('groupId') })
  const existing = await lockReaders(tx, customerId)
  const isSame = (row: ReaderRow) =>
    row.kind === kind && row.group_id === (groupId ?? null) && row.email.toLowerCase() === email.toLowerCase()
  if (existing.some(isSame))
    throw new Refusal(409, m.statementReaderThere, { errors: { email: m.statementReaderThere } })
  if (existing.length >= limits.statementReaders)
    throw new Refusal(409, m.tooManyStatementReaders(limits.statementReaders))
  const row = { reader_id: newId(nowMs), email, kind, group_id: groupId ?? null }
  await addReader(tx, customerId, { ...row, created_at: new Date(nowMs), created_by: viewer.email })
  await queueConfirmations(tx, app.config, { customerId, emails: [email], nowMs })
  const reader = toReader(await getReader(tx, customerId, row.reader_id))
  await audit(tx, 'statement.add-reader', email, { after: { kind, group: reader.groupName } })
  return { reader }
})

const remove = route(contract.removeStatementReader, async ({ own, audit, params: { id } }) => {
  await own(async (tx, customerId) => {
    const before = toReader(await getReader(tx, customerId, id))
    await removeReader(tx, customerId, id)
    await audit(tx, 'statement.remove-reader', before.email, { before: { kind: before.kind, group: before.groupName } })
  })
})

export const statements = [months, file, readers, add, remove]
