import { z } from 'zod'
import { call } from '#call.ts'
import { can, type CapabilityName, type Subject } from '#roles.ts'

/** Steps of a new company, in order; steps with `isForMarkets` apply to companies with bidding markets. */
export const firstSteps = {
  licence: { may: 'support-note.edit' },
  contract: { may: 'support-note.edit', isForMarkets: true },
  edge: { may: 'edge.manage', isForMarkets: true },
  sample: { may: 'edge.manage', isForMarkets: true },
  meters: { may: 'data-hub.edit' },
  alert: { may: 'alert.edit', isForMarkets: true },
  secondFactor: { may: 'session.use' },
  user: { may: 'support-note.edit' },
} as const satisfies Record<string, { may: CapabilityName; isForMarkets?: true }>

export type FirstStep = keyof typeof firstSteps
export const stepNames = Object.keys(firstSteps) as [FirstStep] // the keys of the table

/** The first sample is in the readings, which the profile does not read. */
export type RecordedStep = Exclude<FirstStep, 'sample'>
export const recordedSteps = stepNames.filter((step): step is RecordedStep => step !== 'sample') as [RecordedStep]

export const maySeeStep = (subject: Subject, step: FirstStep): boolean => {
  const { may, ...rest } = firstSteps[step]
  return can(subject, may) && (!('isForMarkets' in rest) || subject.biddingMarkets.length > 0)
}

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
