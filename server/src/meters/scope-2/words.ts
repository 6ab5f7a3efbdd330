import type { Language } from '@gridmast/contract/people/user.ts'

const isOne = (hours: string) => hours === '1'
const meterHours = (hours: string) => `${hours} ${isOne(hours) ? 'meter-hour' : 'meter-hours'}`
const counted = (hours: string) => (isOne(hours) ? 'It is included as reported.' : 'They are included as reported.')

/** Words of the printed report. Method in our own words after the GHG Protocol's Scope 2 Guidance. */
const en = {
  title: 'Scope 2 emissions, location-based',
  period: (start: string, end: string) => `${start} to ${end}`,
  made: (at: string, by: string) => `Created ${at} by ${by}`,
  consumption: 'Consumption read',
  emission: 'Emission',
  emissionPartly: 'Emission, known part',
  factor: 'Mean factor used',
  covered: 'Time covered',
  unknown: 'unknown',
  simulated:
    'Simulated data: readings or emission factors come from a simulator. This report does not describe real emissions.',
  complete: 'All hours of all meters have a reading and an emission factor.',
  missing: (hours: string, share: string) =>
    `Not read: ${meterHours(hours)} (${share} % of the time). The consumption is unknown and excluded from all totals.`,
  estimated: (hours: string, share: string) =>
    `Estimated by the grid company: ${meterHours(hours)} (${share} % of the time). ${counted(hours)}`,
  incomplete: (hours: string, share: string) =>
    `Reported as incomplete by the grid company: ${meterHours(hours)} (${share} % of the time). ${counted(hours)}`,
  withoutFactor: (kwh: string, hours: string) =>
    `No emission factor was published for ${meterHours(hours)} with ${kwh} kWh. The consumption is included; the emission is unknown and excluded.`,
  byMonth: 'By month',
  byKey: 'By CVR number',
  bySite: 'By site',
  byMeter: 'By meter',
  month: 'Month',
  key: 'CVR',
  site: 'Site',
  noSite: 'No address',
  meter: 'Meter',
  kwh: 'kWh',
  kgCo2: 'kg CO₂',
  gramsPerKwh: 'g/kWh',
  read: 'Measured',
  estimatedColumn: 'Estimated',
  missingColumn: 'Missing',
  noFactor: 'No factor',
  total: 'Total',
  coverageNote:
    'Time covered: hours with both a reading and a factor. Measured, estimated and missing are percentages of the hours of the period; readings reported as incomplete are included in the estimated ones. No factor: hours with a reading but no emission factor.',
  method: 'Method',
  methodText: [
    'Scope 2 covers the emission from generating the electricity that the company purchased and consumed. The location-based method uses the average emission of the supplying grid, regardless of contracts.',
    'For each meter and hour, the consumption in kWh is multiplied by the mean emission of the grid in that hour, in g CO₂ per kWh, in the price area of the meter. The report is the sum of these products.',
    'The factor covers CO₂ from the electricity consumed in the area, including imports. It excludes methane and nitrous oxide, and plant construction and fuel supply, which belong to Scope 3. The first published value is used; the yearly declaration of Energinet may differ.',
    'A market-based figure requires contracts and guarantees of origin and is not part of this report. A company with such contracts reports both figures.',
    'Days are local days in Danish time, with 23 or 25 hours when the clocks change.',
  ],
  sources: 'Sources',
  readingsFrom: (source: string) => `Consumption: ${source}.`,
  factorsFrom: (area: string, source: string, published: string, hours: string) =>
    `Emission factor ${area}: ${source}; published for ${published} of ${hours} hours.`,
  factorSpan: (mean: string, lowest: string, highest: string) =>
    `Mean of the hours ${mean} g/kWh, lowest ${lowest}, highest ${highest}.`,
  versions: 'Versions used',
  versionsText:
    'The grid company may change the readings of a day later. For each meter: days received, days that had been changed when this report was created, and the highest version used.',
  daysRead: 'Days received',
  daysRevised: 'Changed days',
  version: 'Highest version',
  inputs: (hash: string) =>
    `SHA-256 of the inputs of this report (meters, version of each day, each hourly factor): ${hash}. Reports with the same number have the same content.`,
  changes: 'Changes since the previous report',
  changesOfDeleted: 'A deleted report covered the same meters and days. These have changed since:',
  changesText: (at: string) => `The report of ${at} covers the same meters and days. These have changed since:`,
  day: 'Day',
  before: 'Before',
  after: 'Now',
  dayVersion: (version: number, kwh: string) => `v${version}: ${kwh} kWh`,
  notThere: 'missing',
  more: (count: number) => (count === 1 ? 'and 1 more day.' : `and ${count} more days.`),
  factorHours: (area: string, hours: string) =>
    `Emission factor ${area}: ${isOne(hours) ? '1 hour has' : `${hours} hours have`} a different value.`,
  change: (before: string, after: string) => `Emission: ${before} kg CO₂ before, ${after} kg CO₂ now.`,
  foot: (id: string) => `Scope 2, location-based · Gridmast · report ${id}`,
}
type Words = typeof en

const meterHoursDa = (hours: string) => `${hours} ${isOne(hours) ? 'målertime' : 'målertimer'}`
const countedDa = (hours: string) => (isOne(hours) ? 'Den indgår som oplyst.' : 'De indgår som oplyst.')

