export const equipment = {
  'Equipment Testing': 'Test af udstyr',
}
