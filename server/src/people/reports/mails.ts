import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { ReportInterval } from '@gridmast/contract/people/report-sources.ts'
import { type Attachment, type InBoth, type Letter, letter } from '#platform/messaging/mail.ts'

const intervals: Record<ReportInterval, InBoth> = {
  daily: { en: 'every day', da: 'hver dag' },
  weekly: { en: 'every Monday', da: 'hver mandag' },
  monthly: { en: 'on the first of each month', da: 'den første i hver måned' },
}

type ReportMail = {
  name: string
  company: string
  owner: string
  every: ReportInterval
  time: string
  /** Null for a list of the present. */
  days: string | null
  isSimulated: boolean
  content:
    | { kind: 'empty' }
    | { kind: 'too-large' }
    /** `omitted`: cards of a dashboard that are gone or closed to the owner. */
    | { kind: 'file'; file: Attachment; rows: number; isAll: boolean; omitted: number }
  link: string
  stopLink: string
}

const contentText = ({ content, days }: ReportMail): InBoth => {
  const [ofEn, ofDa] = days === null ? ['', ''] : [` for ${days}`, ` for ${days}`]
  if (content.kind === 'empty')
    return { en: `There was nothing to report${ofEn}.`, da: `Der var ingen data at rapportere${ofDa}.` }
  if (content.kind === 'too-large')
    return {
      en: `The report${ofEn} is too large for an email: download it in the portal.`,
      da: `Rapporten${ofDa} er for stor til en mail: Hent den i portalen.`,
    }
  return { en: `The report${ofEn} is attached.`, da: `Rapporten${ofDa} er vedhæftet.` }
}

const shownText = ({ content }: ReportMail): InBoth | null => {
  if (content.kind !== 'file' || content.isAll) return null
  const rows = formatNumber(content.rows)
  return {
    en: `It has the first ${rows} rows. The complete list is in the portal.`,
    da: `Den viser de første ${rows} rækker. Hele listen findes i portalen.`,
  }
}

const omittedText = ({ content }: ReportMail): InBoth | null => {
  if (content.kind !== 'file' || content.omitted === 0) return null
  const n = content.omitted
  if (n === 1)
    return { en: 'One card is not available and is left out.', da: 'Ét kort er ikke tilgængeligt og er udeladt.' }
  return { en: `${n} cards are not available and are left out.`, da: `${n} kort er ikke tilgængelige og er udeladt.` }
}

export const reportMail = (report: ReportMail): Letter => {
  const { name, company, owner, every, time, content, link, stopLink } = report
  const files = content.kind === 'file' ? [content.file] : []
  return letter({
    subject: { en: `Report: ${name}, ${company}`, da: `Rapport: ${name}, ${company}` },
    body: [
      contentText(report),
      shownText(report),
      omittedText(report),
      report.isSimulated && content.kind !== 'empty'
        ? { en: 'Some or all of the data is simulated.', da: 'Data er helt eller delvist simuleret.' }
        : null,
      link,
      {
        en: `${owner} set up this report. It is sent at ${time} Danish time ${intervals[every].en}.`,
        da: `${owner} har oprettet denne rapport. Den sendes kl. ${time} ${intervals[every].da}.`,
      },
      { en: `Stop receiving it, without signing in:\n${stopLink}`, da: `Stop den uden at logge ind:\n${stopLink}` },
      'Gridmast',
    ],
    attachments: { en: files, da: files },
    unsubscribe: stopLink,
  })
}
