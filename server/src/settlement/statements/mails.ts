import type { LocalMonth } from '@gridmast/contract/time.ts'
import { monthText } from '#people/letters/monthly-statement.ts'
import { type Attachment, type Letter, letter } from '#platform/messaging/mail.ts'

type Statement = {
  company: string
  month: LocalMonth
  en: { title: string; attachments: Attachment[] }
  da: { title: string; attachments: Attachment[] }
  unsettledDays: number
  isLeftOut: boolean
  link: string
  stopLink: string
}

export const monthlyStatement = (statement: Statement): Letter => {
  const { company, month, en, da, unsettledDays, isLeftOut, link, stopLink } = statement
  const days = monthText(month)
  const isOne = unsettledDays === 1
  return letter({
    subject: { en: `${en.title}, ${company}`, da: `${da.title}, ${company}` },
    body: [
      {
        en: `Attached is the statement of ${company} for ${days}.`,
        da: `Vedhæftet er opgørelsen for ${company}, ${days}.`,
      },
      unsettledDays === 0
        ? null
        : {
            en: `The month is not complete: ${isOne ? '1 day is' : `${unsettledDays} days are`} not settled yet. The sums may change.`,
            da: `Måneden er ikke komplet: ${isOne ? '1 dag' : `${unsettledDays} dage`} er ikke afregnet endnu. Summerne kan ændre sig.`,
          },
      isLeftOut
        ? {
            en: 'It is too large to be attached as a whole: download the rest in the portal.',
            da: 'Den er for stor til at blive vedhæftet helt: Hent resten i portalen.',
          }
        : null,
      link,
      { en: `Stop receiving it, without signing in:\n${stopLink}`, da: `Stop den uden at logge ind:\n${stopLink}` },
      'Gridmast',
    ],
    attachments: { en: en.attachments, da: da.attachments },
    unsubscribe: stopLink,
  })
}
