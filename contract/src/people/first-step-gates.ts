import { can, type CapabilityName, type Subject } from '#roles.ts'

/** Steps of a new company, in order; `isForMarkets`: of companies with bidding markets; `isPersonal`: of a user. */
export const firstSteps = {
  licence: { may: 'support-note.edit' },
  contract: { may: 'support-note.edit', isForMarkets: true },
  edge: { may: 'edge.manage', isForMarkets: true },
  sample: { may: 'edge.manage', isForMarkets: true },
  meters: { may: 'data-hub.edit' },
  alert: { may: 'alert.edit', isForMarkets: true },
  secondFactor: { may: 'session.use', isPersonal: true },
  user: { may: 'support-note.edit' },
} as const satisfies Record<string, { may: CapabilityName; isForMarkets?: true; isPersonal?: true }>

export type FirstStep = keyof typeof firstSteps
export const stepNames = Object.keys(firstSteps) as [FirstStep] // the keys of the table

/** The first sample is in the readings, which the profile does not read. */
export type RecordedStep = Exclude<FirstStep, 'sample'>
export const recordedSteps = stepNames.filter((step): step is RecordedStep => step !== 'sample') as [RecordedStep]

export const isPersonal = (step: FirstStep): boolean => 'isPersonal' in firstSteps[step]

export const maySeeStep = (subject: Subject, step: FirstStep): boolean => {
  const { may, ...rest } = firstSteps[step]
  return can(subject, may) && (!('isForMarkets' in rest) || subject.biddingMarkets.length > 0)
}
