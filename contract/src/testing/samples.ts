import fc from 'fast-check'
import { z } from 'zod'

export type Json = { [key: string]: unknown }

export const jsonSchema = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json // a plain object by definition

/** Texts for fields whose rule is not in their schema; those that match a field's patterns are its samples. */
export const words: Record<string, readonly string[]> = {
  email: ['matrix@north.example'],
  key: ['99000031'],
  at: ['2026-11-20T10:00:00Z'],
  taxValue: ['119'],
  driverPrice: ['2.75'],
  budgetDkk: ['250'],
  budgetKwh: ['100'],
  co2DkkPerKg: ['0.75'],
  capacityDkkPerKw: ['26.5'],
  amount: ['12.5'],
  kwh: ['12.5'],
  reserve: ['250'],
  merchantSerialNumber: ['123456'],
  tariff: ['5790000705689:DT_C_01'],
  emails: ['matrix@north.example'],
  primaryContactEmail: ['matrix@north.example'],
  billingEmail: ['matrix@north.example'],
  contact: ['31234567'],
  countryCode: ['+45'],
  url: ['https://hooks.north.example/matrix'],
  endpoint: ['https://push.north.example/matrix'],
  p256dh: ['BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU'],
  auth: ['AAAAAAAAAAAAAAAAAAAAAA'],
  market: ['FCR-D-INC'],
  type: ['FCR-D-INC'],
  biddingMarket: ['FCR-D-INC'],
  updatedAt: ['2026-11-20T10:00:00.000Z'],
  location: ['https://files.north.example/one.bin'],
  code: ['123456'],
  otp: ['12345678'],
  watch: ['file7'],
  id: ['FCR-D-INC:DK2'],
  signal: ['FCR-D-INC:DK2'],
  area: ['DK2'],
  date: ['2026-11-20', '2026-03-29', '2026-10-25'],
  start: ['18:00', '2026-11-20T10:00:00Z'],
  end: ['18:30', '2026-11-20T10:30:00Z'],
  startTime: ['18:00', '22:30'],
  from: ['17:00', '00:30'],
  until: ['07:00', '24:00'],
  endTime: ['18:30', '06:00'],
  time: ['07:00', '02:30'],
  address: ['/client/data/event'],
  month: ['2026-11'],
  against: ['2026-10'],
  startDate: ['2026-11-20', '2026-11'],
  endDate: ['2026-11-20', '2026-11'],
  currentPassword: ['gridmast-demo'],
  newPassword: ['three quiet turbines'],
  confirmNewPassword: ['three quiet turbines'],
}
const dates = ['2026-11-20', '2026-11', '2026-11-20T10:00:00Z', '018f0000-0000-7000-8000-000000000000']

export const fits = (schema: Json, word: string): boolean =>
  (typeof schema['pattern'] !== 'string' || new RegExp(schema['pattern']).test(word)) &&
  ((schema['allOf'] ?? []) as Json[]).every((one) => fits(one, word))

export const wordsFor = (schema: Json, name: string): string[] => {
  const own = (words[name] ?? []).filter((word) => fits(schema, word))
  return own.length > 0 ? own : [...dates, 'Sample text'].filter((word) => fits(schema, word)).slice(-1)
}

type IdsOf = (ref: string) => readonly string[]

const record = (entries: [string, fc.Arbitrary<unknown>][], required: readonly string[]) =>
  fc.record(Object.fromEntries(entries), { requiredKeys: [...required] })

