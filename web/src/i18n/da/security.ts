export default {
  'An authenticator app on your phone shows a six-digit code, which you enter after your password.':
    'En godkendelsesapp på din telefon viser en sekscifret kode, som du skriver efter din adgangskode.',
  'Scan this with your authenticator app, then enter the code it shows.':
    'Scan denne med din godkendelsesapp, og skriv så koden, den viser.',
  'QR code for the authenticator app': 'QR-kode til godkendelsesappen',
  'Or enter this key in the app': 'Eller skriv denne nøgle i appen',
  'Code from the app': 'Kode fra appen',
  'If you lose your phone, each code replaces the app once. They are not shown again.':
    'Mister du din telefon, kan hver kode bruges én gang i stedet for appen. De vises ikke igen.',
  'Recovery codes': 'Gendannelseskoder',
  'I have saved the codes': 'Jeg har gemt koderne',
  'Revoke my API keys too': 'Tilbagekald også mine API-nøgler',
  'Choose this if someone else may know your password.': 'Vælg dette, hvis andre kan have fået din adgangskode.',
  'New password': 'Ny adgangskode',
  'Confirm new password': 'Bekræft ny adgangskode',
  '8 to 40 characters': '8 til 40 tegn',
}
