import { m } from '@gridmast/contract/messages.ts'
import { profile, saveLanguage, updatePassword } from '@gridmast/contract/people/profile.ts'
import { checkCurrentPassword, wrongPassword, passwordProblem } from '#access/passwords.ts'
import { addSession, endSessionsOf } from '#access/sessions.ts'
import { invalid } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { hashPassword, verifyPassword } from '#platform/security/password.ts'
import { route } from '#context.ts'
import { getProfile } from '#access/profile.ts'
import { passwordChanged } from './mails.ts'
import { isRemembered, lockUser, savePassword, saveUser } from './queries.ts'
import { edit } from './edit.ts'
import { email } from './email.ts'
import { secondFactor } from './second-factor.ts'

const password = route(updatePassword, async (ask) => {
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
    await queueMail(tx, { customerId, to: viewer.email }, passwordChanged(ended.apiKeys, nowMs))
    return made
  })
  return { token }
})

const read = route(profile, async ({ viewer, own }) => ({
  user: await own((tx, customerId) => getProfile(tx, customerId, viewer.userId)),
}))

const language = route(saveLanguage, async ({ viewer, own, audit, body }) => {
  await own(async (tx, customerId) => {
    const before = await lockUser(tx, customerId, viewer.userId)
    if (before.language === body.language) return
    await saveUser(tx, customerId, viewer.userId, body)
    await audit(tx, 'profile.language', viewer.email, { before: { language: before.language }, after: body })
  })
})

export const profiles = [read, edit, language, ...email, password, ...secondFactor]
