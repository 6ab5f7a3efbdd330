export const account = {
  'Current password': 'Nuværende adgangskode',
  'Set up two-step sign-in': 'Sæt totrinslogin op',
  'An authenticator app on your phone shows a six-digit code, which you enter after your password.':
    'En godkendelsesapp på din telefon viser en sekscifret kode, som du skriver efter din adgangskode.',
  Continue: 'Fortsæt',
  'Scan this with your authenticator app, then enter the code it shows.':
    'Scan denne med din godkendelsesapp, og skriv så koden, den viser.',
  'QR code for the authenticator app': 'QR-kode til godkendelsesappen',
  'Or enter this key in the app': 'Eller skriv denne nøgle i appen',
  'Code from the app': 'Kode fra appen',
  'Turn on': 'Slå til',
  'If you lose your phone, each code replaces the app once. They are not shown again.':
    'Mister du din telefon, kan hver kode bruges én gang i stedet for appen. De vises ikke igen.',
  'Recovery codes': 'Gendannelseskoder',
  'I have saved the codes': 'Jeg har gemt koderne',
  'Only Sudoer and Expert users can edit the company profile.':
    'Kun brugere med rollen Sudoer eller Ekspert kan redigere virksomhedsprofilen.',
  'Only Sudoer and Expert users can edit profiles.':
    'Kun brugere med rollen Sudoer eller Ekspert kan redigere profiler.',
  'Primary contact name': 'Primær kontaktperson',
  'Primary contact email': 'Primær kontakts e-mail',
  Contact: 'Telefon',
  'Billing email': 'E-mail til fakturaer',
  'Your profile': 'Din profil',
  'How colleagues and the operator see and reach you. You also sign in with this email.':
    'Sådan ser og kontakter kolleger og operatøren dig. Du logger også ind med denne e-mail.',
  Picture: 'Billede',
  'Choose picture': 'Vælg billede',
  'JPG or PNG, at most 2 MB': 'JPG eller PNG, højst 2 MB',
  'Who we contact about your sites, and where we send invoices.':
    'Hvem vi kontakter om dine lokationer, og hvor vi sender fakturaer.',
  'A code from an authenticator app protects you if your password is stolen.':
    'En kode fra en godkendelsesapp beskytter dig, hvis din adgangskode bliver stjålet.',
  'Require two-step sign-in for everyone': 'Kræv totrinslogin af alle',
  'Colleagues without it must set it up before they can continue.':
    'Kolleger uden totrinslogin skal sætte det op, før de kan fortsætte.',
  'No longer require two-step sign-in?': 'Fjern kravet om totrinslogin?',
  'Require two-step sign-in for everyone?': 'Kræv totrinslogin af alle?',
  'No longer require': 'Fjern kravet',
  Require: 'Kræv',
  'Each person can then turn it off.': 'Alle kan derefter selv slå det fra.',
  'Colleagues without it cannot continue until they have set up an authenticator app.':
    'Kolleger uden totrinslogin kan ikke fortsætte, før de har sat en godkendelsesapp op.',
  'You sign in with your password and a code from your authenticator app.':
    'Du logger ind med din adgangskode og en kode fra din godkendelsesapp.',
  'Your password alone is enough to sign in.': 'Din adgangskode alene er nok til at logge ind.',
  'Set up again': 'Sæt op igen',
  'Set up': 'Sæt op',
  'Turn off': 'Slå fra',
  'Turn off two-step sign-in?': 'Slå totrinslogin fra?',
  'Your password alone is then enough to sign in. Your recovery codes stop working.':
    'Din adgangskode er så nok til at logge ind. Gendannelseskoderne virker ikke længere.',
  'Changed {{date}}.': 'Ændret {{date}}.',
  'A new password ends your other sessions.': 'En ny adgangskode afslutter dine andre sessioner.',
  Sessions: 'Sessioner',
  'Where you are signed in. Sign out any device you do not recognise.':
    'Her er du logget ind. Log enheder ud, som du ikke kender.',
  'Your sessions could not be loaded.': 'Dine sessioner kunne ikke hentes.',
  '{{browser}} on {{system}}': '{{browser}} på {{system}}',
  'Unknown browser': 'Ukendt browser',
  'This session': 'Denne session',
  Remembered: 'Husket',
  'Signed in since': 'Logget ind siden',
  Device: 'Enhed',
  'Sign out': 'Log ud',
  'Sign out {{device}}': 'Log {{device}} ud',
  'Sign out this session?': 'Log denne session ud?',
  '{{device}} must sign in again to continue.': '{{device}} skal logge ind igen for at fortsætte.',
  'API keys let your own programs read data from this portal. A key cannot change anything, and reads no more than the person who created it.':
    'Med en API-nøgle kan dine egne programmer læse data fra portalen. En nøgle kan ikke ændre noget og læser ikke mere end den, der oprettede den.',
  'All calls': 'Alle kald',
  'A webhook is your own address, which this portal calls when something happens.':
    'En webhook er din egen adresse, som portalen kalder, når der sker noget.',
  'Needed to change your email': 'Kræves for at skifte e-mail',
  'Confirm your new email': 'Bekræft din nye e-mail',
  'We have sent a code to {{email}}. Your email stays as it is until you enter it.':
    'Vi har sendt en kode til {{email}}. Din e-mail bliver først skiftet, når du indtaster koden.',
  Confirm: 'Bekræft',
  'Revoke my API keys too': 'Tilbagekald også mine API-nøgler',
  'Choose this if someone else may know your password.': 'Vælg dette, hvis andre kan have fået din adgangskode.',
  'Your email is restored': 'Din e-mail er gendannet',
  'Did you not change your email?': 'Var det ikke dig, der skiftede e-mail?',
  'We restore your email, sign everyone out and revoke your API keys. Then you choose a new password.':
    'Vi gendanner din e-mail, logger alle ud og tilbagekalder dine API-nøgler. Derefter vælger du en ny adgangskode.',
}
