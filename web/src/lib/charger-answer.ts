import type { Sentence } from '#i18n/da.ts'
import { translateText } from './i18n.ts'

const words: Record<string, Sentence> = {
  Accepted: 'Accepted',
  Rejected: 'Rejected',
  NotSupported: 'Not supported',
  NotImplemented: 'Not supported',
  Unlocked: 'Unlocked',
  UnlockFailed: 'It could not be unlocked',
  Scheduled: 'Done once its session has ended',
}
const known = new Map(Object.entries(words))

/** The status of OCPP, or the server's message without an answer; an unknown status is shown unchanged. */
export const chargerAnswer = (status: string): string => translateText(known.get(status) ?? status)
