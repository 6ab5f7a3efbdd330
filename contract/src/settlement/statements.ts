import { z } from 'zod'
import { call, id } from '#call.ts'
import { unconfirmed } from '#people/email-subscriptions.ts'
import { email } from '#fields.ts'
import { m } from '#messages.ts'
import { decimalText, documentFormat } from '#series.ts'
import { month as localMonth } from '#time.ts'

const statementMonth = z.object({
  month: localMonth,
  settlements: z.number(),
  /** Days with a bid or settlement that are due for settlement. */
  unsettledDays: z.number(),
  /** Without published results; without a valid contract; at version 2 or later. */
  unpublished: z.number(),
  unshared: z.number(),
  corrected: z.number(),
  /** Of the days that are over, and expected of the other days. */
  customerEur: decimalText.nullable(),
  expectedEur: decimalText.nullable(),
  /** Version of the last stored statement; null without one since the end of the month. */
  version: z.number().nullable(),
  /** First mail, and settlements calculated or corrected since; null before it is mailed. */
  sent: z.object({ at: z.iso.datetime(), readers: z.number(), changedSince: z.number() }).nullable(),
})
export type StatementMonth = z.infer<typeof statementMonth>

export const findStatementMonths = call({
  method: 'GET',
  path: '/client/statement',
  summary:
    'List the months with settlements, newest first: the amounts of each statement, when it was mailed, later changes',
  may: 'economics.read',
  response: z.object({ months: z.array(statementMonth) }),
})

export const monthlyStatement = call({
  method: 'GET',
  path: '/client/statement/{month}',
  summary: 'Export the settlements of a month as a document, with the versions of the settlements',
  may: 'economics.read',
  params: z.object({ month: localMonth }),
  query: z.strictObject({
    format: documentFormat.default('pdf'),
    language: z.enum(['en', 'da']).default('en'),
  }),
})

export const statementKinds = ['settlement', 'charging'] as const

const reader = z.object({
  _id: id('statement-reader'),
  email: z.string(),
  unconfirmed,
  kind: z.enum(statementKinds),
  groupId: id('charger-tag-group').nullable(),
  groupName: z.string().nullable(),
  last: z.object({ month: localMonth, at: z.iso.datetime() }).nullable(),
})
export type StatementReader = z.infer<typeof reader>

export const findStatementReaders = call({
  method: 'GET',
  path: '/client/statement-reader',
  summary: 'List the recipients of monthly statements, and the times at which the next statements are sent',
  may: 'economics.read',
  of: ['statement-reader'],
  response: z.object({ readers: z.array(reader), next: z.object({ month: localMonth, at: z.iso.datetime() }) }),
})

export const addStatementReader = call({
  method: 'POST',
  path: '/client/statement-reader',
  summary: 'Add a recipient of a monthly statement: of the settlements, or of the charging of a tag group',
  may: 'statement.edit',
  touches: ['statement-reader'],
  body: z.strictObject({
    email: email(),
    kind: z.enum(statementKinds),
    groupId: id('charger-tag-group').optional(),
  }),
  response: z.object({ reader }),
  ok: m.statementReaderAdded,
})

export const removeStatementReader = call({
  method: 'DELETE',
  path: '/client/statement-reader/{id}',
  summary: 'Remove a recipient of a statement',
  may: 'statement.edit',
  touches: ['statement-reader'],
  params: z.object({ id: id('statement-reader') }),
  ok: m.statementReaderRemoved,
})
