import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type CallShape, type Thing, things } from './call.ts'
import { calls } from './calls.ts'
import { edgeCommandResult, edgeEvent, edgeLog, edgeMeter, edgeStatus, edgeTelemetry } from '#delivery/edge.ts'
import { m } from './messages.ts'
import { fits, hostileValue, jsonSchema, nearly, validFor, wordsFor } from './testing/samples.ts'
import { fieldErrors } from './zod-words.ts'

const parts = ['params', 'query', 'body'] as const
const all: Record<string, CallShape> = calls
const callInputs = Object.entries(all).flatMap(([name, call]) =>
  parts.flatMap((part) => (call[part] ? [{ name: `${name} ${part}`, schema: call[part], part }] : [])),
)

const edgeInputs = Object.entries({ edgeTelemetry, edgeStatus, edgeMeter, edgeEvent, edgeLog, edgeCommandResult }).map(
  ([name, schema]) => ({ name, schema, part: 'edge' as const }),
)
const inputs = [...callInputs, ...edgeInputs]

type Place = { path: string; name: string; schema: z.ZodType }

const placesIn = (schema: z.ZodType, path: string, name = ''): Place[] => {
  const inside = (one: unknown, step: string, field = name) => placesIn(one as z.ZodType, `${path}${step}`, field) // parts of schemas are schemas
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return inside(schema.unwrap(), '')
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, field]) => inside(field, `.${key}`, key))
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => inside(one, ''))
  const here = [{ path, name, schema }]
  if (schema instanceof z.ZodArray) return [...here, ...inside(schema.element, '[]')]
  if (schema instanceof z.ZodRecord)
    return [...here, ...inside(schema.keyType, '{key}'), ...inside(schema.valueType, '{}')]
  return here
}

/** A pattern without `*`, `+` or an open `{n,}` matches a limited length. */
const isBounded = (pattern: string) => !/(?<!\\)[*+]|\{\d+,\}/.test(pattern.replaceAll(/\[[^\]]*\]/g, 'x'))

const limitOf = (schema: z.ZodType): unknown => {
  const json = jsonSchema(schema)
  const patterns = [json, ...((json['allOf'] ?? []) as Record<string, unknown>[])].map((one) => one['pattern'])
  switch (json['type']) {
    case 'string':
      return (
        json['enum'] ??
        json['const'] ??
        json['maxLength'] ??
        patterns.some((one) => typeof one === 'string' && isBounded(one))
      )
    case 'array':
      return json['maxItems']
    case 'object':
      return json['maxProperties']
    case 'number':
    case 'integer': {
      if ('const' in json) return true
      const [least, most] = [json['minimum'] ?? json['exclusiveMinimum'], json['maximum'] ?? json['exclusiveMaximum']]
      return [least, most].every((bound) => typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER)
    }
    case 'boolean':
    case 'null':
      return true
    default:
      return false
  }
}

test.each(inputs)('L1 every text, list and number in $name has a maximum', ({ name, schema, part }) => {
  const unlimited = placesIn(schema, name).filter(
    (place) => !limitOf(place.schema) && !(part === 'edge' && place.schema instanceof z.ZodNumber),
  )
  expect(unlimited.map(({ path }) => path)).toEqual([])
})

const isNumber = (schema: z.ZodType): boolean => ['number', 'integer'].includes(String(jsonSchema(schema)['type']))

test.each(callInputs.filter(({ part }) => part !== 'body'))(
  'the numbers of $name are documented as plain numbers',
  ({ schema, name }) => {
    for (const place of placesIn(schema, name).filter((one) => isNumber(one.schema)))
      expect(
        ['1e1', '0x10', ' 7 ', '', '5.', '.5', '+5', '1,0', '１', 'Infinity'].filter(
          (text) => place.schema.safeParse(text).success,
        ),
        place.path,
      ).toEqual([])
  },
)

const hostile = ['\0', '\u001b', '\u0085', '\u2028', '\u202e', '\u2066', '\ud800', '\udfff', '\uffff']

