import { expect, test } from 'vitest'
import { z } from 'zod'
import { revenueCalculator } from '#grid/revenue-calculator.ts'
import { requestAccount } from '#people/auth.ts'
import { addApiKey } from '#people/api-keys.ts'
import { fieldErrors } from './zod-words.ts'

const errorsOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value)
  if (!error) throw new Error('it fits')
  return fieldErrors(error)
}
const form = { name: 'Mette', company: 'Nordfrost', email: 'mette@north.example', message: 'Hello' }

test('R3 the message of an unknown key names that key only', () => {
  expect(errorsOf(requestAccount.body, { ...form, admin: true, root: 1 })).toEqual({
    admin: 'Unknown field: admin',
    root: 'Unknown field: root',
  })
  expect(errorsOf(requestAccount.body, { ...form, constructor: 1 })).toEqual({
    constructor: 'Unknown field: constructor',
  })
})

test('L1 the answer for a body with many unknown keys is short', () => {
  for (const name of ['k', '\0', '\ud800', '💥'.repeat(5000)]) {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${i}${name}`, 1]))
    const errors = errorsOf(requestAccount.body, { ...form, ...many })
    expect(Object.keys(errors)).toHaveLength(20)
    expect(JSON.stringify(errors).length).toBeLessThan(5000) // at most 3 bytes each on the wire
    expect(JSON.stringify(errors)).not.toContain('\\u')
  }
})

test('L1 at most twenty wrong fields are named', () => {
  const wide = z.strictObject({ list: z.array(z.number()).max(1000) })
  expect(Object.keys(errorsOf(wide, { list: Array(1000).fill('x') }))).toHaveLength(20)
})

const key = { name: 'Key', scopes: ['power.read'], expiresInDays: 1, currentPassword: 'gridmast-demo' }
test.each([
  [addApiKey.body, { ...key, expiresInDays: 9999 }, { expiresInDays: 'Must be lesser than or equal to 3650' }],
  [addApiKey.body, { ...key, expiresInDays: 1.5 }, { expiresInDays: 'Must be a whole number' }],
  [addApiKey.body, { ...key, scopes: 'power.read' }, { scopes: 'Must be a list' }],
  [
    revenueCalculator.query,
    { signal: 'FCR', area: 'NO1', startDate: '2026-01', endDate: '2026-02' },
    { area: 'Must be one of DK1, DK2, SE1, SE2, SE3, SE4' },
  ],
  [requestAccount.body, 'text', { '': 'Must be an object' }],
])('a refused value has the message of the portal: %#', (schema, value, errors) => {
  expect(errorsOf(schema, value)).toEqual(errors)
})
