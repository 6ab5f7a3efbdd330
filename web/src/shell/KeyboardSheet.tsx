import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { keysOf, type ShortcutName } from '#lib/shortcuts.ts'
import { PlainDialog } from '#ui/useConfirm.tsx'
import classes from './Palette.module.css'

const words = {
  search: ['Everywhere', 'Search or jump to'],
  sheet: ['Everywhere', 'Keyboard shortcuts'],
  nextResult: ['In the search', 'Next result'],
  previousResult: ['In the search', 'Previous result'],
  openResult: ['In the search', 'Open the result'],
  nextRow: ['In a list', 'Next row'],
  previousRow: ['In a list', 'Previous row'],
  openRow: ['In a list', 'Open the row'],
  selectRow: ['In a list', 'Select the row'],
  earlier: ['In a chart', 'Earlier value'],
  later: ['In a chart', 'Later value'],
  first: ['In a chart', 'First value'],
  last: ['In a chart', 'Last value'],
  zoomIn: ['In a chart', 'Zoom in'],
  zoomOut: ['In a chart', 'Zoom out'],
  wholeChart: ['In a chart', 'Whole chart'],
  rowStart: ['In the slots of a bid request', 'First value of the row'],
  rowEnd: ['In the slots of a bid request', 'Last value of the row'],
  topCell: ['In the slots of a bid request', 'Top row'],
  bottomCell: ['In the slots of a bid request', 'Bottom row'],
  firstCell: ['In the slots of a bid request', 'First value'],
  lastCell: ['In the slots of a bid request', 'Last value'],
  editCell: ['In the slots of a bid request', 'Edit the value, with the arrow keys within it'],
  fillDown: ['In the slots of a bid request', 'Copy the value to all slots below'],
} as const satisfies Record<ShortcutName, readonly [where: Sentence, what: Sentence]>

const names = Object.keys(words) as ShortcutName[] // the keys of a literal
const places = [...new Set(names.map((name) => words[name][0]))]

export const KeyboardSheet = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <PlainDialog opened={opened} onClose={onClose} title={t('Keyboard shortcuts')} size={520} large>
    {places.map((place) => (
      <section key={place} className={classes.shortcuts} aria-label={t(place)}>
        <h3>{t(place)}</h3>
        <dl>
          {names
            .filter((name) => words[name][0] === place)
            .map((name) => (
              <div key={name}>
                <dt>{t(words[name][1])}</dt>
                <dd>
                  {keysOf(name).map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
        </dl>
      </section>
    ))}
  </PlainDialog>
)
