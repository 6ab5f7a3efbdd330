export const equipment = {
  'Equipment Testing': 'Test af udstyr',
  Expected: 'Forventet',
  Load: 'Belastning',
  'Load (%)': 'Belastning (%)',
  'Load in steps of ten': 'Belastning i trin på ti',
  Send: 'Send',
  'Send set point {{setPoint}} %?': 'Send sætpunkt {{setPoint}} %?',
  '{{instance}} ({{edge}}) moves at once, until you send 0. After 30 minutes the edge releases it by itself.':
    '{{instance}} ({{edge}}) reagerer straks og bliver der, indtil du sender 0. Efter 30 minutter frigiver edge-enheden det selv.',
  'Set point {{setPoint}} % sent. Waiting for the edge, {{seconds}} s at most.':
    'Sætpunkt {{setPoint}} % er sendt. Venter på edge-enheden, højst {{seconds}} s.',
  'No command has been sent.': 'Der er ikke sendt nogen kommando.',
  'Set point {{setPoint}} %': 'Sætpunkt {{setPoint}} %',
  'answered by the edge in {{seconds}} s': 'besvaret af edge-enheden på {{seconds}} s',
  'No power in this period': 'Ingen effekt i denne periode',
  'Leave the equipment where it is?': 'Forlad udstyret, som det står?',
  'It stays at {{setPoint}} % until you send 0, or until the edge releases it by itself at {{time}}.':
    'Det bliver på {{setPoint}} %, indtil du sender 0, eller edge-enheden selv frigiver det kl. {{time}}.',
}
