import { Button, Checkbox } from '@mantine/core'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Stack } from '#ui/Layout.tsx'
import classes from './events.module.css'
import { type ChoosableColumn, choosable } from './shown-columns.ts'

const words: Record<ChoosableColumn, { title: Sentence; about: Sentence }> = {
  deltaLoad: { title: 'Delta Load (%)', about: 'The most that was asked for, of the capacity.' },
  delivered: { title: 'Delivered (%)', about: 'The most that was delivered, of the capacity.' },
  extreme: { title: 'Max frequency or Max Setpoint', about: 'The frequency or set point at its extreme.' },
  duration: { title: 'Duration', about: 'From the first second of the call to the first at rest.' },
  consumption: { title: 'Consumption (kWh)', about: 'By the meter, or estimated from the measured power.' },
  score: { title: 'Score', about: 'How well it was delivered, 0 to 100.' },
  capacity: { title: 'Capacity used (kW)', about: 'The capacity behind the percentages and the score.' },
}

type Props = {
  opened: boolean
  shown: readonly ChoosableColumn[]
  onShown: (shown: readonly ChoosableColumn[]) => void
  onClose: () => void
}

/** Which columns the table has; each choice shows at once. */
export const ColumnSettings = ({ opened, shown, onShown, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} size={440} title={t('Columns of the table')}>
    <Stack gap={12}>
      {choosable.map((name) => (
        <Checkbox
          key={name}
          label={t(words[name].title)}
          description={t(words[name].about)}
          checked={shown.includes(name)}
          onChange={({ currentTarget: { checked } }) =>
            onShown(choosable.filter((one) => (one === name ? checked : shown.includes(one))))
          }
        />
      ))}
    </Stack>
    <div className={classes.dialogFoot}>
      <Button onClick={onClose}>{t('Done')}</Button>
    </div>
  </Dialog>
)
