import { z } from 'zod'
import { m } from './messages.ts'

const byType: Record<string, string> = {
  string: m.text,
  number: m.number,
  int: m.wholeNumber,
  boolean: m.yesOrNo,
  array: m.list,
  object: m.object,
  record: m.object,
}
const byFormat: Record<string, string> = {
  uuid: m.id,
  email: m.email,
  date: m.date,
  datetime: m.instant,
  url: m.webAddress,
}

const tooBig = ({ origin, maximum, inclusive }: { origin: string; maximum: number | bigint; inclusive?: boolean }) => {
  const most = Number(maximum)
  if (origin === 'string') return m.longest(most)
  if (origin === 'number' || origin === 'int') return inclusive ? m.atMost(most) : m.lessThan(most)
  return m.most(most)
}

const tooSmall = ({
  origin,
  minimum,
  inclusive,
}: {
  origin: string
  minimum: number | bigint
  inclusive?: boolean
}) => {
  const least = Number(minimum)
  if (origin === 'string') return m.shortest(least)
  if (origin === 'number' || origin === 'int') return inclusive ? m.atLeast(least) : m.moreThan(least)
  return m.fewest(least)
}

// Default messages of schemas; both sides load this with the first call they declare.
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined ? m.required : (byType[issue.expected] ?? m.notValid)
      case 'too_big':
        return tooBig(issue)
      case 'too_small':
        return tooSmall(issue)
      case 'invalid_format':
        return byFormat[issue.format] ?? m.notValid
      case 'not_multiple_of':
        return m.multipleOf(issue.divisor)
      case 'invalid_value':
        return issue.input === undefined ? m.required : m.oneOf(issue.values.join(', '))
      case 'unrecognized_keys':
        return m.unknownField(nameOf(issue.keys[0] ?? ''))
      case 'invalid_key':
        return issue.issues[0]?.message
      default:
        return m.notValid
    }
  },
})

const fieldsNamed = 20
const nameLength = 100

/** A key that an answer may repeat: short and printable. */
const nameOf = (key: string): string => {
  const name = key
    .slice(0, nameLength)
    .replaceAll(/\p{Cc}/gu, '\ufffd')
    .toWellFormed()
  return key.length > nameLength ? `${name}…` : name
}

/** One message per field path ('user.email'; the body itself is ''): the first issue of a field, at most twenty fields. */
export const fieldErrors = (error: z.ZodError): Record<string, string> => {
  const errors = new Map<string, string>()
  const add = (path: PropertyKey[], message: string) => {
    const name = nameOf(path.join('.'))
    if (!errors.has(name)) errors.set(name, message)
  }
  for (const issue of error.issues) {
    if (errors.size >= fieldsNamed) break
    if (issue.code !== 'unrecognized_keys') add(issue.path, issue.message)
    else
      for (const key of issue.keys.slice(0, fieldsNamed - errors.size))
        add([...issue.path, key], m.unknownField(nameOf(key)))
  }
  return Object.fromEntries(errors)
}
