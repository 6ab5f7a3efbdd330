import { z } from 'zod'
import { limits } from './limits.ts'
import { m } from './messages.ts'

/** Fields that several forms share, with the words of the validation tables. */

/** Control characters, line separators, marks that reorder what is read, half a surrogate pair and what Unicode calls no character. */
const refused = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u
const refusedInLines = new RegExp(`(?![\n\t])${refused.source}`, 'u')
const visible = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}]/u

const holds = (pattern: RegExp) => (text: string) => pattern.test(text)
const lacks = (pattern: RegExp) => (text: string) => !pattern.test(text)

/** Any text that is kept or searched for, on one line, maybe empty. Every string of a schema is this, one of those below, or has a pattern. */
export const text = (max: number) =>
  z.string({ error: m.required }).max(max, m.longest(max)).refine(lacks(refused), m.characters)

/** One line, empty where it shows nothing. */
export const optionalText = (max: number) => text(max).overwrite((given) => (visible.test(given) ? given.trim() : ''))

const something = (max: number) =>
  z
    .string({ error: m.required })
    .trim()
    .min(1, m.required)
    .max(max, m.longest(max))
    .refine(holds(visible), { error: m.required, abort: true })

/** One line that shows something. */
export const requiredText = (max: number) => something(max).refine(lacks(refused), m.characters)
/** Several lines; those of Windows become plain ones. */
const requiredLines = (max: number) =>
  something(max)
    .overwrite((given) => given.replaceAll('\r\n', '\n'))
    .refine(lacks(refusedInLines), m.characters)

export const email = (wrong: string = m.email) =>
  something(254).pipe(z.email({ error: wrong, pattern: z.regexes.email }))
export const shortText = requiredText(100)
export const longText = requiredLines(2000)

/** A password to sign in with: only there, its rules are those of the day it was chosen. */
export const givenPassword = z
  .string({ error: m.required })
  .min(1, m.required)
  .max(200, m.longest(200))
  .refine(lacks(refused), m.characters)
export const newPassword = z
  .string({ error: m.required })
  .min(1, m.required)
  .min(limits.passwordMin, m.shortest(limits.passwordMin))
  .max(limits.passwordMax, m.longest(limits.passwordMax))
  .refine(lacks(refused), m.characters)

/** A number in a query or a path, which are text: written plainly, not `1e3`, `0x10`, ` 7 ` or nothing, which JavaScript reads too. */
export const numberInUrl = <S extends z.ZodType<number, number>>(schema: S) =>
  z.preprocess((given) => {
    if (typeof given !== 'string') return given
    return /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : NaN
  }, schema)

/** A table of at most so many entries. */
export const atMost = <S extends z.ZodRecord>(most: number, table: S) =>
  table.refine((entries) => Object.keys(entries).length <= most, m.most(most)).meta({ maxProperties: most })

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
