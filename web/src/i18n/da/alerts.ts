export const alerts = {
  Alerts: 'Alarmer',
  'Alerts and what they triggered.': 'Alarmer og det, de har udløst.',
  'Created an alert': 'Oprettede en alarm',
  'Edited an alert': 'Redigerede en alarm',
  'Deleted an alert': 'Slettede en alarm',
  'Acknowledged an alert': 'Kvitterede en alarm',
  'Changed when the bell is muted': 'Ændrede, hvornår klokken er slået fra',
}
