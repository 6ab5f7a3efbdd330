import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { type Early, lateField } from '#ui/late-field.tsx'
import { rangeWords } from './range-words.ts'
import type { SharedRange } from './shared-range.ts'

export type RangePickerProps = {
  shown: SharedRange
  chosen: string | undefined
  zoom: string | undefined
  onChoose: (range: string | undefined) => void
  autoFocus?: boolean
  isOpened?: boolean
}

const Closed = ({ early, chosen, zoom }: RangePickerProps & Early) => {
  const name = zoom ?? chosen
  return (
    <Button variant="default" leftSection={<IconClock size={16} stroke={1.8} aria-hidden />} {...early}>
      {name ? rangeWords(name) : t('Time range')}
    </Button>
  )
}

/** The range of all charts of a screen: relative, or from and to. */
export const RangePicker = lateField<RangePickerProps>(
  async () => (await import('./RangePopover.tsx')).default,
  Closed,
  {
    isOpened: true,
  },
)
