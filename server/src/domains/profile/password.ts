import { m } from '@gridmast/contract/messages.ts'
import { updatePassword } from '@gridmast/contract/profile.ts'
import { checkCurrentPassword, wrongPassword } from '#access/current-password.ts'
import { passwordProblem } from '#access/new-password.ts'
import { addSession, endSessionsOf } from '#access/sessions.ts'
import { invalid } from '#platform/errors.ts'
import { queueMail } from '#platform/mail.ts'
import { hashPassword, verifyPassword } from '#platform/password.ts'
import { route } from '#context.ts'
import { passwordChanged } from './mails.ts'
import { isRemembered, savePassword } from './queries.ts'

export const password = route(updatePassword, async (ask) => {
  const { viewer, own, audit, nowMs, body, request } = ask
  const { userId } = viewer
  const problem = passwordProblem(body.newPassword)
  if (problem) throw invalid({ newPassword: problem })
  const from = await checkCurrentPassword(ask, body.currentPassword)
  if (await verifyPassword(body.newPassword, from)) throw invalid({ newPassword: m.samePassword })
  const to = await hashPassword(body.newPassword)
  const token = await own(async (tx, customerId) => {
    if (!(await savePassword(tx, customerId, userId, { from, to, at: new Date(nowMs) }))) throw wrongPassword()
    const remembered = await isRemembered(tx, customerId, viewer.sessionId)
    const owner = { customer_id: customerId, user_id: userId }
    const ended = await endSessionsOf(tx, owner, nowMs, { apiKeys: body.revokeApiKeys ?? false })
    const made = await addSession(tx, {
      customerId,
      userId,
      remembered,
      nowMs,
      userAgent: request.headers['user-agent'],
      address: request.ip,
    })
    await audit(tx, 'profile.password', viewer.email, { after: ended })
    await queueMail(tx, customerId, passwordChanged(viewer.email, ended.apiKeys, nowMs))
    return made
  })
  return { token }
})
