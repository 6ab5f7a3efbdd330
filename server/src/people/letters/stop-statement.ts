import { statementLink } from '@gridmast/contract/people/email-subscriptions.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'
import { isOurs, rowOfToken, stopToken } from './stop-link.ts'

/** Removes the recipient, so the link works once. */

const of = 'statement'

export const statementStopId = (secret: Secret, readerId: string): string =>
  `${statementLink}${stopToken(secret, readerId, of)}`

export const stopStatement = async (tx: Tx, secret: Secret, linkId: string) => {
  const token = linkId.slice(statementLink.length)
  const readerId = rowOfToken(token)
  if (readerId === null || !isOurs(secret, token, readerId, of)) return null
  const gone = await tx
    .deleteFrom('statement_reader')
    .where('reader_id', '=', readerId)
    .returning(['customer_id', 'email', 'kind'])
    .executeTakeFirst()
  return gone ?? null
}
