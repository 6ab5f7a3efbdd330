import type { Source } from './dataset.ts'
import { readRecorded } from './recorded.ts'
import { readRecordedHours } from './recorded-hours.ts'

export const readSource = (folder: string): Source => ({
  prices: readRecorded(folder),
  hours: readRecordedHours(folder),
})
