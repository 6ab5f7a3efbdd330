export const meters = {
  'Found new meters under a key': 'Fandt nye målere under en nøgle',
  'Settings of {{name}}': 'Indstillinger for {{name}}',
  'Add the CVR number of your company to see its meters here.':
    'Tilføj virksomhedens CVR-nummer for at se dens målere her.',
  'An administrator of your company adds its meters by CVR number.':
    'En administrator i jeres virksomhed tilføjer målerne med et CVR-nummer.',
  'Name, address, id or CVR': 'Navn, adresse, id, CVR',
  'Key (CVR)': 'Nøgle (CVR)',
  'Eight digits': 'Otte cifre',
  'Eloverblik is listing the meters …': 'Eloverblik laver en liste over målerne …',
  'Eloverblik has no list ready, so the meters are asked for ten at a time.':
    'Eloverblik har ingen liste klar, så målerne hentes ti ad gangen.',
  '{{done}} of {{count}} meters': '{{done}} af {{count}} målere',
  '{{done}} of {{count}} meters_one': '{{done}} af 1 måler',
  'Adds the meters that your company has authorised in Eloverblik. They are read once you have configured them.':
    'Tilføjer de målere, som jeres virksomhed har givet fuldmagt til i Eloverblik. De aflæses, når I har konfigureret dem.',
  'Edit group {{key}}': 'Redigér gruppen {{key}}',
  'Edit group': 'Redigér gruppe',
  'Shown beside the CVR number, such as the name of the company':
    'Vises ved siden af CVR-nummeret, f.eks. virksomhedens navn',
  'Delete this group?': 'Slet gruppen?',
  'Deleting a group also deletes its devices: {{n}} of {{group}}, with their readings.':
    'Når en gruppe slettes, slettes dens enheder også: {{n}} under {{group}}, med deres målinger.',
  'Meter settings': 'Målerindstillinger',
  'Your company: {{tax}}': 'Jeres virksomhed: {{tax}}',
  'Chosen now': 'Valgt nu',
  'Tax value': 'Afgift',
  Tariff: 'Tarif',
  'Of the grid company, hour by hour. Leave it empty where the tax value holds it all.':
    'Netselskabets tarif time for time. Lad feltet stå tomt, hvis afgiften dækker det hele.',
  None: 'Ingen',
  'Read from Eloverblik twice a day, and counted in the overview':
    'Aflæses i Eloverblik to gange i døgnet og tælles med i overblikket',
  'Cost = kWh × (spot price + tariff + tax value), without VAT.':
    'Omkostning = kWh × (spotpris + tarif + afgift), uden moms.',
  'As metered': 'Som målt',
  'All groups': 'Alle grupper',
  'Meters: {{meters}} · rows: {{rows}}': 'Målere: {{meters}} · rækker: {{rows}}',
  'No readings yet': 'Ingen målinger endnu',
}
