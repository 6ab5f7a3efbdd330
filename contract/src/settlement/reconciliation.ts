import { z } from 'zod'
import { mistake } from '#table-mistake.ts'
import { bulkResult, ids } from '#bulk.ts'
import { call, id } from '#call.ts'
import { causes, shownLines } from '#choices.ts'
import { requiredText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { watchId } from '#live.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'
import { decimalText, fileFormat } from '#series.ts'
import { localDate } from '#time.ts'

/**
 * The operator's statement compared with Gridmast's settlements. Amounts are EUR as exact decimal text. Rules:
 * server/src/settlement/reconciliation/compare.md.
 */

export const statementFields = [
  ...(['instance', 'product', 'auction', 'start', 'day', 'slot'] as const),
  ...(['mw', 'price', 'availability', 'gross', 'share', 'customer', 'currency'] as const),
] as const
export type StatementField = (typeof statementFields)[number]

const columnName = text(200).optional()
const statementColumns = z.strictObject({
  instance: columnName,
  product: columnName,
  auction: columnName,
  start: columnName,
  day: columnName,
  slot: columnName,
  mw: columnName,
  price: columnName,
  availability: columnName,
  gross: columnName,
  share: columnName,
  customer: columnName,
  currency: columnName,
})
export type StatementColumns = z.infer<typeof statementColumns>

const amount = decimalText.nullable()

/** agrees: to the cent. open: not fully settled by Gridmast. not-settled: no settlement by Gridmast. not-in-statement: missing in the statement. */
export const lineKinds = ['agrees', 'differs', 'open', 'not-settled', 'not-in-statement'] as const
export type LineKind = (typeof lineKinds)[number]

const parts = z.object({
  volume: decimalText,
  price: decimalText,
  availability: decimalText,
  share: decimalText,
  other: decimalText,
})
export type Parts = z.infer<typeof parts>

/** MW over the periods of the line, their mean price, percent of the sold capacity that was available, and the company's percent of the gross. */
const facts = z.object({
  mw: amount,
  priceEur: amount,
  availability: amount,
  share: amount,
  grossEur: amount,
  customerEur: amount,
})
export type Facts = z.infer<typeof facts>

const compared = z.object({
  kind: z.enum(lineKinds),
  row: z.number().nullable(),
  instanceId: id('instance'),
  instance: z.string(),
  date: localDate,
  /** The product, by the name of its published prices. */
  type: z.string(),
  auction: z.string().nullable(),
  start: z.iso.datetime().nullable(),
  /** The compared amount: the gross when the statement has no share of the company. */
  compares: z.enum(['gross', 'customer']),
  ours: facts.nullable(),
  theirs: facts.nullable(),
  oursEur: amount,
  theirsEur: amount,
  /** Theirs less ours; null while ours is unknown. */
  differenceEur: amount,
  parts: parts.nullable(),
  version: z.number().nullable(),
})
export type ComparedLine = z.infer<typeof compared>

const reconciledLine = compared.extend({
  _id: id('reconciliation-line'),
  settled: z
    .object({
      at: z.iso.datetime(),
      by: z.string(),
      note: z.string(),
      differenceEur: amount,
      version: z.number().nullable(),
      isChanged: z.boolean(),
    })
    .nullable(),
})
export type ReconciledLine = z.infer<typeof reconciledLine>

const sums = z.object({ oursEur: decimalText, theirsEur: decimalText, differenceEur: decimalText, parts })
export type ReconciledSums = z.infer<typeof sums>

const importedFile = z.object({ name: z.string(), takenAt: z.iso.datetime(), takenBy: z.string() })

export const takeStatement = call({
  method: 'POST',
  path: '/client/reconciliation',
  summary:
    'Compare the operator’s statement, .xlsx or .csv, with the settlements: which amounts differ and why; with `save` it is imported',
  may: 'economics.reconcile',
  touches: ['reconciliation'],
  upload: 'file',
  body: z.strictObject({
    save: z.boolean(),
    /** Column names by field; guessed, or as in the last statement, by default. */
    columns: statementColumns.optional(),
    /** Confirmed number of skipped rows: unreadable, or without an instance of the company. */
    leftOut: z.number().int().min(0).max(limits.statementRows).default(0),
    watch: watchId,
  }),
  response: z.object({
    before: importedFile.extend({ _id: id('reconciliation') }).nullable(),
    names: z.array(z.string()),
    columns: statementColumns,
    missing: z.string().nullable(),
    counts: z.object({
      rows: z.number(),
      wrong: z.number(),
      foreign: z.number(),
      agrees: z.number(),
      differs: z.number(),
      open: z.number(),
      'not-settled': z.number(),
      'not-in-statement': z.number(),
    }),
    sums,
    /** The first 500 of each; lines with the largest differences first. */
    mistakes: z.array(mistake),
    lines: z.array(compared),
    days: z.object({ first: localDate, last: localDate }).nullable(),
    savedAs: id('reconciliation').nullable(),
  }),
})

const statement = importedFile.extend({
  _id: id('reconciliation'),
  firstDay: localDate,
  lastDay: localDate,
  leftOut: z.number(),
  lines: z.number(),
  /** Differences that are not settled, that are settled, and settled ones that have changed. */
  unsettled: z.number(),
  settled: z.number(),
  changed: z.number(),
  open: z.number(),
  oursEur: decimalText,
  theirsEur: decimalText,
  differenceEur: decimalText,
  unsettledEur: decimalText,
})
export type ReconciledStatement = z.infer<typeof statement>

export const reconciliationColumns = ['name', 'days', 'lines', 'difference', 'unsettled', 'state', 'at', 'by'] as const

export const findStatements = call({
  method: 'GET',
  path: '/client/reconciliation',
  summary: 'List the imported statements of the operator, the newest first or by `sort`, each with its differences',
  may: 'economics.read',
  of: ['reconciliation'],
  sorts: reconciliationColumns,
  query: z.strictObject(paged(reconciliationColumns)),
  response: z.object({ statements: z.array(statement), totalCount: z.number() }),
})

export const lineColumns = ['date', 'instance', 'type', 'ours', 'theirs', 'difference', 'why', 'settled'] as const

export const getReconciliation = call({
  method: 'GET',
  path: '/client/reconciliation/{id}',
  summary:
    'List the lines of a statement next to the settlements, the largest differences first or by `sort`, each split by cause; with `format` as a file',
  may: 'economics.read',
  of: ['reconciliation'],
  params: z.object({ id: id('reconciliation') }),
  sorts: lineColumns,
  query: z.strictObject({
    show: z.enum(shownLines).default('unsettled'),
    cause: z.enum(causes).optional(),
    instanceId: id('instance').optional(),
    ...paged(lineColumns, limits.economicsPageSize),
    format: fileFormat.optional(),
  }),
  response: z.object({
    statement,
    lines: z.array(reconciledLine),
    totalCount: z.number(),
    sums,
    instances: z.array(z.object({ _id: id('instance'), name: z.string() })),
  }),
})

export const settleDifferences = call({
  method: 'POST',
  path: '/client/reconciliation/{id}/settle',
  summary:
    'Mark one difference as settled, or all unsettled differences of a cause or an instance, with a note on the reason',
  may: 'economics.reconcile',
  touches: ['reconciliation'],
  params: z.object({ id: id('reconciliation') }),
  body: z.strictObject({
    lineId: id('reconciliation-line').optional(),
    cause: z.enum(causes).optional(),
    instanceId: id('instance').optional(),
    /** Confirmed number of lines; refused when it has changed. */
    count: z.number().int().min(1).max(limits.statementRows),
    note: requiredText(500),
  }),
  response: z.object({ count: z.number() }),
  ok: m.differenceSettled,
})

export const settleLines = call({
  method: 'POST',
  path: '/client/reconciliation/{id}/settle-lines',
  summary: 'Mark several differences as settled, with a note on the reason',
  may: 'economics.reconcile',
  touches: ['reconciliation'],
  params: z.object({ id: id('reconciliation') }),
  body: z.strictObject({ ids: ids('reconciliation-line'), note: requiredText(500) }),
  response: bulkResult,
})

export const reopenDifference = call({
  method: 'POST',
  path: '/client/reconciliation/{id}/reopen',
  summary: 'Reopen a difference that was marked as settled; its note is kept on the audit trail',
  may: 'economics.reconcile',
  touches: ['reconciliation'],
  params: z.object({ id: id('reconciliation') }),
  body: z.strictObject({ lineId: id('reconciliation-line') }),
  ok: m.differenceReopened,
})

export const removeReconciliation = call({
  method: 'DELETE',
  path: '/client/reconciliation/{id}',
  summary:
    'Remove a statement with its comparison, for example after an import with the wrong columns; settlements are kept',
  may: 'economics.reconcile',
  touches: ['reconciliation'],
  params: z.object({ id: id('reconciliation') }),
  ok: m.reconciliationRemoved,
})
