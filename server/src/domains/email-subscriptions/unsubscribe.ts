import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { writeAudit } from '#platform/audit.ts'
import { Refusal } from '#platform/errors.ts'
import { useStopToken, withdrawActivationMail } from '#market/activation-mail.ts'
import type { App } from '#context.ts'
import { stopActivationMails } from './queries.ts'

/** Ends activation mails of the instance to the address that the link was sent to. Who holds the link learns neither. */
export const stopMails = async (
  { records, secret }: Pick<App, 'records' | 'secret'>,
  token: string,
  { nowMs, requestId }: { nowMs: number; requestId: string },
): Promise<void> => {
  await records.system(async (tx) => {
    const digest = await useStopToken(tx, secret, token)
    if (!digest) throw new Refusal(401, m.undoExpired)
    const { customer_id: customerId, instance_id: instanceId, email } = digest
    const instance = await stopActivationMails(tx, customerId, instanceId, email)
    await withdrawActivationMail(tx, customerId, instanceId, email)
    const entry = { who: email, action: 'email-subscription.unsubscribe', subject: instance, requestId } as const
    await writeAudit(tx, customerId, nowMs, entry)
  })
}

/**
 * The same by a mail program, which posts to the address of the page with a form of one fixed field that need not be read (RFC 8058).
 * A GET of it is the page, which asks first: what looks into mails opens links.
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
