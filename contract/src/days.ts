import { m } from './messages.ts'
import { daysBetween, localDate } from './time.ts'

type Days = { startDate?: string | undefined; endDate?: string | undefined }

export const days = { startDate: localDate, endDate: localDate }

type Refinement = [isValid: (days: Days) => boolean, params: { path: string[]; error: string; abort: boolean }]

const refinement = (isValid: (first: string, last: string) => boolean, error: string): Refinement => [
  ({ startDate, endDate }) => !startDate || !endDate || isValid(startDate, endDate),
  { path: ['endDate'], error, abort: true },
]

/** For `refine` of a schema with `startDate` and `endDate`, as is `mostDays`. */
export const inOrder = refinement((first, last) => first <= last, m.endBeforeStart)

export const mostDays = (most: number, words: (most: number) => string = m.tooManyDays) =>
  refinement((first, last) => daysBetween(first, last) < most, words(most))
