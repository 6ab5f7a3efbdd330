import { z } from 'zod'
import { limits } from './limits.ts'
import { m } from './messages.ts'

/** Fields that several forms share, with the words of the validation tables. */

const requiredText = (max: number) => z.string({ error: m.required }).trim().min(1, m.required).max(max, m.longest(max))

export const email = (wrong: string = m.email) =>
  requiredText(254).pipe(z.email({ error: wrong, pattern: z.regexes.email }))
export const shortText = requiredText(100)
export const longText = requiredText(2000)

/** A password to sign in with: only there, its rules are those of the day it was chosen. */
export const givenPassword = z.string({ error: m.required }).min(1, m.required).max(200, m.longest(200))
export const newPassword = z
  .string({ error: m.required })
  .min(1, m.required)
  .min(limits.passwordMin, m.shortest(limits.passwordMin))
  .max(limits.passwordMax, m.longest(limits.passwordMax))

/** `+45`, and the number behind it: digits, which spaces, dots and hyphens may group. */
export const countryCode = z
  .string({ error: m.required })
  .trim()
  .min(1, m.required)
  .regex(/^\+[1-9]\d{0,3}$/, m.countryCode)
export const contact = z
  .string({ error: m.required })
  .trim()
  .min(1, m.required)
  .regex(/^\(?\d{1,4}\)?([ .-]?\d){3,13}$/, m.contact)

/** The one-time code of the mail. */
export const otp = z
  .string({ error: m.required })
  .trim()
  .min(1, m.required)
  .regex(/^\d+$/, m.number)
  .max(12, m.longest(12))
