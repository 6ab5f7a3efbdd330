export const carbon = {
  Estimated: 'Estimeret',
  'No price area': 'Intet prisområde',
  'Your company has no price area. Ask the operator to add one.':
    'Din virksomhed har intet prisområde. Bed operatøren om at tilføje et.',
  'Emission prognosis': 'Prognose for udledning',
  'Emission (kg CO2)': 'Udledning (kg CO2)',
  'The emission could not be loaded.': 'Udledningen kunne ikke hentes.',
  'No data': 'Ingen data',
  'No emission for this day': 'Ingen udledning for denne dag',
  'Nothing was published for this area and day.': 'Der er ikke offentliggjort noget for dette område og denne dag.',
  'No prognosis for this day': 'Ingen prognose for denne dag',
  'The prognosis of a day is published on the afternoon before.':
    'Prognosen for en dag offentliggøres om eftermiddagen dagen før.',
  'Colours from 60 g/kWh, green, to 500 g/kWh, brown': 'Farver fra 60 g/kWh, grøn, til 500 g/kWh, brun',
  'Own emission': 'Egen udledning',
  'Own emission by instance': 'Egen udledning pr. instans',
  'By instance': 'Pr. instans',
  'All instances': 'Alle instanser',
  'Your own emission could not be loaded.': 'Din egen udledning kunne ikke hentes.',
  'No consumption on this day': 'Intet forbrug denne dag',
  'No instance in this area reported power on this day.': 'Ingen instans i dette område meldte effekt denne dag.',
  'No consumption to cover': 'Intet forbrug at dække',
  'Hours with a known emission hold {{share}} % of the consumption. The rest is not counted.':
    'Timer med kendt udledning rummer {{share}} % af forbruget. Resten er ikke regnet med.',
  'kWh of each hour × emission of that hour': 'kWh i hver time × timens udledning',
  'Every hour of the consumption has a known emission.': 'Hver time af forbruget har en kendt udledning.',
}