const da: Words = {
  title: 'Scope 2-udledning, lokationsbaseret',
  period: (start, end) => `${start} til ${end}`,
  made: (at, by) => `Oprettet ${at} af ${by}`,
  consumption: 'Aflæst forbrug',
  emission: 'Udledning',
  emissionPartly: 'Udledning, kendt del',
  factor: 'Anvendt faktor i snit',
  covered: 'Dækket tid',
  unknown: 'ukendt',
  simulated:
    'Simulerede data: aflæsningerne eller emissionsfaktorerne kommer fra en simulator. Dette er ikke en rapport om virkelige udledninger.',
  complete: 'Alle timer på alle målere er aflæst og har en emissionsfaktor.',
  missing: (hours, share) =>
    `Ikke aflæst: ${meterHoursDa(hours)} (${share} % af tiden). Forbruget er ukendt og indgår ikke i summerne.`,
  estimated: (hours, share) =>
    `Estimeret af netselskabet: ${meterHoursDa(hours)} (${share} % af tiden). ${countedDa(hours)}`,
  incomplete: (hours, share) =>
    `Ufuldstændig ifølge netselskabet: ${meterHoursDa(hours)} (${share} % af tiden). ${countedDa(hours)}`,
  withoutFactor: (kwh, hours) =>
    `Der er ikke offentliggjort nogen emissionsfaktor for ${meterHoursDa(hours)} med ${kwh} kWh. Forbruget indgår; udledningen er ukendt og indgår ikke i summen.`,
  byMonth: 'Pr. måned',
  byKey: 'Pr. CVR-nummer',
  bySite: 'Pr. lokation',
  byMeter: 'Pr. måler',
  month: 'Måned',
  key: 'CVR',
  site: 'Lokation',
  noSite: 'Ingen adresse',
  meter: 'Måler',
  kwh: 'kWh',
  kgCo2: 'kg CO₂',
  gramsPerKwh: 'g/kWh',
  read: 'Målt',
  estimatedColumn: 'Estimeret',
  missingColumn: 'Mangler',
  noFactor: 'Ingen faktor',
  total: 'I alt',
  coverageNote:
    'Dækket tid: timer med både aflæsning og faktor. Målt, estimeret og mangler i procent af periodens timer; ufuldstændige aflæsninger tælles med under estimeret. Ingen faktor: timer med aflæsning, men uden emissionsfaktor.',
  method: 'Metode',
  methodText: [
    'Scope 2 er udledningen fra produktionen af den elektricitet, som virksomheden har købt og brugt. Den lokationsbaserede metode bruger den gennemsnitlige udledning i det net, der har leveret elektriciteten, uanset hvad der er aftalt.',
    'For hver måler og hver time ganges forbruget i kWh med nettets gennemsnitlige udledning i timen, i g CO₂ pr. kWh, i det prisområde, hvor måleren står. Rapporten er summen af disse produkter.',
    'Faktoren tæller CO₂ fra den elektricitet, der er brugt i området, inklusive import. Den omfatter ikke metan og lattergas og heller ikke opførelse af værker eller levering af brændsel, som hører til Scope 3. Den først offentliggjorte værdi er brugt; Energinets årlige deklaration kan afvige.',
    'Et markedsbaseret tal kræver kontrakter og oprindelsesgarantier og indgår ikke i denne rapport. En virksomhed, der har dem, rapporterer begge tal.',
    'Døgn er lokale døgn i dansk tid, med 23 eller 25 timer, når uret stilles.',
  ],
  sources: 'Kilder',
  readingsFrom: (source) => `Forbrug: ${source}.`,
  factorsFrom: (area, source, published, hours) =>
    `Emissionsfaktor ${area}: ${source}; offentliggjort for ${published} af ${hours} timer.`,
  factorSpan: (mean, lowest, highest) => `Timernes gennemsnit ${mean} g/kWh, laveste ${lowest}, højeste ${highest}.`,
  versions: 'Anvendte versioner',
  versionsText:
    'Netselskabet kan ændre et døgns aflæsninger senere. For hver måler: modtagne døgn, hvor mange af dem der var ændret, da rapporten blev oprettet, og den højeste anvendte version.',
  daysRead: 'Modtagne døgn',
  daysRevised: 'Ændrede døgn',
  version: 'Højeste version',
  inputs: (hash) =>
    `SHA-256 af rapportens grundlag (målere, version af hvert døgn, hver timefaktor): ${hash}. To rapporter med samme tal har samme indhold.`,
  changes: 'Ændringer siden den forrige rapport',
  changesOfDeleted: 'En slettet rapport dækkede de samme målere og døgn. Dette er ændret siden:',
  changesText: (at) => `Rapporten fra ${at} dækker de samme målere og døgn. Dette er ændret siden:`,
  day: 'Døgn',
  before: 'Før',
  after: 'Nu',
  dayVersion: (version, kwh) => `v${version}: ${kwh} kWh`,
  notThere: 'mangler',
  more: (count) => `og ${count} døgn mere.`,
  factorHours: (area, hours) =>
    `Emissionsfaktor ${area}: ${isOne(hours) ? '1 time' : `${hours} timer`} har en anden værdi.`,
  change: (before, after) => `Udledning: ${before} kg CO₂ før, ${after} kg CO₂ nu.`,
  foot: (id) => `Scope 2, lokationsbaseret · Gridmast · rapport ${id}`,
}

export const words: Record<Language, Words> = { en, da }
