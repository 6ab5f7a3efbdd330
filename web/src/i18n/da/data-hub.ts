export const dataHub = {
  'Added a key with its meters': 'Tilføjede en nøgle med dens målere',
  'Named a key': 'Navngav en nøgle',
  'Deleted a key with its meters': 'Slettede en nøgle med dens målere',
  'Changed the settings of a meter': 'Ændrede en målers indstillinger',
  'Meters with their consumption, cost and emission.': 'Målere med forbrug, pris og udledning.',
  'Data Hub overview': 'Data Hub-overblik',
  'All meters that are switched on, together.': 'Alle målere, der er slået til, samlet.',
}
