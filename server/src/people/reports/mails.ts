import type { ReportInterval } from '@gridmast/contract/people/report-sources.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { type Attachment, type InBoth, type Letter, letter } from '#platform/messaging/mail.ts'
import type { periodOf } from './schedule.ts'

export const daysText = ({ first, last }: ReturnType<typeof periodOf>): string =>
  first === last ? formatDate(first) : `${formatDate(first)} – ${formatDate(last)}`

const intervals: Record<ReportInterval, InBoth> = {
  daily: { en: 'every day', da: 'hver dag' },
  weekly: { en: 'every Monday', da: 'hver mandag' },
  monthly: { en: 'on the 1st of each month', da: 'den 1. i hver måned' },
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
  content: { kind: 'empty' } | { kind: 'too-large' } | { kind: 'file'; file: Attachment; leftOut: number }
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

const leftOutText = ({ content }: ReportMail): InBoth | null =>
  content.kind === 'file' && content.leftOut > 0
    ? {
        en: `It has the first ${content.leftOut} rows. The complete list is in the portal.`,
        da: `Den viser de første ${content.leftOut} rækker. Hele listen findes i portalen.`,
      }
    : null

export const reportMail = (report: ReportMail): Letter => {
  const { name, company, owner, every, time, content, link, stopLink } = report
  const subject = `${name}, ${company}`
  const files = content.kind === 'file' ? [content.file] : []
  return letter({
    subject: { en: subject, da: subject },
    body: [
      contentText(report),
      leftOutText(report),
      report.isSimulated && content.kind !== 'empty'
        ? { en: 'Some or all of the data is simulated.', da: 'Data er helt eller delvist simuleret.' }
        : null,
      link,
      {
        en: `${owner} set up this report. It is sent ${intervals[every].en} at ${time}, Danish time.`,
        da: `${owner} har oprettet denne rapport. Den sendes ${intervals[every].da} kl. ${time}.`,
      },
      { en: `Stop receiving it, without signing in:\n${stopLink}`, da: `Stop den uden at logge ind:\n${stopLink}` },
      'Gridmast',
    ],
    attachments: { en: files, da: files },
    unsubscribe: stopLink,
  })
}
