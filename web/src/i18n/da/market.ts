export const market = {
  'Last 30 minutes': 'Seneste 30 minutter',
  'Frequency could not be loaded.': 'Frekvensen kunne ikke hentes.',
  'No frequency in the last 30 minutes': 'Ingen frekvens de seneste 30 minutter',
  'No gateway has reported. Check that the edge is online.': 'Ingen gateway har rapporteret. Tjek, at edge er online.',
  Total: 'Total',
  'D-1': 'D-1',
  'D-2': 'D-2',
  Latest: 'Seneste',
  'Prices of the market': 'Markedets priser',
  'The signals of the market could not be loaded.': 'Markedets signaler kunne ikke hentes.',
  'No prices are published for this market in the areas of your company.':
    'Der offentliggøres ingen priser for dette marked i din virksomheds områder.',
  'Start time': 'Starttid',
  'End time': 'Sluttid',
  'No frequency in this time': 'Ingen frekvens i dette tidsrum',
  'Nothing was reported. Choose another time, or check that the edge was online.':
    'Der blev ikke meldt noget. Vælg et andet tidsrum, eller se efter, om enheden var online.',
  'Public measurement of {{area}}: {{source}}': 'Offentlig måling for {{area}}: {{source}}',
  'Set Point': 'Sætpunkt',
  'The set point could not be loaded.': 'Sætpunktet kunne ikke hentes.',
  'No set point in this time': 'Intet sætpunkt i dette tidsrum',
  'The instance reported none. Choose another time.': 'Instansen meldte intet. Vælg et andet tidsrum.',
}
