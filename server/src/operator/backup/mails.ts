import { type Letter, letter } from '#platform/messaging/mail.ts'

export const backupFailed = (storage: string, reason: string): Letter =>
  letter({
    subject: { en: 'Backup failed', da: 'Backup mislykkedes' },
    body: [
      {
        en: `The backup to ${storage} failed and is not stored. Earlier backups are unchanged.`,
        da: `Backuppen til ${storage} mislykkedes og er ikke gemt. Tidligere backupper er uændrede.`,
      },
      reason,
      'Gridmast',
    ],
  })

export const backupOld = (storage: string, ageHours: number): Letter =>
  letter({
    subject: { en: 'The newest backup is too old', da: 'Den nyeste backup er for gammel' },
    body: [
      {
        en: `The newest verified backup in ${storage} is ${ageHours} hours old. A new backup was started.`,
        da: `Den nyeste kontrollerede backup i ${storage} er ${ageHours} timer gammel. En ny backup er startet.`,
      },
      'Gridmast',
    ],
  })

export const drillFailed = (storage: string, reason: string): Letter =>
  letter({
    subject: { en: 'Restore drill failed', da: 'Prøvegendannelse mislykkedes' },
    body: [
      {
        en: `The newest backup in ${storage} was not restored and compared. The data of the server is unchanged.`,
        da: `Den nyeste backup i ${storage} blev ikke gendannet og kontrolleret. Serverens data er uændrede.`,
      },
      reason,
      'Gridmast',
    ],
  })
