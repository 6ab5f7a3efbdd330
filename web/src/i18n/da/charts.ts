export default {
  'Copy link to this view': 'Kopiér link til visningen',
  'Link copied': 'Linket er kopieret',
  'The browser did not allow the copy.': 'Browseren tillod ikke kopieringen.',
  'Leave full screen': 'Forlad fuld skærm',
}
