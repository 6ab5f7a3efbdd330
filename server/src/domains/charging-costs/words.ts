/** Words of a printed statement. */
const en = {
  title: 'Charging statement',
  noGroup: 'Tags without a group',
  made: (at: string) => `Made ${at}`,
  sessions: 'Sessions',
  energy: 'Energy',
  cost: 'Cost of energy',
  driver: 'To be paid',
  co2: 'Emission',
  simulated: 'Simulated data: these sessions come from a simulator. This is no bill.',
  unknownEnergy: (count: string) =>
    `${count} sessions are in no sum of energy, since neither charger nor meter said what they took.`,
  unknownCost: (kwh: string) =>
    `${kwh} kWh have no cost yet: a price is not set or was not published. They are in no sum of cost.`,
  unbilled: (kwh: string) =>
    `${kwh} kWh were charged where no price for drivers is set. They are in no sum that is to be paid.`,
  doubted: (count: string, kwh: string) =>
    `${count} sessions (${kwh} kWh) are in no sum: the reported energy cannot be right and is not confirmed.`,
  refused: (count: string, kwh: string) =>
    `${count} sessions (${kwh} kWh) are in no sum: their tag was refused and the charger charged all the same.`,
  running: (count: string) => `${count} sessions are still running: they count as far as their meter.`,
  byTag: 'By tag',
  tag: 'Tag',
  none: 'No tag',
  bySession: 'Sessions',
  start: 'Start',
  charger: 'Charger',
  minutes: 'Duration',
  kwh: 'kWh',
  dkk: 'Cost (DKK)',
  pays: 'Pays (DKK)',
  kgCo2: 'kg CO₂',
  total: 'Total',
  more: (count: string) => `${count} more sessions stand in the Excel file.`,
  method: 'How it is counted',
  methodText: [
    'A month has the sessions that began in it, by Danish time. Energy is what the charger’s meter says at the end less what it said at the start.',
    'The cost of energy is kWh × (spot price + tariff + tax) of each quarter of an hour, without VAT. What is to be paid is kWh × the price for drivers on the day on which a session began.',
    'Amounts are exact inside and rounded once, so a total may differ by an øre from the sum of its lines.',
  ],
  estimatedMark: '* The energy or the end is an estimate by the last reading.',
}

const da: typeof en = {
  title: 'Opgørelse af opladning',
  noGroup: 'Ladebrikker uden gruppe',
  made: (at) => `Lavet ${at}`,
  sessions: 'Opladninger',
  energy: 'Energi',
  cost: 'Energiens pris',
  driver: 'Til betaling',
  co2: 'Udledning',
  simulated: 'Simulerede data: Opladningerne kommer fra en simulator. Det her er ikke en regning.',
  unknownEnergy: (count) =>
    `${count} opladninger er ikke med i energien, da hverken lader eller måler har sagt, hvad de tog.`,
  unknownCost: (kwh) =>
    `${kwh} kWh har endnu ingen pris: Den er ikke sat eller ikke offentliggjort. De er ikke med i nogen sum af priser.`,
  unbilled: (kwh) =>
    `${kwh} kWh er ladet, hvor der ikke er sat en pris for chauffører. De er ikke med i det, der skal betales.`,
  doubted: (count, kwh) =>
    `${count} opladninger (${kwh} kWh) er ikke med: Den oplyste energi kan ikke passe og er ikke bekræftet.`,
  refused: (count, kwh) =>
    `${count} opladninger (${kwh} kWh) er ikke med: Brikken blev afvist, men laderen ladede alligevel.`,
  running: (count) => `${count} opladninger er i gang endnu: De tæller så langt, som måleren er nået.`,
  byTag: 'Pr. ladebrik',
  tag: 'Ladebrik',
  none: 'Ingen ladebrik',
  bySession: 'Opladninger',
  start: 'Start',
  charger: 'Lader',
  minutes: 'Varighed',
  kwh: 'kWh',
  dkk: 'Pris (kr.)',
  pays: 'Betaler (kr.)',
  kgCo2: 'kg CO₂',
  total: 'I alt',
  more: (count) => `${count} flere opladninger står i Excel-filen.`,
  method: 'Sådan er der regnet',
  methodText: [
    'En måned har de opladninger, der begyndte i den efter dansk tid. Energien er ladermålerens stand til sidst minus dens stand ved start.',
    'Energiens pris er kWh × (spotpris + tarif + afgift) i hvert kvarter, uden moms. Til betaling er kWh × prisen for chauffører den dag, opladningen begyndte.',
    'Beløb er eksakte undervejs og afrundes én gang, så en sum kan afvige en øre fra sine linjer.',
  ],
  estimatedMark: '* Energien eller slutningen er skønnet efter den sidste måling.',
}

export const words = { en, da }
export type Language = keyof typeof words
