import { Secret, TOTP } from 'otpauth'

const stepS = 30

const totp = (secret: string) =>
  new TOTP({ issuer: 'Gridmast', secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: stepS })

/** 160 random bits in base32, the format of authenticator apps (RFC 4226, section 4). */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

export const totpUri = (secret: string, email: string): string => {
  const app = totp(secret)
  app.label = email
  return app.toString()
}

/**
 * The time step (RFC 6238) of a code, with one step of drift in both directions, or null. Steps up to `lastStep` are used: an observed code
 * works only once.
 */
export const matchingStep = (secret: string, code: string, nowMs: number, lastStep: number | null): number | null => {
  const token = code.replaceAll(' ', '')
  if (!/^[0-9]{6}$/.test(token)) return null // digits of other scripts have other byte lengths, on which the library throws
  const delta = totp(secret).validate({ token, timestamp: nowMs, window: 1 })
  if (delta === null) return null
  const step = Math.floor(nowMs / 1000 / stepS) + delta
  return lastStep !== null && step <= lastStep ? null : step
}
