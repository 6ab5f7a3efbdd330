import { type LocalDate, localDate } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import { literal } from '#platform/http/list-query.ts'

export type Terms = {
  /** Lower-case words without the day; a row has all of them, in any order. */
  words: readonly string[]
  /** A day as `2026-11-20`, `20.11.2026`, `20/11/2026` or `20-11-2026`. */
  day: LocalDate | null
  /** First and last id that begin with the digits of a text of at least eight hexadecimal digits. */
  ids: { from: string; to: string } | null
  /** `CP-1*2`, `CP-1/2` or `CP-1#2`: connector 2 of the charger CP-1. */
  connector: { words: readonly string[]; no: number } | null
}

const dayOf = (word: string): LocalDate | null => {
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](20\d\d)$/.exec(word) ?? []
  const iso = day && month && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : word
  return localDate.safeParse(iso).success ? iso : null
}

const hyphenated = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const idsOf = (text: string): Terms['ids'] => {
  const digits = text.replaceAll('-', '')
  if (!/^[0-9a-f]{8,32}$/.test(digits)) return null
  return { from: hyphenated(digits.padEnd(32, '0')), to: hyphenated(digits.padEnd(32, 'f')) }
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)

const connectorOf = (text: string): Terms['connector'] => {
  const [, charger, no] = /^(.+)[*/#](\d{1,2})$/.exec(text) ?? []
  return charger && no ? { words: wordsOf(charger), no: Number(no) } : null
}

export const termsOf = (q: string): Terms => {
  const text = q.normalize('NFC').toLowerCase()
  const all = wordsOf(text)
  const day = all.map(dayOf).find((one) => one !== null) ?? null
  return {
    words: day === null ? all : all.filter((word) => dayOf(word) !== day),
    day,
    ids: idsOf(text),
    connector: connectorOf(text),
  }
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** `lower` with the collation C changes ASCII letters only, in a third of the time of a locale. */
const lowerAscii = (text: RawBuilder<unknown>) => sql`lower((${text}) collate "C")`

/** Letters outside of ASCII in the words, in a fixed order, so that few statements are prepared. */
const lettersOf = (words: readonly string[]) =>
  ['æ', 'ø', 'å', 'ä', 'ö', 'ü', 'é'].filter((letter) => words.some((word) => word.includes(letter)))

/** `lower` of a database with the locale C changes ASCII letters only. A letter and its accent may be stored as two characters. */
const lower = (text: RawBuilder<unknown>, words: readonly string[]) =>
  lettersOf(words)
    .flatMap((letter) => [letter.normalize('NFD'), letter.toUpperCase()].map((form) => ({ form, letter })))
    .filter(({ form, letter }) => form !== letter)
    .reduce(
      (folded, { form, letter }) => sql`replace(${folded}, ${sql.lit(form)}, ${sql.lit(letter)})`,
      sql`lower(${text})`,
    )

const likeAll = (text: RawBuilder<unknown>, parts: readonly string[]) =>
  sql<boolean>`${text} like all(${parts.map((part) => `%${part}%`)}::text[])`

/**
 * Each word is somewhere in the columns. `lower` and `like` instead of `ilike`, which takes 1.7 times as long (PGlite, 10,000 rows). No index
 * serves it: `like` is not leakproof, so under row-level security an index on trigrams is not used. The ASCII parts of the words are compared
 * first, because few rows have them.
 */
export const hasWords = (words: readonly string[], columns: readonly RawBuilder<unknown>[]) => {
  const text = sql.join(columns, sql` || chr(10) || `)
  const inAscii = (parts: readonly string[]) => likeAll(lowerAscii(text), parts)
  if (words.every(isAscii)) return inAscii(words.map(literal))
  const exact = likeAll(lower(text, words), words.map(literal))
  const parts = words.map((word) => literal(word).replaceAll(/[^\0-\x7f]+/g, '%')).filter((part) => part !== '%')
  return parts.length === 0 ? exact : sql<boolean>`(${inAscii(parts)} and ${exact})`
}

/** Rows whose column begins with the text first, then by name. */
export const beginningFirst = (words: readonly string[], columns: readonly RawBuilder<unknown>[]) => {
  const text = words.join(' ')
  const lowered = (column: RawBuilder<unknown>) => (isAscii(text) ? lowerAscii(column) : lower(column, words))
  const begins = columns.map((column) => sql`${lowered(column)} like ${`${literal(text)}%`}`)
  return sql`(${sql.join(begins, sql` or `)}) desc, ${columns[0]}`
}

const searchText = sql`search_text`

/** As `hasWords`, in the columns that migration 0176 keeps folded; `strpos` takes two thirds of the time of `like`. */
export const hasWordsStored = (words: readonly string[]) =>
  sql<boolean>`(${sql.join([sql`true`, ...words.map((word) => sql`strpos(${searchText}, ${word}) > 0`)], sql` and `)})`

/** As `beginningFirst`: each column follows a line feed there. */
export const beginningFirstStored = (words: readonly string[]) =>
  sql`strpos(${searchText}, ${`\n${words.join(' ')}`}) > 0 desc, name`
