import { deviceStorage } from '#lib/store.ts'
import { useState } from 'react'
import { Button, Checkbox } from '@mantine/core'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { DialogFoot, Stack } from '#ui/Layout.tsx'

const choosable = ['deltaLoad', 'delivered', 'extreme', 'duration', 'consumption', 'score', 'capacity'] as const
export type ChoosableColumn = (typeof choosable)[number]

const defaultColumns: readonly ChoosableColumn[] = ['deltaLoad', 'extreme', 'duration', 'consumption', 'score']
const key = 'GM_EVENT_COLUMNS'

const stored = (): readonly ChoosableColumn[] => {
  const text = deviceStorage.read(key)
  return text === null ? defaultColumns : choosable.filter((name) => text.split(',').includes(name))
}

export const useVisibleColumns = (): [readonly ChoosableColumn[], (columns: readonly ChoosableColumn[]) => void] => {
  const [columns, setColumns] = useState(stored)
  const choose = (next: readonly ChoosableColumn[]) => {
    deviceStorage.write(key, next.join(','))
    setColumns(next)
  }
  return [columns, choose]
}

const words: Record<ChoosableColumn, { title: Sentence; about: Sentence }> = {
  deltaLoad: { title: 'Delta Load (%)', about: 'Highest required power, in percent of the capacity.' },
  delivered: { title: 'Delivered (%)', about: 'Highest delivered power, in percent of the capacity.' },
  extreme: {
    title: 'Max frequency or Max Setpoint',
    about: 'Largest deviation of the frequency, or highest set point.',
  },
  duration: { title: 'Duration', about: 'From the start to the end of the activation.' },
  consumption: { title: 'Consumption (kWh)', about: 'Metered, or estimated from the measured power.' },
  score: { title: 'Score', about: 'Quality of the delivery, 0 to 100.' },
  capacity: { title: 'Capacity used (kW)', about: 'Capacity used for the percentages and the score.' },
}

type Props = {
  opened: boolean
  columns: readonly ChoosableColumn[]
  onChange: (columns: readonly ChoosableColumn[]) => void
  onClose: () => void
}

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
    <DialogFoot>
      <Button onClick={onClose}>{t('Done')}</Button>
    </DialogFoot>
  </Dialog>
)
