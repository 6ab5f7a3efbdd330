export const screens = {
  'Page not found': 'Siden findes ikke',
  Home: 'Hjem',
  CFM: 'CFM',
  Components: 'Komponenter',
  'E3 Dashboard': 'E3-oversigt',
  'Charge Fleet Management': 'Styring af ladeflåde',
  'E3 Apps': 'E3-apps',
  Apps: 'Apps',
  Licenses: 'Licenser',
  Notification: 'Notifikation',
  'Demand Response': 'Fleksibilitet',
  Insights: 'Indsigt',
  'Support Notes': 'Supportnoter',
  'Carbon Emission': 'CO2-udledning',
  'Day ahead': 'Day-ahead',
  'Version History': 'Versionshistorik',
  'Data Hub': 'Data Hub',
  'Revenue Potential Calculator': 'Omsætningsberegner',
  'Load Shifting': 'Lastflytning',
  eConomics: 'eConomics',
  'EV Charging': 'Elbilladning',
  'CFM Tools': 'CFM-værktøjer',
  Tools: 'Værktøjer',
  MobilePay: 'MobilePay',
  'Edit Profile': 'Rediger profil',
  'Company profile': 'Virksomhedsprofil',
  Security: 'Sikkerhed',
  'API keys': 'API-nøgler',
  Webhooks: 'Webhooks',
  'Audit trail': 'Revisionsspor',
  'Email Subscriptions': 'E-mailabonnementer',
  'System Overview': 'Systemoversigt',
  'Nothing is enabled for your company': 'Intet er aktiveret for din virksomhed',
  'Coming soon': 'Kommer snart',
  'Overview, Alerts and Details of the license: power and consumption of each instance, alerts, equipment testing.':
    'Oversigt, alarmer og detaljer for licensen: effekt og forbrug for hvert anlæg, alarmer, test af udstyr.',
  'The overview chart of the license, its events and its details.':
    'Licensens oversigtsgraf, dens hændelser og dens detaljer.',
  'The alert, its signal around the time it was triggered, and its acknowledgement.':
    'Alarmen, dens signal omkring udløsningen og dens kvittering.',
  'Your notes to the support team: add one, read and edit the others.':
    'Dine noter til support: tilføj en, læs og ret de andre.',
  'What changed in each version, with its release date.': 'Hvad der er ændret i hver version, med udgivelsesdato.',
  'Meters by CVR key, their consumption and cost, and their export.':
    'Målere pr. CVR-nøgle, deres forbrug og pris, og eksport.',
  'A plan that moves consumption to cheaper and cleaner hours, against the baseline.':
    'En plan, der flytter forbrug til billigere og grønnere timer, mod udgangspunktet.',
  'Settlements and revenue by license, instance and day.': 'Afregninger og omsætning pr. licens, anlæg og dag.',
  'Import of tags, registration of chargers, firmware and availability.':
    'Import af brikker, registrering af ladere, firmware og tilgængelighed.',
  'Payments of each charging session, their states and totals.':
    'Betalinger for hver opladning, deres tilstand og summer.',
  'Your name, e-mail, phone number and picture.': 'Dit navn, din e-mail, dit telefonnummer og dit billede.',
  'Contact persons and invoice address of your company.': 'Virksomhedens kontaktpersoner og fakturaadresse.',
  'Two-step sign-in, and where you are signed in.': 'Totrinslogin, og hvor du er logget ind.',
  'Keys for your own programs to read this portal.': 'Nøgler, så dine egne programmer kan læse portalen.',
  'Your own addresses that this portal calls, and what was delivered.':
    'Dine egne adresser, som portalen kalder, og hvad der er leveret.',
  'Who changed what, and when.': 'Hvem der ændrede hvad, og hvornår.',
  'Who is emailed when an instance is activated or a bid is accepted or rejected.':
    'Hvem der får en e-mail, når et anlæg aktiveres, eller et bud antages eller afvises.',
  'Sign in': 'Log ind',
  'Privacy policy': 'Privatlivspolitik',
  'Reset your password': 'Nulstil din adgangskode',
  'Request an account': 'Anmod om en konto',
  Markets: 'Markeder',
  'Emission of the grid by area and day, and its prognosis.': 'Elnettets udledning pr. område og dag, og prognosen.',
  'Day-ahead prices of one to three days, with tax, and their download.':
    'Day-ahead-priser for en til tre dage, med afgift, og hentning af dem.',
  'What a capacity would have earned in a market, month by month.':
    'Hvad en kapacitet ville have tjent i et marked, måned for måned.',
  'Charging sessions, their energy and cost.': 'Opladninger, deres energi og pris.',
}
