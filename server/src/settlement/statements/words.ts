const en = {
  title: 'Settlement statement',
  made: (at: string) => `Created ${at}`,
  customer: 'Your revenue',
  gross: 'Gross',
  penalty: 'Penalties',
  energy: 'Energy revenue',
  energyPartly: 'Energy, known part',
  settlements: 'Settlements',
  simulated: 'Simulated data: some of these instances are simulated. This is no bill.',
  running: 'The month is not over: the statement shows what is settled so far.',
  unsettledDays: (count: number) =>
    `The month is not complete: ${count === 1 ? '1 day is' : `${count} days are`} not settled yet. The sums may change.`,
  unpublished: (count: number) =>
    count === 1
      ? '1 settlement has no published result yet. Its missing amounts are excluded from the totals.'
      : `${count} settlements have no published result yet. Their missing amounts are excluded from the totals.`,
  expected: (count: number, eur: string) =>
    `Expected, not yet earned: ${eur} EUR of ${count === 1 ? '1 settlement' : `${count} settlements`} of days that are not over, excluded from all totals.`,
  unshared: (count: number, eur: string) =>
    count === 1
      ? `1 settlement has no valid contract: the shares of ${eur} EUR are unknown. It is part of the gross and is not shared.`
      : `${count} settlements have no valid contract: the shares of ${eur} EUR are unknown. They are part of the gross and are not shared.`,
  unknownEnergy: (count: number) =>
    count === 1
      ? '1 settlement was won on a market that pays for activated energy, and its energy revenue is unknown. It is excluded from the energy total.'
      : `${count} settlements were won on markets that pay for activated energy, and their energy revenue is unknown. They are excluded from the energy total.`,
  noEnergy: 'The products of this month are not paid for activated energy.',
  changes: (before: number) => `What changed since version ${before}`,
  replaces: (before: { version: number; at: string; isMailed: boolean }, version: number, count: number) =>
    `Version ${version} replaces version ${before.version} of ${before.at}${before.isMailed ? ', which was mailed' : ''}. ${count === 1 ? '1 settlement differs' : `${count} settlements differ`}.`,
  moreChanges: (count: number) => `And ${count} more; the Excel file marks each of them.`,
  grossBefore: 'Gross before',
  customerBefore: 'You before',
  thisVersion: (version: number, at: string, sha256: string) =>
    `This is version ${version} of the statement, first created ${at}. SHA-256 of its content: ${sha256}. Created again without changes, it is the same version.`,
  draftVersion: (version: number, at: string, sha256: string) =>
    `This is a draft of version ${version}, calculated from settlements up to ${at}. SHA-256 of its content: ${sha256}. The version is fixed when the statement is mailed.`,
  draft: 'draft',
  versions: 'Versions of the settlements used',
  version: 'Version',
  newest: 'Newest settled',
  byProduct: 'By instance and product',
  instance: 'Instance',
  product: 'Product',
  capacity: 'Capacity',
  others: 'Other shares',
  energyColumn: 'Energy',
  shares: 'Distribution',
  whose: 'Share of',
  you: 'You',
  ofGross: 'Of the gross',
  partner: 'Partner',
  byDay: 'By day',
  day: 'Day',
  total: 'Total',
  method: 'Calculation method',
  methodText: [
    'Capacity is MW won × the price of the auction it was won in, for each period. Penalties are deducted for hours in which the instance was not available. Both are in EUR, each rounded to cents once per day, instance and product; gross is their sum.',
    'Shares are percent of the gross by the contract that is valid on the day, each rounded to cents; you receive the remainder. Energy revenue is not part of the gross and is not shared. Unknown amounts are shown as – and excluded from all totals.',
    'A correction creates a new version of a settlement and keeps the previous version. The statement uses the newest version at the time of its creation; the Excel file names the version of each settlement.',
  ],
}

const settlementsDa = (count: number) => (count === 1 ? '1 afregning' : `${count} afregninger`)

