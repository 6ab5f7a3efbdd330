export const home = {
  'Power capacity could not be loaded.': 'Effektkapaciteten kunne ikke hentes.',
  'No capacity reported': 'Ingen kapacitet rapporteret',
  'The instance has not reported yet.': 'Instansen har ikke rapporteret endnu.',
  Revenue: 'Omsætning',
  'No settlements yet': 'Ingen afregninger endnu',
  'This version does not settle bids. The month’s revenue will stand here once it does.':
    'Denne version afregner ikke bud. Månedens omsætning vises her, når den gør.',
  Peak: 'Spids',
  'Set point': 'Sætpunkt',
  Measured: 'Målt',
  View: 'Visning',
  '{{count}} gaps in telemetry': '{{count}} huller i telemetrien',
  'Power could not be loaded.': 'Effekten kunne ikke hentes.',
  'Nothing measured today': 'Intet målt i dag',
  'The instance has not reported since midnight.': 'Instansen har ikke rapporteret siden midnat.',
  'FCR Markets': 'FCR-markeder',
  'FRR Markets': 'FRR-markeder',
  'Choose an instance': 'Vælg en instans',
  Direction: 'Retning',
  'Start Time': 'Starttid',
  'Delta Load (%)': 'Delta-last (%)',
  'Max Setpoint': 'Maks. sætpunkt',
  Duration: 'Varighed',
  'This version does not detect activations yet. They will be listed here once it does.':
    'Denne version registrerer ikke aktiveringer endnu. De vises her, når den gør.',
  'Faults and alerts': 'Fejl og alarmer',
  'No faults or alerts recorded': 'Ingen fejl eller alarmer registreret',
  'This version does not watch for faults yet. Check Last Reported on each chart for silent equipment.':
    'Denne version overvåger ikke fejl endnu. Se Senest rapporteret på hver graf for tavst udstyr.',
  'No chargers yet': 'Ingen ladere endnu',
  'This version does not connect chargers. Sessions, energy and cost will stand here once it does.':
    'Denne version forbinder ikke ladere. Sessioner, energi og pris vises her, når den gør.',
}