export const validFor = (schema: Json, name: string, idsOf: IdsOf): fc.Arbitrary<unknown> => {
  const inside = (one: unknown, key = name) => validFor(one as Json, key, idsOf)
  if (typeof schema['ref'] === 'string') return fc.constantFrom(...idsOf(schema['ref']))
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['examples'])) return fc.constantFrom(...(schema['examples'] as unknown[]))
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...schema['anyOf'].map((one) => inside(one)))
  const [least, most] = [Number(schema['minimum'] ?? 0), Number(schema['maximum'] ?? 1e9)]
  switch (schema['type']) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: least, max: most })
    case 'number':
      if (typeof schema['multipleOf'] === 'number') {
        const step = schema['multipleOf']
        return fc.integer({ min: Math.ceil(least / step), max: Math.floor(most / step) }).map((n) => n * step)
      }
      return fc.integer({ min: Math.max(1, least), max: Math.min(most, 2 ** 31) })
    case 'array': {
      const length = { minLength: Number(schema['minItems'] ?? 0), maxLength: Math.min(Number(schema['maxItems']), 4) }
      return fc.array(inside(schema['items']), length)
    }
    case 'object': {
      if (schema['propertyNames']) {
        const key = inside(schema['propertyNames']) as fc.Arbitrary<string>
        return fc.dictionary(key, inside(schema['additionalProperties']), { minKeys: 1, maxKeys: 1 })
      }
      const fields = Object.entries((schema['properties'] ?? {}) as Json)
      const made = fields.map(([key, field]): [string, fc.Arbitrary<unknown>] => [key, inside(field, key)])
      return record(made, (schema['required'] ?? []) as string[])
    }
    default:
      return fc.constantFrom(...wordsFor(schema, name))
  }
}

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })

const infamous: unknown[] = [
  null,
  true,
  -1,
  0,
  -0,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  [],
  {},
  [[]],
  [null],
  '\0',
  'A\ud800B',
  '\udfff',
  'abc\u202egpj.exe',
  '\u200b\u200b',
  'a\r\nX-Injected: 1',
  '\ufffe',
  '\u2028',
  "' or 1=1 --",
  '../../../etc/passwd',
  '%00',
  '%ff',
  '{{7*7}}',
  '${7*7}',
  '=1+1',
  '<script>',
  '\\',
  '"',
  '%',
  '_',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'undefined',
  'null',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '-1',
  '0x10',
  '9'.repeat(400),
  '0.1e-7',
  '00',
  '+1',
  ' 1 ',
  '１',
  '1,5',
  'x'.repeat(5000),
  '😀'.repeat(300),
  '0001-01-01',
  '9999-12-31',
  '2026-02-30',
  '2026-03-29',
  '2000-01-01',
  '2099-12-31',
  '24:00',
  '02:30',
  '2026-11-20',
  '+275760-09-13T00:00:00Z',
  '2026-11-20T10:00:00Z',
  '2000-01-01T00:00:00Z',
  '2099-12-31T23:59:59Z',
  '1970-01-01',
  '018f0000-0000-7000-8000-000000000000',
  '00000000-0000-0000-0000-000000000000',
  'FFR:DK2',
  'FCR:SE9',
  deep(30),
  Array.from({ length: 300 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i])),
]

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...infamous) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

type Step = { at: number; value: unknown; how: 'replace' | 'remove' | 'add' }

const changed = (value: unknown, { at, value: other, how }: Step): unknown => {
  const count = (one: unknown): number =>
    1 +
    (typeof one === 'object' && one !== null
      ? Object.values(one).reduce((sum: number, inner) => sum + count(inner), 0)
      : 0)
  let left = at % count(value)
  const walk = (one: unknown): unknown => {
    const isHere = left-- === 0
    if (isHere && how === 'replace') return other
    if (isHere && how === 'remove') return undefined
    if (typeof one !== 'object' || one === null) return isHere ? [one, other] : one
    if (Array.isArray(one)) return [...one.map(walk), ...(isHere ? [other] : [])]
    const inner = Object.entries(one).map(([key, field]) => [key, walk(field)] as const)
    return Object.fromEntries([...inner, ...(isHere ? [[String(other), 1] as const] : [])])
  }
  return walk(value)
}

export const nearly = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      valid,
      fc.array(
        fc.record({ at: fc.nat(40), value: hostileValue, how: fc.constantFrom('replace', 'remove', 'add' as const) }),
        { minLength: 1, maxLength: 2 },
      ),
    )
    .map(([value, steps]) => steps.reduce<unknown>(changed, value))
