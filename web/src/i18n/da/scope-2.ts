export const scope2 = {
  'Scope 2': 'Scope 2',
  'Made a Scope 2 report': 'Lavede en Scope 2-rapport',
  'Scope 2 reports and their files.': 'Scope 2-rapporter og deres filer.',
}
