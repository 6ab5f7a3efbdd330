import { deviceStorage } from '#lib/store.ts'
import { useState } from 'react'
import { Button, Checkbox } from '@mantine/core'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Stack } from '#ui/Layout.tsx'
import classes from './events.module.css'

/** Columns that may be hidden. */
const choosable = ['deltaLoad', 'delivered', 'extreme', 'duration', 'consumption', 'score', 'capacity'] as const
export type ChoosableColumn = (typeof choosable)[number]

const defaultColumns: readonly ChoosableColumn[] = ['deltaLoad', 'extreme', 'duration', 'consumption', 'score']
const key = 'GM_EVENT_COLUMNS'

const stored = (): readonly ChoosableColumn[] => {
  const text = deviceStorage.read(key)
  return text === null ? defaultColumns : choosable.filter((name) => text.split(',').includes(name))
}

/** Columns of the table of events, stored on this device. */
export const useVisibleColumns = (): [readonly ChoosableColumn[], (columns: readonly ChoosableColumn[]) => void] => {
  const [columns, setColumns] = useState(stored)
  const choose = (next: readonly ChoosableColumn[]) => {
    deviceStorage.write(key, next.join(','))
    setColumns(next)
  }
  return [columns, choose]
}

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
  columns: readonly ChoosableColumn[]
  onChange: (columns: readonly ChoosableColumn[]) => void
  onClose: () => void
}

/** Choice of the table's columns; it applies at once. */
export const ColumnSettings = ({ opened, columns, onChange, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} size={440} title={t('Columns of the table')}>
    <Stack gap={12}>
      {choosable.map((name) => (
        <Checkbox
          key={name}
          label={t(words[name].title)}
          description={t(words[name].about)}
          checked={columns.includes(name)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(choosable.filter((one) => (one === name ? checked : columns.includes(one))))
          }
        />
      ))}
    </Stack>
    <div className={classes.dialogFoot}>
      <Button onClick={onClose}>{t('Done')}</Button>
    </div>
  </Dialog>
)
