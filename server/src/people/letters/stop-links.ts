import { timingSafeEqual } from 'node:crypto'
import { statementLink } from '@gridmast/contract/people/email-subscriptions.ts'
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

const of = 'statement'

export const statementStopId = (secret: Secret, readerId: string): string =>
  `${statementLink}${stopToken(secret, readerId, of)}`

export const stopStatement = async (tx: Tx, secret: Secret, linkId: string) => {
  const token = linkId.slice(statementLink.length)
  const readerId = rowOfToken(token)
  if (readerId === null || !isOurs(secret, token, readerId, of)) return null
  const removed = await tx
    .deleteFrom('statement_reader')
    .where('reader_id', '=', readerId)
    .returning(['customer_id', 'email', 'kind'])
    .executeTakeFirst()
  return removed ?? null
}
