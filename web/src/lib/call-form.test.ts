import { z } from 'zod'
import { expect, test } from 'vitest'
import { isRequired } from './form-checks.ts'

const body = z.object({
  name: z.string().min(1),
  note: z.string(),
  start: z.string().min(5).optional(),
  area: z.enum(['DK1', 'DK2']),
  groups: z.array(z.string()).min(1),
  days: z.array(z.object({ reason: z.string().min(1) })),
  load: z.object({ limitKw: z.number(), targetKw: z.number().nullable() }).optional(),
  taxes: z.record(z.string(), z.number()),
})

test.each([
  ['name', true],
  ['note', false],
  ['start', false],
  ['area', true],
  ['groups', true],
  ['days', false],
  ['days.0.reason', true],
  ['load.limitKw', true],
  ['load.targetKw', false],
  ['taxes.spot', true],
  ['not.in.the.body', false],
])('%s is required: %s', (path, required) => {
  expect(isRequired(body, path)).toBe(required)
})