const da: typeof en = {
  title: 'Afregningsopgørelse',
  made: (at) => `Oprettet ${at}`,
  customer: 'Jeres omsætning',
  gross: 'Brutto',
  penalty: 'Bod',
  energy: 'Energiomsætning',
  energyPartly: 'Energi, kendt del',
  settlements: 'Afregninger',
  simulated: 'Simulerede data: Nogle af anlæggene er simulerede. Dette er ikke en regning.',
  running: 'Måneden er ikke slut: Opgørelsen viser, hvad der er afregnet indtil nu.',
  unsettledDays: (count) =>
    `Måneden er ikke komplet: ${count === 1 ? '1 dag' : `${count} dage`} er ikke afregnet endnu. Summerne kan ændre sig.`,
  unpublished: (count) =>
    `${settlementsDa(count)} har endnu ikke noget offentliggjort resultat. De manglende beløb indgår ikke i summerne.`,
  expected: (count, eur) =>
    `Forventet, endnu ikke tjent: ${eur} EUR fra ${settlementsDa(count)} af dage, der ikke er slut, og ikke med i summerne.`,
  unshared: (count, eur) =>
    `${settlementsDa(count)} har ingen gyldig kontrakt: Andelene af ${eur} EUR er ukendte. ${count === 1 ? 'Den' : 'De'} er med i brutto og fordeles ikke.`,
  unknownEnergy: (count) =>
    count === 1
      ? '1 afregning er vundet på et marked, der betaler for aktiveret energi, og dens energiomsætning er ukendt. Den indgår ikke i summen af energi.'
      : `${count} afregninger er vundet på markeder, der betaler for aktiveret energi, og deres energiomsætning er ukendt. De indgår ikke i summen af energi.`,
  noEnergy: 'Månedens produkter får ikke betaling for aktiveret energi.',
  changes: (before) => `Ændret siden version ${before}`,
  replaces: (before, version, count) =>
    `Version ${version} erstatter version ${before.version} fra ${before.at}${before.isMailed ? ', som blev sendt' : ''}. ${settlementsDa(count)} er anderledes.`,
  moreChanges: (count) => `Og ${count} mere; Excel-filen markerer dem alle.`,
  grossBefore: 'Brutto før',
  customerBefore: 'Jer før',
  thisVersion: (version, at, sha256) =>
    `Dette er version ${version} af opgørelsen, oprettet første gang ${at}. SHA-256 af indholdet: ${sha256}. Oprettes den igen uden ændringer, er det samme version.`,
  draftVersion: (version, at, sha256) =>
    `Dette er et udkast til version ${version}, beregnet af afregninger til og med ${at}. SHA-256 af indholdet: ${sha256}. Versionen ligger fast, når opgørelsen sendes.`,
  draft: 'udkast',
  versions: 'Brugte versioner af afregningerne',
  version: 'Version',
  newest: 'Senest afregnet',
  byProduct: 'Pr. anlæg og produkt',
  instance: 'Anlæg',
  product: 'Produkt',
  capacity: 'Kapacitet',
  others: 'Andres andele',
  energyColumn: 'Energi',
  shares: 'Fordeling',
  whose: 'Andel til',
  you: 'Jer',
  ofGross: 'Af brutto',
  partner: 'Partner',
  byDay: 'Pr. dag',
  day: 'Dag',
  total: 'I alt',
  method: 'Beregningsmetode',
  methodText: [
    'Kapacitet er vundne MW × prisen på den auktion, de blev vundet i, for hver periode. Der fratrækkes bod for timer, hvor anlægget ikke var til rådighed. Begge er i EUR og afrundet til cent én gang for hver dag for et anlæg og et produkt; brutto er de to tilsammen.',
    'Andele er procent af brutto efter den kontrakt, der gælder den dag, hver afrundet til cent; I får resten. Energiomsætningen er ikke en del af brutto og fordeles ikke. Ukendte beløb vises som – og indgår ikke i summerne.',
    'En rettelse giver en ny version af en afregning, og den forrige gemmes. Opgørelsen bruger den nyeste version, da den blev oprettet; Excel-filen nævner versionen af hver afregning.',
  ],
}

export const words = { en, da }
