export default {
  'Hourly emission of your meters’ electricity, as a report.':
    'Udledningen fra jeres målte elforbrug, time for time, som rapport.',
  'Gateways of your equipment: secrets, instances and refused messages.':
    'Enheder, der forbinder jeres anlæg: nøgler, anlæg og afviste beskeder.',
  'Notes to the support team: add, read and edit.': 'Noter til support: tilføj, læs og ret.',
  'Changes in each version, with the release date.': 'Ændringer i hver version med udgivelsesdato.',
  'Meters by CVR key, their consumption and cost, and their export.':
    'Målere pr. CVR-nøgle, deres forbrug, omkostning og eksport.',
  'A plan that moves consumption to cheaper and cleaner hours, against the baseline.':
    'En plan, der flytter forbrug til billigere og grønnere timer, sammenlignet med baseline.',
  'Import of tags, registration of chargers, firmware, availability and sites that share a limit.':
    'Import af ladebrikker, registrering af ladere, firmware, rådighed og ladesteder, der deler en grænse.',
  'Payments of each charging session, their states and totals.':
    'Betalinger for hver opladning, deres tilstand og summer.',
  'Your name, e-mail, phone number and picture.': 'Dit navn, din e-mail, dit telefonnummer og dit billede.',
  'Contact persons and invoice address of your company.': 'Virksomhedens kontaktpersoner og fakturaadresse.',
  'Two-step sign-in and active sessions.': 'Totrinslogin og aktive sessioner.',
  'Keys for programs that read data from this portal.': 'Nøgler til programmer, der henter data fra portalen.',
  'Addresses that this portal notifies, and their deliveries.':
    'Adresser, som portalen sender hændelser til, og leveringerne.',
  'Recipients of emails about activations and about accepted and rejected bids.':
    'Modtagere af e-mails om aktiveringer og om vundne og tabte bud.',
  'Emission of the grid by area and day, and its prognosis.': 'Elnettets udledning pr. område og dag, og prognosen.',
  'Day-ahead prices of one to three days, with tax, and their download.':
    'Day-ahead-priser for en til tre dage, med afgift, og hentning af dem.',
  'Revenue that a capacity would have earned in a market, by month.':
    'Den omsætning, en kapacitet ville have givet i et marked, pr. måned.',
  'Charging sessions, their energy and cost.': 'Opladninger, deres energi og omkostning.',
  'Lists and charts that are sent by email every day, week or month.':
    'Lister og grafer, der sendes pr. mail hver dag, uge eller måned.',
}
