import { z } from 'zod'
import { limits } from './limits.ts'
import { m } from './messages.ts'

/** Control characters, line separators, bidi controls, half a surrogate pair and Unicode noncharacters. */
const refused = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u
const refusedInLines = new RegExp(`(?![\n\t])${refused.source}`, 'u')
const visible = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}]/u

const holds = (pattern: RegExp) => (text: string) => pattern.test(text)
const lacks = (pattern: RegExp) => (text: string) => !pattern.test(text)

/** Any one-line text that is stored or searched for, possibly empty; every string of a schema is this, one of the types below, or has a pattern. */
export const text = (max: number) =>
  z.string({ error: m.required }).max(max, m.longest(max)).refine(lacks(refused), m.characters)

export const optionalText = (max: number) => text(max).overwrite((given) => (visible.test(given) ? given.trim() : ''))

const something = (max: number) =>
  z
    .string({ error: m.required })
    .trim()
    .min(1, m.required)
    .max(max, m.longest(max))
    .refine(holds(visible), { error: m.required, abort: true })

export const requiredText = (max: number) => something(max).refine(lacks(refused), m.characters)
const requiredLines = (max: number) =>
  something(max)
    .overwrite((given) => given.replaceAll('\r\n', '\n'))
    .refine(lacks(refusedInLines), m.characters)

export const email = (wrong: string = m.email) =>
  something(254).pipe(z.email({ error: wrong, pattern: z.regexes.email }))
export const shortText = requiredText(100)
export const longText = requiredLines(2000)

/** A password for a sign-in only: the rules apply when it is chosen. */
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

/** A number in a query or a path: plain digits only, not `1e3`, `0x10`, ` 7 ` or nothing, which JavaScript also parses. */
export const numberInUrl = <S extends z.ZodType<number, number>>(schema: S) =>
  z.preprocess((given) => {
    if (typeof given !== 'string') return given
    return /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : NaN
  }, schema)

export const atMost = <S extends z.ZodRecord>(most: number, table: S) =>
  table.refine((entries) => Object.keys(entries).length <= most, m.most(most)).meta({ maxProperties: most })

/** `+45`, and the number after it: digits, optionally grouped by spaces, dots and hyphens. */
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

export const otp = z
  .string({ error: m.required })
  .trim()
  .min(1, m.required)
  .regex(/^\d+$/, m.number)
  .max(12, m.longest(12))
