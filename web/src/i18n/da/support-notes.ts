export const supportNotes = {
  'Write to the support team. An open note is answered within 24 hours; close it when the matter is settled.':
    'Skriv til supportteamet. En åben note besvares inden for 24 timer; luk den, når sagen er løst.',
  'Add note': 'Tilføj note',
  'The notes could not be loaded.': 'Noterne kunne ikke hentes.',
  'Edit note': 'Redigér note',
  'New note': 'Ny note',
  'Create note': 'Opret note',
  Title: 'Titel',
  Open: 'Åben',
  Closed: 'Lukket',
  'Created at': 'Oprettet',
  'Switch it off when the matter is settled': 'Slå fra, når sagen er løst',
  'Created a support note': 'Oprettede en supportnote',
  'Edited a support note': 'Rettede en supportnote',
  'Your company has no support notes.': 'Jeres virksomhed har ingen supportnoter.',
  'Your notes to the support team.': 'Dine noter til supportteamet.',
  'What changed in each version.': 'Hvad der er ændret i hver version.',
}
