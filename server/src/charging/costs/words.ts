import type { Language } from '@gridmast/contract/people/user.ts'

const notIncluded = (count: number) =>
  count === 1 ? '1 session is not included' : `${count} sessions are not included`

const en = {
  title: 'Charging statement',
  noGroup: 'Tags without a group',
  createdAt: (at: string) => `Created ${at}`,
  sessions: 'Sessions',
  energy: 'Energy',
  cost: 'Cost of energy',
  driver: 'To be paid',
  co2: 'Emission',
  simulated: 'Simulated data: these sessions come from a simulator. This is not an invoice.',
  partlySimulated: 'Partly simulated data: some of these sessions come from a simulator. This is not an invoice.',
  unknownEnergy: (count: number) => `${notIncluded(count)} in the energy: the charger reported no energy.`,
  unknownCost: (kwh: string) =>
    `${kwh} kWh have no cost yet and are not included in it: a price is not set or not published.`,
  unbilled: (kwh: string) => `${kwh} kWh have no driver price and are not included in the amount to be paid.`,
  doubted: (count: number, kwh: string) =>
    `${notIncluded(count)} (${kwh} kWh): the reported energy is implausible and not confirmed.`,
  refused: (count: number, kwh: string) =>
    `${notIncluded(count)} (${kwh} kWh): the tag was refused, but the charger charged.`,
  running: (count: number) =>
    count === 1
      ? '1 session is still running: it is included up to its latest reading.'
      : `${count} sessions are still running: they are included up to their latest reading.`,
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
  method: 'How it is calculated',
  methodText: [
    'A month contains the sessions that began in it, Danish time. Energy is the charger’s meter reading at the end less the reading at the start.',
    'The cost of energy is kWh × (spot price + tariff + tax) of each quarter of an hour, without VAT. The amount to be paid is kWh × the driver price of the day on which the session began.',
    'Amounts are calculated exactly and rounded once, so a total may differ by an øre from the sum of its lines.',
  ],
  estimatedMark: '* The energy or the end is estimated from the last reading.',
}

const sessionsDa = (count: number) => (count === 1 ? '1 opladning' : `${count} opladninger`)

const da: typeof en = {
  title: 'Opgørelse af opladning',
  noGroup: 'Ladebrikker uden gruppe',
  createdAt: (at) => `Oprettet ${at}`,
  sessions: 'Opladninger',
  energy: 'Energi',
  cost: 'Energiomkostning',
  driver: 'Til betaling',
  co2: 'Udledning',
  simulated: 'Simulerede data: Opladningerne kommer fra en simulator. Dette er ikke en faktura.',
  partlySimulated: 'Delvis simulerede data: Nogle af opladningerne kommer fra en simulator. Dette er ikke en faktura.',
  unknownEnergy: (count) => `${sessionsDa(count)} er ikke med i energien: Laderen har ikke oplyst energien.`,
  unknownCost: (kwh) =>
    `${kwh} kWh har endnu ingen omkostning og er ikke med: En pris er ikke sat eller ikke offentliggjort.`,
  unbilled: (kwh) => `${kwh} kWh har ingen chaufførpris og er ikke med i beløbet til betaling.`,
  doubted: (count, kwh) =>
    `${sessionsDa(count)} (${kwh} kWh) er ikke med: Den oplyste energi er usandsynlig og ikke bekræftet.`,
  refused: (count, kwh) =>
    `${sessionsDa(count)} (${kwh} kWh) er ikke med: Ladebrikken blev afvist, men laderen ladede alligevel.`,
  running: (count) =>
    `${sessionsDa(count)} er stadig i gang: ${count === 1 ? 'Den' : 'De'} er med til og med seneste måling.`,
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
  method: 'Sådan er der beregnet',
  methodText: [
    'En måned omfatter de opladninger, der begyndte i den, dansk tid. Energien er ladermålerens slutstand minus startstand.',
    'Energiomkostningen er kWh × (spotpris + tarif + afgift) i hvert kvarter, uden moms. Til betaling er kWh × prisen for chauffører den dag, opladningen begyndte.',
    'Beløb er eksakte undervejs og afrundes én gang, så en sum kan afvige en øre fra sine linjer.',
  ],
  estimatedMark: '* Energien eller slutningen er skønnet efter den sidste måling.',
}

export const words: Record<Language, typeof en> = { en, da }
