export const account = {
  'Update Password': 'Skift adgangskode',
  'Current password': 'Nuværende adgangskode',
  'Set up two-step sign-in': 'Sæt totrinslogin op',
  'An authenticator app on your phone gives a code of six digits, which is asked after the password.':
    'En godkendelsesapp på din telefon giver en kode på seks cifre, som der spørges om efter adgangskoden.',
  Continue: 'Fortsæt',
  'Scan this with your authenticator app, then enter the code that it shows.':
    'Scan denne med din godkendelsesapp, og skriv så koden, den viser.',
  'QR code for the authenticator app': 'QR-kode til godkendelsesappen',
  'Or enter this key in the app': 'Eller skriv denne nøgle i appen',
  'Code of the app': 'Kode fra appen',
  'Turn on': 'Slå til',
  'Each of these codes replaces the app once, should you lose your phone. They are not shown again.':
    'Hver af disse koder erstatter appen én gang, hvis du mister din telefon. De vises ikke igen.',
  'Recovery codes': 'Gendannelseskoder',
  'I have saved the codes': 'Jeg har gemt koderne',
  'Only Sudoer and Expert users can edit the company profile. Ask one of them for a change.':
    'Kun brugere med rollen Sudoer eller Ekspert kan redigere virksomhedsprofilen. Bed en af dem om en ændring.',
  'Only Sudoer and Expert users can edit profiles. Ask one of them for a change.':
    'Kun brugere med rollen Sudoer eller Ekspert kan redigere profiler. Bed en af dem om en ændring.',
  'Primary contact name': 'Primær kontaktperson',
  'Primary contact email': 'Primær kontakts e-mail',
  Contact: 'Telefon',
  'Billing email': 'E-mail til fakturaer',
  'Your profile': 'Din profil',
  'How colleagues and the operator see and reach you. The email is also what you sign in with.':
    'Sådan ser og træffer kolleger og operatøren dig. Du logger også ind med e-mailen.',
  Picture: 'Billede',
  'Choose picture': 'Vælg billede',
  'JPG or PNG, at most 2 MB': 'JPG eller PNG, højst 2 MB',
  'Whom the operator reaches about your sites, and where invoices are sent.':
    'Hvem operatøren kontakter om jeres anlæg, og hvor fakturaer sendes hen.',
  'A code of an authenticator app after the password keeps a stolen password from being enough.':
    'Med en kode fra en godkendelsesapp efter adgangskoden er en stjålet adgangskode ikke nok.',
  'Require two-step sign-in for everyone': 'Kræv totrinslogin af alle',
  'Whoever has not set it up is asked to at the next step they take.':
    'Den, der ikke har sat det op, bliver bedt om det ved næste skridt.',
  'No longer require two-step sign-in?': 'Kræv ikke længere totrinslogin?',
  'Require two-step sign-in for everyone?': 'Kræv totrinslogin af alle?',
  'No longer require': 'Kræv ikke længere',
  Require: 'Kræv',
  'Everyone can then turn it off for themselves.': 'Alle kan så slå det fra for sig selv.',
  'Colleagues without it cannot go on until they have set up an authenticator app.':
    'Kolleger uden det kan ikke fortsætte, før de har sat en godkendelsesapp op.',
  'After the password a code of your authenticator app is asked.':
    'Efter adgangskoden bedes du om en kode fra din godkendelsesapp.',
  'Your password alone is enough to sign in.': 'Din adgangskode alene er nok til at logge ind.',
  'Set up anew': 'Sæt op på ny',
  'Set up': 'Sæt op',
  'Turn off': 'Slå fra',
  'Turn off two-step sign-in?': 'Slå totrinslogin fra?',
  'Your password alone is then enough to sign in. The recovery codes end.':
    'Din adgangskode alene er så nok til at logge ind. Gendannelseskoderne ophører.',
  'Changed {{date}}.': 'Ændret {{date}}.',
  'A new password ends your other sessions.': 'En ny adgangskode afslutter dine andre sessioner.',
  Sessions: 'Sessioner',
  'Where you are signed in. Sign out what you do not know.': 'Hvor du er logget ind. Log det ud, du ikke kender.',
  'Your sessions could not be loaded.': 'Dine sessioner kunne ikke hentes.',
  '{{browser}} on {{system}}': '{{browser}} på {{system}}',
  'Unknown browser': 'Ukendt browser',
  'This session': 'Denne session',
  Remembered: 'Husket',
  'Last used {{time}}': 'Sidst brugt {{time}}',
  'Signed in {{time}}': 'Logget ind {{time}}',
  'Sign out': 'Log ud',
  'Sign out {{device}}': 'Log {{device}} ud',
  'Sign out this session?': 'Log denne session ud?',
  '{{device}} has to sign in again before it can go on.': '{{device}} skal logge ind igen for at fortsætte.',
  'With an API key your own programs read this portal. A key never changes anything, and it can never read more than the person who made it.':
    'Med en API-nøgle læser jeres egne programmer portalen. En nøgle ændrer aldrig noget og kan aldrig læse mere end den, der har oprettet den.',
  'All calls': 'Alle kald',
  'A webhook is an address of yours that this portal calls when something happens, so that you need not ask.':
    'En webhook er en af jeres adresser, som portalen kalder, når noget sker, så I ikke behøver at spørge.',
}
