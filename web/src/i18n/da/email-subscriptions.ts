export const emailSubscriptions = {
  'Chose a language': 'Valgte et sprog',
  'Added email subscriptions': 'Oprettede e-mailabonnementer',
  'Changed an email subscription': 'Ændrede et e-mailabonnement',
  'Removed an email subscription': 'Fjernede et e-mailabonnement',
  'Stopped activation emails by their link': 'Stoppede aktiveringsmails med linket i en mail',
  'Who is emailed about which instance.': 'Hvem der får mail om hvilket anlæg.',
  'At most one email in 15 minutes for each instance: what happens meanwhile is in the next one.':
    'Højst én mail hvert 15. minut for hvert anlæg: det, der sker imens, står i den næste.',
  Emails: 'E-mails',
  'Add Emails': 'Tilføj e-mails',
  'Bid Result': 'Budresultat',
  Filter: 'Filter',
  'Email or instance': 'E-mail eller anlæg',
  '{{mail}} to {{email}} about {{instance}}': '{{mail}} til {{email}} om {{instance}}',
  'Remove {{email}} from {{instance}}': 'Fjern {{email}} fra {{instance}}',
  'The email subscriptions could not be loaded.': 'E-mailabonnementerne kunne ikke hentes.',
  'No recipients for these markets yet.': 'Ingen får mail om disse markeder endnu.',
  'No email or instance contains “{{filter}}”.': 'Ingen e-mail og intet anlæg indeholder »{{filter}}«.',
  'Remove this subscription?': 'Fjern dette abonnement?',
  '{{email}} is no longer emailed about this instance.': '{{email}} får ikke længere mail om dette anlæg.',
  'Type or paste one or more, up to {{n}}; Enter, a comma or a space ends each.':
    'Skriv eller indsæt en eller flere, højst {{n}}; Enter, komma eller mellemrum afslutter hver.',
  'Remove all': 'Fjern alle',
  'What they are emailed': 'Hvad de får mail om',
  'From a load of {{n}} percent, and every activation of aFRR.':
    'Fra en last på {{n}} procent, og hver aktivering af aFRR.',
  'Whether a bid was won or lost.': 'Om et bud blev vundet eller tabt.',
  'Confirmed an email address by its link': 'Bekræftede en e-mailadresse med linket i en mail',
  'A company that uses Gridmast wants to send messages to your address.':
    'En virksomhed, der bruger Gridmast, vil sende beskeder til din adresse.',
  'Confirm address': 'Bekræft adresse',
  'Email address confirmed': 'E-mailadressen er bekræftet',
  'Messages from the company are sent to you from now on.': 'Beskeder fra virksomheden sendes fra nu af til dig.',
  'Not confirmed': 'Ikke bekræftet',
  'The owner must confirm the address with the link in the email. Nothing else is sent before.':
    'Ejeren skal bekræfte adressen med linket i mailen. Intet andet sendes før det.',
  'Stop these emails?': 'Vil du stoppe disse mails?',
  'Your address will no longer be emailed when this instance is activated. Others still are.':
    'Din adresse får ikke længere mail, når dette anlæg aktiveres. Andre får det stadig.',
  'The emails have stopped': 'Disse mails er stoppet',
  'Your address is no longer emailed when this instance is activated.':
    'Din adresse får ikke længere mail, når dette anlæg aktiveres.',
  'Your address will no longer be emailed this monthly statement. Others still are.':
    'Din adresse får ikke længere denne månedlige opgørelse. Andre får den stadig.',
  'Your address is no longer emailed this monthly statement.':
    'Din adresse får ikke længere denne månedlige opgørelse.',
  'Choose who is emailed': 'Vælg, hvem der får mail',
}
