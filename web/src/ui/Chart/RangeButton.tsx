import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import { IconClock, IconX } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { t } from '#lib/i18n.ts'
import { rangeWords } from './range-words.ts'
import classes from './RangePicker.module.css'

type Props = Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & { name: string | undefined; opened: boolean }

/** Shows the range and opens its choices. */
export const RangeButton = ({ name, opened, ...props }: Props) => (
  <Button
    {...props}
    classNames={{ root: classes.range ?? '', label: classes.label ?? '' }}
    variant="default"
    leftSection={<IconClock size={16} stroke={1.8} aria-hidden />}
    aria-haspopup="dialog"
    aria-expanded={opened}
    aria-label={name ? `${t('Time range')}: ${rangeWords(name)}` : t('Time range')}
  >
    {name ? rangeWords(name) : t('Time range')}
  </Button>
)

/** Follows the button of the range, which has the focus once the range is cleared. */
export const ClearRange = ({ onClear }: { onClear: () => void }) => (
  <ActionIcon
    className={classes.clear ?? ''}
    size={32}
    data-tip={t('Clear time range')}
    aria-label={t('Clear time range')}
    onClick={({ currentTarget }) => {
      currentTarget.parentElement?.querySelector('button')?.focus()
      onClear()
    }}
  >
    <IconX size={16} stroke={1.8} />
  </ActionIcon>
)
