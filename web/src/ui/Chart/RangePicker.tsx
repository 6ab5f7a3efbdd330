import { ActionIcon, Button, Popover } from '@mantine/core'
import { IconClock, IconX } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { popup, popupContent } from '#ui/date/PickerField.tsx'
import { Row } from '#ui/Layout.tsx'
import { rangeWords } from './range-words.ts'
import type { SharedRange } from './shared-range.ts'
import classes from './RangePicker.module.css'

const loadChoices = () => import('./RangeChoices.tsx')
const RangeChoices = lazy(loadChoices)

type Props = {
  shown: SharedRange
  chosen: string | undefined
  zoom: string | undefined
  onChoose: (range: string | undefined) => void
}

/** The range of all charts of a screen: relative, or from and to. */
export const RangePicker = ({ shown, chosen, zoom, onChoose }: Props) => {
  const [opened, setOpened] = useState(false)
  const choose = (range: string | undefined) => {
    setOpened(false)
    onChoose(range)
  }
  const name = zoom ?? chosen
  return (
    <Row gap={4} align="end" nowrap>
      <Popover {...popup} opened={opened} onChange={setOpened}>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconClock size={16} stroke={1.8} aria-hidden />}
            aria-haspopup="dialog"
            aria-expanded={opened}
            aria-label={name ? `${t('Time range')}: ${rangeWords(name)}` : t('Time range')}
            onPointerEnter={() => void loadChoices()}
            onFocus={() => void loadChoices()}
            onClick={() => setOpened(!opened)}
          >
            {name ? rangeWords(name) : t('Time range')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown {...popupContent(t('Time range'))}>
          <Suspense fallback={<div className={classes.choices} tabIndex={-1} />}>
            <RangeChoices shown={shown} chosen={zoom === undefined ? chosen : undefined} onChoose={choose} />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      {name && (
        <ActionIcon
          size={32}
          data-tip={t('Clear time range')}
          aria-label={t('Clear time range')}
          onClick={() => onChoose(undefined)}
        >
          <IconX size={16} stroke={1.8} />
        </ActionIcon>
      )}
    </Row>
  )
}
