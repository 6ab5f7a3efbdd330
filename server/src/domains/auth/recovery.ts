import { randomInt } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { resendOtp, resetPassword } from '@gridmast/contract/auth.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { addressPrefix } from '#platform/address.ts'
import { takeTry } from '#access/attempts.ts'
import { writeAudit } from '#platform/audit.ts'
import { queueMail } from '#platform/mail.ts'
import type { Secret } from '#platform/secret.ts'
import { type App, route } from '#context.ts'
import { endCodes, saveCode } from './codes.ts'
import { mails } from './mails.ts'
import { getLogin, isAdmin, maySignIn, type Person } from './queries.ts'
import { takeSend } from './recovery-queries.ts'
import { said } from './said.ts'
import { forThemOrNoOne } from './stand-in.ts'

const newOtp = () => String(randomInt(10 ** limits.otpDigits)).padStart(limits.otpDigits, '0')

/** Eight digits are not unique: the HMAC binds them to their user. */
export const otpHmac = (secret: Secret, userId: string, otp: string): Buffer => secret.hmac('reset', `${userId}:${otp}`)

/** Disabled accounts and admin-type roles get no code, and nobody can tell. */
export const mayRecover = (person: Person | undefined): person is Person =>
  person !== undefined && maySignIn(person) && !isAdmin(person)

/** The same for every e-mail, up to a mail that only its owner sees (security rule S4). */
const sendCode = async (ask: {
  app: App
  request: FastifyRequest
  email: string
  requestId: string
  nowMs: number
}) => {
  const { app, email, requestId, nowMs } = ask
  const otp = newOtp()
  await app.records.system(async (tx) => {
    await takeSend(tx, app.secret, email, nowMs)
    const kind = 'reset-address'
    await takeTry(tx, { kind, key: app.secret.hmac(kind, addressPrefix(ask.request.ip)) }, nowMs)
    const found = await getLogin(tx, email)
    await forThemOrNoOne(tx, mayRecover(found) ? found : undefined, async (whom) => {
      const hmac = otpHmac(app.secret, whom.user_id, otp)
      await endCodes(tx, whom, ['reset'], nowMs)
      await saveCode(tx, whom, { purpose: 'reset', hmac, nowMs, lifeMs: limits.otpLifeMs })
      await queueMail(tx, whom.customer_id, mails.code(whom, otp))
      await writeAudit(tx, whom.customer_id, nowMs, said(whom, 'auth.reset-code', 'ok', { requestId }))
    })
  })
  return { resendInS: limits.otpResendS }
}

export const recovery = [
  route(resetPassword, (ask) => sendCode({ ...ask, email: ask.body.email })),
  route(resendOtp, (ask) => sendCode({ ...ask, email: ask.body.email })),
]