test.each(inputs)('L1 no text in $name accepts characters that cannot be displayed', ({ name, schema }) => {
  const texts = placesIn(schema, name).filter(
    ({ schema: one }) => (one instanceof z.ZodPipe && !isNumber(one)) || jsonSchema(one)['type'] === 'string',
  )
  for (const place of texts) {
    const json = jsonSchema(place.schema)
    if (json['enum'] ?? json['const']) continue
    const word = wordsFor(json, place.name).find((one) => place.schema.safeParse(one).success)
    if (word === undefined) throw new Error(`${place.path}: give it a word in samples.ts`)
    const spoiled = hostile.flatMap((character) =>
      Array.from(word.slice(1), (_, i) => word.slice(0, i + 1) + character + word.slice(i + 1)),
    )
    expect(
      spoiled.filter((text) => place.schema.safeParse(text).success),
      place.path,
    ).toEqual([])
  }
})

test.each(callInputs.filter(({ part }) => part !== 'params'))(
  'R3 $name refuses unknown keys at every depth',
  ({ schema }) => {
    const open = (json: unknown): boolean => {
      if (typeof json !== 'object' || json === null) return false
      // A field may be named `properties` too: its schema is in a table of fields, which has no type.
      const isObject = 'type' in json && json.type === 'object' && 'properties' in json
      const isOpen = isObject && !('additionalProperties' in json && json.additionalProperties === false)
      return isOpen || Object.values(json).some(open)
    }
    expect(open(jsonSchema(schema))).toBe(false)
  },
)

const templates = Object.values(m).flatMap((sentence) => {
  if (typeof sentence === 'string') return sentence
  return [sentence('§'), ...('one' in sentence && sentence.one !== undefined ? [sentence.one] : [])] // every sentence is a template of one value
})
const sentences = templates.map((text) => {
  return new RegExp(`^${text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll('§', '.*')}$`, 'su')
})

describe('a refused value has the message of the portal', () => {
  const ids = () => ['018f0000-0000-7000-8000-000000000000']
  test.each(callInputs)('$name', ({ schema }) => {
    const valid = validFor(jsonSchema(schema), '', ids)
    fc.assert(
      fc.property(fc.oneof(nearly(valid), hostileValue), (value) => {
        const { error } = schema.safeParse(value)
        const said = error ? [...error.issues.map(({ message }) => message), ...Object.values(fieldErrors(error))] : []
        expect(said.filter((message) => !sentences.some((sentence) => sentence.test(message)))).toEqual([])
      }),
      { numRuns: 300, seed: 20261120 },
    )
  })
})

test('every action declares the resources it changes, and every changed resource is read by a call', () => {
  const each = Object.entries(all)
  const wrong = each.filter(([, { method, touches, of }]) =>
    method === 'GET' ? touches !== undefined : !touches || of,
  )
  expect(wrong.map(([name]) => name)).toEqual([])
  const shown = new Set(each.flatMap(([, { of = [] }]) => of))
  const touched = new Set<Thing>([...each.flatMap(([, { touches = [] }]) => touches), 'audit'])
  expect([...touched].filter((thing) => !shown.has(thing))).toEqual([])
  expect(things.filter((thing) => !touched.has(thing))).toEqual([])
})

test('generated samples are valid for their schemas', () => {
  for (const { name, schema } of callInputs) {
    const made = fc.sample(
      validFor(jsonSchema(schema), '', () => ['018f0000-0000-7000-8000-000000000000']),
      { numRuns: 100, seed: 1 },
    )
    expect(
      made.some((value) => schema.safeParse(value).success),
      name,
    ).toBe(true)
  }
  expect(fits({ pattern: '^x$' }, 'y')).toBe(false)
})

test('a call names the columns of `sort` of its query', () => {
  for (const [name, { query, sorts = [] }] of Object.entries(all)) {
    const sort: unknown = query?.shape['sort']
    const values: unknown = sort instanceof z.ZodOptional ? sort.unwrap() : sort
    expect(values instanceof z.ZodEnum ? values.options : [], name).toEqual(sorts)
  }
})
