import { z } from 'zod'
import { call } from '#call.ts'
import { stepNames } from './first-step-gates.ts'

export const findFirstSteps = call({
  method: 'GET',
  path: '/client/first-steps',
  summary: 'List the first steps of a new company that you may do, and whether each is done',
  may: 'session.use',
  of: ['edge', 'meter', 'alert', 'profile', 'company'],
  response: z.object({ steps: z.array(z.object({ step: z.enum(stepNames), done: z.boolean() })) }),
})

export const hideFirstSteps = call({
  method: 'PUT',
  path: '/user/first-steps',
  summary: 'Hide the first steps on your home screen, or show them again',
  may: 'session.use',
  touches: ['profile'],
  body: z.strictObject({ hidden: z.boolean() }),
})
