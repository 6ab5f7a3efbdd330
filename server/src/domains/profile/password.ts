import { m } from '@gridmast/contract/messages.ts'
import { updatePassword } from '@gridmast/contract/profile.ts'
import { passwordProblem } from '#access/new-password.ts'
import { addSession, endSessionsOf } from '#access/sessions.ts'
import { forgetViewers } from '#access/viewer.ts'
import { writeAudit } from '#platform/audit.ts'
import { invalid } from '#platform/errors.ts'
import { queueMail } from '#platform/mail.ts'
import { hashPassword, verifyPassword } from '#platform/password.ts'
import { route } from '#route.ts'
import { checkCurrentPassword, wrongPassword } from './current-password.ts'
import { passwordChanged } from './mails.ts'
import { isRemembered, savePassword } from './queries.ts'

export const password = route(updatePassword, async ({ app, viewer, body, request, requestId }) => {
  const { customerId, userId } = viewer
  const problem = passwordProblem(body.newPassword)
  if (problem) throw invalid({ newPassword: problem })
  const from = await checkCurrentPassword(app, viewer, body.currentPassword, requestId)
  if (await verifyPassword(body.newPassword, from)) throw invalid({ newPassword: m.samePassword })
  const to = await hashPassword(body.newPassword)
  const nowMs = app.clock.now()
  const token = await app.records.tenant(customerId, async (tx) => {
    if (!(await savePassword(tx, customerId, userId, { from, to, at: new Date(nowMs) }))) throw wrongPassword()
    const remembered = await isRemembered(tx, customerId, viewer.sessionId)
    const ended = await endSessionsOf(tx, customerId, userId, nowMs)
    const made = await addSession(tx, {
      customerId,
      userId,
      remembered,
      nowMs,
      userAgent: request.headers['user-agent'],
      address: request.ip,
    })
    await writeAudit(tx, customerId, nowMs, {
      userId,
      who: viewer.email,
      action: 'profile.password',
      subject: viewer.email,
      after: { sessionsEnded: ended },
      result: 'ok',
      requestId,
    })
    await queueMail(tx, customerId, passwordChanged(viewer.email, nowMs))
    return made
  })
  forgetViewers()
  return { token }
})
