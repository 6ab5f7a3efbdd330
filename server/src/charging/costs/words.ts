import type { Language } from '@gridmast/contract/people/user.ts'

const are = (count: number) => (count === 1 ? '1 session is' : `${count} sessions are`)

const en = {
  title: 'Charging statement',
  noGroup: 'Tags without a group',
  made: (at: string) => `Created ${at}`,
  sessions: 'Sessions',
  energy: 'Energy',
  cost: 'Cost of energy',
  driver: 'To be paid',
  co2: 'Emission',
  simulated: 'Simulated data: these sessions come from a simulator. This is no bill.',
  partlySimulated: 'Partly simulated data: some of these sessions come from a simulator. This is no bill.',
  unknownEnergy: (count: number) =>
    `${are(count)} in no sum of energy: neither charger nor meter reported ${count === 1 ? 'its' : 'their'} energy.`,
  unknownCost: (kwh: string) =>
    `${kwh} kWh have no cost yet: a price is not set or was not published. They are in no sum of cost.`,
  unbilled: (kwh: string) =>
    `${kwh} kWh were charged where no price for drivers is set. They are in no sum that is to be paid.`,
  doubted: (count: number, kwh: string) =>
    `${are(count)} in no sum (${kwh} kWh): the reported energy cannot be right and is not confirmed.`,
  refused: (count: number, kwh: string) =>
    `${are(count)} in no sum (${kwh} kWh): ${count === 1 ? 'its' : 'their'} tag was refused and the charger charged all the same.`,
  running: (count: number) =>
    count === 1
      ? '1 session is still running: it counts as far as its meter.'
      : `${count} sessions are still running: they count as far as their meter.`,
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
  more: (count: number) =>
    count === 1 ? '1 more session is in the Excel file.' : `${count} more sessions are in the Excel file.`,
  method: 'How it is counted',
  methodText: [
    'A month has the sessions that began in it, by Danish time. Energy is the reading of the charger’s meter at the end less its reading at the start.',
    'The cost of energy is kWh × (spot price + tariff + tax) of each quarter of an hour, without VAT. What is to be paid is kWh × the price for drivers on the day on which a session began.',
    'Amounts are calculated exactly and rounded once, so a total may differ by an øre from the sum of its lines.',
  ],
  estimatedMark: '* The energy or the end is estimated from the last reading.',
}

const sessionsDa = (count: number) => (count === 1 ? '1 opladning' : `${count} opladninger`)

const da: typeof en = {
  title: 'Opgørelse af opladning',
  noGroup: 'Ladebrikker uden gruppe',
  made: (at) => `Oprettet ${at}`,
  sessions: 'Opladninger',
  energy: 'Energi',
  cost: 'Energiomkostning',
  driver: 'Til betaling',
  co2: 'Udledning',
  simulated: 'Simulerede data: Opladningerne kommer fra en simulator. Det her er ikke en regning.',
  partlySimulated:
    'Delvis simulerede data: Nogle af opladningerne kommer fra en simulator. Det her er ikke en regning.',
  unknownEnergy: (count) =>
    `${sessionsDa(count)} er ikke med i energien: Hverken lader eller måler har oplyst ${count === 1 ? 'dens' : 'deres'} energi.`,
  unknownCost: (kwh) =>
    `${kwh} kWh har endnu ingen omkostning: En pris er ikke sat eller ikke offentliggjort. De er ikke med i nogen sum af omkostninger.`,
  unbilled: (kwh) =>
    `${kwh} kWh er ladet, hvor der ikke er sat en pris for chauffører. De er ikke med i det, der skal betales.`,
  doubted: (count, kwh) =>
    `${sessionsDa(count)} (${kwh} kWh) er ikke med: Den oplyste energi kan ikke passe og er ikke bekræftet.`,
  refused: (count, kwh) =>
    `${sessionsDa(count)} (${kwh} kWh) er ikke med: Ladebrikken blev afvist, men laderen ladede alligevel.`,
  running: (count) =>
    `${sessionsDa(count)} er i gang endnu: ${count === 1 ? 'Den' : 'De'} tæller så langt, som måleren er nået.`,
  byTag: 'Pr. ladebrik',
  tag: 'Ladebrik',
  none: 'Ingen ladebrik',
  bySession: 'Opladninger',
  start: 'Start',
  charger: 'Lader',
  minutes: 'Varighed',
  kwh: 'kWh',
  dkk: 'Omkostning (kr.)',
  pays: 'Betaler (kr.)',
  kgCo2: 'kg CO₂',
  total: 'I alt',
  more: (count) => (count === 1 ? '1 opladning mere er i Excel-filen.' : `${count} opladninger mere er i Excel-filen.`),
  method: 'Sådan er der regnet',
  methodText: [
    'En måned har de opladninger, der begyndte i den efter dansk tid. Energien er ladermålerens stand til sidst minus dens stand ved start.',
    'Energiomkostningen er kWh × (spotpris + tarif + afgift) i hvert kvarter, uden moms. Til betaling er kWh × prisen for chauffører den dag, opladningen begyndte.',
    'Beløb er eksakte undervejs og afrundes én gang, så en sum kan afvige en øre fra sine linjer.',
  ],
  estimatedMark: '* Energien eller slutningen er skønnet efter den sidste måling.',
}

export const words: Record<Language, typeof en> = { en, da }
