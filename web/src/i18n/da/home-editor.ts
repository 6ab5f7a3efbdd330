export default {
  'Saved changes apply to everyone at {{company}}.': 'Gemte ændringer gælder for alle hos {{company}}.',
  'First row': 'Første række',
  'Second row': 'Anden række',
  'Events and faults': 'Hændelser og fejl',
  'Reset the dashboard?': 'Nulstil oversigten?',
  'The dashboard of your operator is restored for everyone at {{company}}.':
    'Operatørens oversigt gendannes for alle hos {{company}}.',
  '{{card}} is now {{n}} of {{total}}': '{{card}} er nu {{n}} af {{total}}',
  '{{choice}} of cell {{n}}': '{{choice}} i felt {{n}}',
  'Drag to move': 'Træk for at flytte',
  'Move {{card}} left': 'Flyt {{card}} til venstre',
  'Move {{card}} right': 'Flyt {{card}} til højre',
}
