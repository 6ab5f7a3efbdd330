import { formatDate, type LocalMonth, monthBounds } from '@gridmast/contract/time.ts'
import type { Attachment, Letter } from '#platform/messaging/mail.ts'

type Statement = {
  company: string
  month: LocalMonth
  /** As the document names itself, and the files that fit into a mail. */
  en: { title: string; attachments: Attachment[] }
  da: { title: string; attachments: Attachment[] }
  unsettledDays: number
  /** Some file is too large for a mail. */
  isLeftOut: boolean
  link: string
  /** Stops these mails to their reader, without signing in. */
  stopLink: string
}

/** To those who are mailed a monthly statement. */
export const monthlyStatement = ({
  company,
  month,
  en,
  da,
  unsettledDays,
  isLeftOut,
  link,
  stopLink,
}: Statement): Letter => {
  const { fromMs, toMs } = monthBounds(month)
  const days = `${formatDate(fromMs)} – ${formatDate(toMs - 1)}`
  return {
    en: {
      subject: `${en.title}, ${company}`,
      text: [
        `Attached is the statement of ${company} for ${days}.`,
        ...(unsettledDays > 0
          ? [
              `The month is not complete: ${unsettledDays === 1 ? '1 day is' : `${unsettledDays} days are`} not settled yet. The sums may change.`,
            ]
          : []),
        ...(isLeftOut ? ['It is too large to be attached as a whole: download the rest in the portal.'] : []),
        link,
        `Stop receiving it, without signing in:\n${stopLink}`,
        'Gridmast',
      ].join('\n\n'),
      attachments: en.attachments,
      unsubscribe: stopLink,
    },
    da: {
      subject: `${da.title}, ${company}`,
      text: [
        `Vedhæftet er opgørelsen for ${company}, ${days}.`,
        ...(unsettledDays > 0
          ? [
              `Måneden er ikke komplet: ${unsettledDays === 1 ? '1 dag' : `${unsettledDays} dage`} er ikke afregnet endnu. Summerne kan ændre sig.`,
            ]
          : []),
        ...(isLeftOut ? ['Den er for stor til at blive vedhæftet helt: Hent resten i portalen.'] : []),
        link,
        `Stop den uden at logge ind:\n${stopLink}`,
        'Gridmast',
      ].join('\n\n'),
      attachments: da.attachments,
      unsubscribe: stopLink,
    },
  }
}
