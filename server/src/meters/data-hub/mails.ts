import { formatDate } from '@gridmast/contract/time.ts'
import { type Letter, letter } from '#platform/messaging/mail.ts'

export const tokenEnds = (endsMs: number): Letter => {
  const day = formatDate(endsMs)
  return letter({
    subject: { en: `Eloverblik: the refresh token ends on ${day}`, da: `Eloverblik: refresh-tokenet udløber ${day}` },
    body: [
      {
        en: `The refresh token with which this portal reads meters at Eloverblik ends on ${day}. After that no meter is read.`,
        da: `Det refresh-token, som portalen læser målere hos Eloverblik med, udløber ${day}. Derefter læses ingen målere.`,
      },
      {
        en: 'Sign in at eloverblik.dk with MitID Erhverv, make a new refresh token under API access, set it as ELOVERBLIK_TOKEN and start the server again. Nothing that was read is lost.',
        da: 'Log ind på eloverblik.dk med MitID Erhverv, lav et nyt refresh-token under API-adgang, sæt det som ELOVERBLIK_TOKEN, og start serveren igen. Intet, der er læst, går tabt.',
      },
    ],
  })
}
