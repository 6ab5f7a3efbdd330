import { formatDate } from '@gridmast/contract/time.ts'
import { type Letter, letter } from '#platform/messaging/mail.ts'

export const tokenEnds = (endsMs: number): Letter => {
  const day = formatDate(endsMs)
  return letter({
    subject: { en: `Eloverblik: the refresh token ends on ${day}`, da: `Eloverblik: refresh-tokenet udløber ${day}` },
    body: [
      {
        en: `The refresh token for reading meters at Eloverblik ends on ${day}. After that, no meters are read.`,
        da: `Portalens refresh-token til Eloverblik udløber ${day}. Derefter hentes der ingen måleraflæsninger.`,
      },
      {
        en: 'Sign in at eloverblik.dk with MitID Erhverv, create a new refresh token under API access, set it as ELOVERBLIK_TOKEN and restart the server. Stored readings are kept.',
        da: 'Log ind på eloverblik.dk med MitID Erhverv, opret et nyt refresh-token under API-adgang, sæt det som ELOVERBLIK_TOKEN, og genstart serveren. Hentede aflæsninger bevares.',
      },
    ],
  })
}
