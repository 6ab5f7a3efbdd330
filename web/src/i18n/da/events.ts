export const events = {
  'Activation events': 'Aktiveringer',
  'Activations of your instances and how they were answered.':
    'Aktiveringer af jeres anlæg, og hvordan de blev besvaret.',
}
