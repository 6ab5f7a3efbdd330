import { reportLink, statementLink } from '@gridmast/contract/people/email-subscriptions.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { writeAudit } from '#platform/records/audit.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'
import { useStopToken, withdrawActivationMail } from '#people/letters/activation-mail.ts'
import { stopReport, stopStatement } from '#people/letters/stop-links.ts'
import type { App } from '#context.ts'
import { stopActivationMails } from './queries.ts'

const stopActivations = async (tx: Tx, secret: Secret, token: string) => {
  const digest = await useStopToken(tx, secret, token)
  if (!digest) return null
  const { customer_id: customerId, instance_id: instanceId, email } = digest
  const instance = await stopActivationMails(tx, customerId, instanceId, email)
  await withdrawActivationMail(tx, customerId, instanceId, email)
  return { customerId, entry: { who: email, action: 'email-subscription.unsubscribe', subject: instance } as const }
}

const stopStatements = async (tx: Tx, secret: Secret, linkId: string) => {
  const removed = await stopStatement(tx, secret, linkId)
  if (!removed) return null
  const { customer_id: customerId, email, kind } = removed
  const entry = { who: email, action: 'statement.unsubscribe', subject: email, before: { kind } } as const
  return { customerId, entry }
}

const stopReports = async (tx: Tx, secret: Secret, linkId: string) => {
  const removed = await stopReport(tx, secret, linkId)
  if (!removed) return null
  const { customer_id: customerId, email, name } = removed
  return { customerId, entry: { who: email, action: 'report.unsubscribe', subject: name } as const }
}

export const stopMails = async (
  { records, secret }: Pick<App, 'records' | 'secret'>,
  linkId: string,
  { nowMs, requestId }: { nowMs: number; requestId: string },
): Promise<void> => {
  const stop = linkId.startsWith(statementLink)
    ? stopStatements
    : linkId.startsWith(reportLink)
      ? stopReports
      : stopActivations
  await records.system(async (tx) => {
    const stopped = await stop(tx, secret, linkId)
    if (!stopped) throw new Refusal(401, m.undoExpired)
    await writeAudit(tx, stopped.customerId, nowMs, { ...stopped.entry, requestId })
  })
}

/**
 * The same for a mail program, which posts a form with one fixed field to the address of the page (RFC 8058). A GET shows the page with a
 * confirmation, because mail scanners open links.
 */
export const serveOneClick = (http: FastifyInstance, app: App): void => {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const unread = { parseAs: 'string', bodyLimit: limits.publicBodyBytes } as const
    scope.addContentTypeParser('*', unread, (_request, _body, done) => done(null, null))
    scope.post<{ Params: { id: string } }>('/auth/unsubscribe/:id', async (request) => {
      await stopMails(app, request.params.id, { nowMs: app.clock.now(), requestId: request.id })
      return { success: true, message: m.unsubscribed }
    })
  })
}
