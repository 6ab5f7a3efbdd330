export const privacy = {
  'Privacy policy of the charging app': 'Privatlivspolitik for ladeappen',
  'Who is responsible': 'Hvem er ansvarlig',
  'The company that operates the chargers is the controller of your data. Gridmast processes it on that company’s behalf and on its instructions only.':
    'Virksomheden, der driver laderne, er dataansvarlig. Gridmast behandler dine data på virksomhedens vegne og kun efter dens instruks.',
  'What the app collects': 'Hvad appen indsamler',
  'Your name, e-mail address and phone number; the number of your charging tag; and for each session the charger, the connector, start and end, the energy delivered and the price.':
    'Dit navn, din e-mailadresse og dit telefonnummer; nummeret på din ladebrik; og for hver opladning laderen, stikket, start og slut, den leverede energi og prisen.',
  'What it is used for': 'Hvad det bruges til',
  'To let you start and stop a charging session, to bill it, to show you your history, and to keep the chargers and the grid safe. It is never sold, and never used for advertising.':
    'Til at du kan starte og stoppe en opladning, til at afregne den, til at vise dig din historik og til at holde laderne og elnettet sikre. Data sælges aldrig og bruges aldrig til reklame.',
  'Location and camera': 'Placering og kamera',
  'The app asks for your location only to show chargers near you, and for the camera only to read the code on a charger. Neither is stored. The app works without both.':
    'Appen beder kun om din placering for at vise ladere i nærheden og kun om kameraet for at læse koden på en lader. Ingen af delene gemmes. Appen virker uden begge.',
  'How long it is kept': 'Hvor længe det gemmes',
  'Billing records are kept for five years after the end of the financial year, as the Danish Bookkeeping Act demands. Everything else is deleted within 12 months of your last session, or when you close your account.':
    'Afregningsdata gemmes i fem år efter regnskabsårets udløb, som bogføringsloven kræver. Alt andet slettes senest 12 måneder efter din sidste opladning, eller når du lukker din konto.',
  'Who else sees it': 'Hvem der ellers ser det',
  'The payment provider sees what a payment needs. Authorities see what the law demands. Data is stored within the European Union.':
    'Betalingsudbyderen ser det, en betaling kræver. Myndigheder ser det, loven kræver. Data opbevares i EU.',
  'Your rights': 'Dine rettigheder',
  'You may see, correct, export and delete your data, and object to its use. Write to the operator of the chargers; the address is on your invoice. You may complain to the Danish Data Protection Agency (Datatilsynet).':
    'Du kan se, rette, eksportere og slette dine data og gøre indsigelse mod brugen. Skriv til ladernes operatør; adressen står på din faktura. Du kan klage til Datatilsynet.',
}
