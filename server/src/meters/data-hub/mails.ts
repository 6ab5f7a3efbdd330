import { formatDate } from '@gridmast/contract/time.ts'
import type { Letter } from '#platform/messaging/mail.ts'

/** To the operator, ahead of the end: without a new token no meter is read. */
export const tokenEnds = (endsMs: number): Letter => {
  const day = formatDate(endsMs)
  return {
    en: {
      subject: `Eloverblik: the refresh token ends on ${day}`,
      text: [
        `The refresh token with which this portal reads meters at Eloverblik ends on ${day}. After that no meter is read.`,
        'Sign in at eloverblik.dk with MitID Erhverv, make a new refresh token under API access, set it as ELOVERBLIK_TOKEN and start the server again. Nothing that was read is lost.',
      ].join('\n\n'),
    },
    da: {
      subject: `Eloverblik: refresh-tokenet udløber ${day}`,
      text: [
        `Det refresh-token, som portalen læser målere hos Eloverblik med, udløber ${day}. Derefter læses ingen målere.`,
        'Log ind på eloverblik.dk med MitID Erhverv, lav et nyt refresh-token under API-adgang, sæt det som ELOVERBLIK_TOKEN, og start serveren igen. Intet, der er læst, går tabt.',
      ].join('\n\n'),
    },
  }
}
