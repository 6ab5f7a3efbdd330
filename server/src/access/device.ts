import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Secret } from '#platform/security/secret.ts'

/**
 * A cookie for a browser that has signed in to an account before (OWASP "device cookie"): its wrong passwords are counted separately, so
 * strangers cannot delay the owner. It grants no access, and only calls of sign-in and account receive it.
 */
const deviceLifeS = 365 * 86_400
const path = '/api/user'

const nameOf = (secret: Secret, userId: string) =>
  `gm_device_${secret.hmac('device-name', userId).toString('hex').slice(0, 12)}`
const signatureOf = (secret: Secret, userId: string, core: string) =>
  secret.hmac('device', `${userId}:${core}`).toString('base64url')

/** Sets the cookie: `<created, s>.<nonce>.<HMAC>`. */
export const rememberDevice = (
  reply: FastifyReply,
  { secret, config }: { secret: Secret; config: { PUBLIC_URL?: string | undefined } },
  userId: string,
  nowMs: number,
): void => {
  const core = `${Math.floor(nowMs / 1000).toString(36)}.${randomBytes(16).toString('base64url')}`
  void reply.setCookie(nameOf(secret, userId), `${core}.${signatureOf(secret, userId, core)}`, {
    path,
    maxAge: deviceLifeS,
    httpOnly: true,
    sameSite: 'strict',
    secure: config.PUBLIC_URL?.startsWith('https://') ?? false,
  })
}

/** The browser's id for this user, or null for a browser without an earlier sign-in of this user. */
export const deviceIdOf = (
  { server, headers }: FastifyRequest,
  secret: Secret,
  userId: string,
  nowMs: number,
): string | null => {
  const value = server.parseCookie(headers.cookie ?? '')[nameOf(secret, userId)] ?? ''
  const [createdS = '', nonce = '', signature = ''] = value.split('.')
  const sent = Buffer.from(signature)
  const expected = Buffer.from(signatureOf(secret, userId, `${createdS}.${nonce}`))
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null
  const ageMs = nowMs - Number.parseInt(createdS, 36) * 1000
  return ageMs <= deviceLifeS * 1000 ? nonce : null
}
