import type { Language } from '@gridmast/contract/people/user.ts'

/** Sentences that mails of several kinds share. */
export const mailWords = {
  en: { simulated: 'Simulated: nothing behind these figures was measured.', times: 'Times are Danish.' },
  da: { simulated: 'Simuleret: intet bag tallene er målt.', times: 'Tiderne er danske.' },
} satisfies Record<Language, object>
