import { timingSafeEqual } from 'node:crypto'
import { reportLink, statementLink } from '@gridmast/contract/people/email-subscriptions.ts'
import type { Secret } from '#platform/security/secret.ts'
import type { Tx } from '#platform/records/records.ts'

/** Links in mails that unsubscribe without a sign-in: a row id with a signature, which reveals nothing about its recipient. */

const signed = (id: string, of: string | number) => ['unsubscribe', `${id}:${of}`] as const

export const stopToken = (secret: Secret, id: string, of: string | number): string =>
  Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), secret.hmac(...signed(id, of))]).toString('base64url')

export const rowOfToken = (token: string): string | null => {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== 48) return null
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const isOurs = (secret: Secret, token: string, id: string, of: string | number): boolean =>
  secret
    .hmacs(...signed(id, of))
    .some((signature) => timingSafeEqual(Buffer.from(token, 'base64url').subarray(16), signature))

const ofStatement = 'statement'
const ofReport = 'report'

export const statementStopId = (secret: Secret, readerId: string): string =>
  `${statementLink}${stopToken(secret, readerId, ofStatement)}`

export const reportStopId = (secret: Secret, readerId: string): string =>
  `${reportLink}${stopToken(secret, readerId, ofReport)}`

const readerOf = (secret: Secret, token: string, of: string): string | null => {
  const readerId = rowOfToken(token)
  return readerId !== null && isOurs(secret, token, readerId, of) ? readerId : null
}

export const stopStatement = async (tx: Tx, secret: Secret, linkId: string) => {
  const readerId = readerOf(secret, linkId.slice(statementLink.length), ofStatement)
  if (readerId === null) return null
  const removed = await tx
    .deleteFrom('statement_reader')
    .where('reader_id', '=', readerId)
    .returning(['customer_id', 'email', 'kind'])
    .executeTakeFirst()
  return removed ?? null
}

export const stopReport = async (tx: Tx, secret: Secret, linkId: string) => {
  const readerId = readerOf(secret, linkId.slice(reportLink.length), ofReport)
  if (readerId === null) return null
  const removed = await tx
    .deleteFrom('report_reader')
    .using('report')
    .whereRef('report.customer_id', '=', 'report_reader.customer_id')
    .whereRef('report.report_id', '=', 'report_reader.report_id')
    .where('reader_id', '=', readerId)
    .returning(['report.customer_id', 'report_reader.email', 'report.name'])
    .executeTakeFirst()
  return removed ?? null
}
