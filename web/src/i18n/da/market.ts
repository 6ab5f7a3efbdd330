export const market = {
  'The large figure is available now; Sold now is what won bids require.':
    'Det store tal er til rådighed nu; Solgt nu er det, vundne bud kræver.',
  '{{market}} was not bought on this day': '{{market}} blev ikke købt denne dag',
  'The grid operator published no demand, so there is no price.':
    'Den systemansvarlige har ikke offentliggjort et behov, så der er ingen pris.',
  'Last 30 minutes': 'Seneste 30 minutter',
  'Frequency could not be loaded.': 'Frekvensen kunne ikke hentes.',
  'No frequency in the last 30 minutes': 'Ingen frekvens de seneste 30 minutter',
  'Nothing was received. Check that the edge is online.': 'Der er intet modtaget. Tjek, at edge-enheden er online.',
  'DKK/MW per block of 4 h': 'DKK/MW pr. blok på 4 t',
  Total: 'Total',
  'D-1': 'D-1',
  'D-2': 'D-2',
  Latest: 'Seneste',
  'Prices of the market': 'Markedets priser',
  'No prices are published for this market in your price areas.':
    'Der offentliggøres ingen priser for dette marked i dine prisområder.',
  'Start time': 'Starttid',
  'End time': 'Sluttid',
  'No frequency in this period': 'Ingen frekvens i denne periode',
  'Nothing was received. Choose another period, or check that the edge was online.':
    'Der er intet modtaget. Vælg en anden periode, eller tjek, at edge-enheden var online.',
  'Public measurement of {{area}}: {{source}}': 'Offentlig måling for {{area}}: {{source}}',
  'Set Point': 'Sætpunkt',
  'The set point could not be loaded.': 'Sætpunktet kunne ikke hentes.',
  'No set point in this period': 'Intet sætpunkt i denne periode',
  'The instance received none. Choose another period.': 'Anlægget modtog intet sætpunkt. Vælg en anden periode.',
}
