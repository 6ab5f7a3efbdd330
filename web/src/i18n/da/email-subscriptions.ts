export const emailSubscriptions = {
  'Added email subscriptions': 'Oprettede e-mailabonnementer',
  'Changed an email subscription': 'Ændrede et e-mailabonnement',
  'Removed an email subscription': 'Fjernede et e-mailabonnement',
  'Stopped activation emails by their link': 'Stoppede aktiveringsmails med linket i en mail',
  'Who is emailed about which instance.': 'Hvem der får mail om hvilket anlæg.',
}
