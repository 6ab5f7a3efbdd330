import { formatDate } from '@gridmast/contract/time.ts'
import { type InBoth, type Letter, letter } from '#platform/messaging/mail.ts'

type Author = { name: string; company: string; email: string }
type Note = { title: string; description: string; released: string; enable: boolean }

const aboutNote = (note: Note, subject: InBoth, lead: InBoth): Letter =>
  letter({ subject, body: [lead, `${note.title} (${formatDate(note.released)})`, note.description] })

const within = (note: Note): InBoth =>
  note.enable
    ? { en: ' within 24 hours', da: ' inden for 24 timer' }
    : { en: ': the note is closed', da: ': noten er lukket' }

export const noteCreated = ({ name, company, email }: Author, note: Note): Letter =>
  aboutNote(
    note,
    { en: 'New support note', da: 'Ny supportnote' },
    {
      en: `${name} of ${company} created a support note. Reply to ${email}${within(note).en}.`,
      da: `${name} fra ${company} har oprettet en supportnote. Svar til ${email}${within(note).da}.`,
    },
  )

export const noteChanged = ({ name, company, email }: Author, note: Note): Letter =>
  aboutNote(
    note,
    { en: 'Support note changed', da: 'Supportnote ændret' },
    {
      en: `${name} of ${company} changed a support note. Reply to ${email}${within(note).en}.`,
      da: `${name} fra ${company} har ændret en supportnote. Svar til ${email}${within(note).da}.`,
    },
  )
