import { formatDate } from '@gridmast/contract/time.ts'
import type { Letter } from '#platform/messaging/mail.ts'

type Author = { name: string; company: string; email: string }
type Note = { title: string; description: string; released: string; enable: boolean }

/** To the operator: no word of the customer's stands in its head. */
const letter = (note: Note, en: { subject: string; lead: string }, da: { subject: string; lead: string }): Letter => {
  const rest = [`${note.title} (${formatDate(note.released)})`, note.description]
  return {
    en: { subject: en.subject, text: [en.lead, ...rest].join('\n\n') },
    da: { subject: da.subject, text: [da.lead, ...rest].join('\n\n') },
  }
}

const within = (note: Note) =>
  note.enable
    ? { en: ' within 24 hours', da: ' inden for 24 timer' }
    : { en: ': the note is closed', da: ': noten er lukket' }

export const noteCreated = ({ name, company, email }: Author, note: Note): Letter =>
  letter(
    note,
    {
      subject: 'New support note',
      lead: `${name} of ${company} created a support note. Reply to ${email}${within(note).en}.`,
    },
    {
      subject: 'Ny supportnote',
      lead: `${name} fra ${company} har oprettet en supportnote. Svar til ${email}${within(note).da}.`,
    },
  )

export const noteChanged = ({ name, company, email }: Author, note: Note): Letter =>
  letter(
    note,
    {
      subject: 'Support note changed',
      lead: `${name} of ${company} changed a support note. Reply to ${email}${within(note).en}.`,
    },
    {
      subject: 'Supportnote ændret',
      lead: `${name} fra ${company} har ændret en supportnote. Svar til ${email}${within(note).da}.`,
    },
  )
