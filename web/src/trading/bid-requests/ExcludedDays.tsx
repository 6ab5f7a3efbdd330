import { ActionIcon, Button, TextInput } from '@mantine/core'
import { datesBetween } from '@gridmast/contract/time.ts'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { Note, Stack, SubSection } from '#ui/Layout.tsx'
import classes from './bid-requests.module.css'

export type Excluded = { date: string; reason: string }

type Props = {
  days: readonly Excluded[]
  startDate: string
  endDate: string
  onChange: (days: Excluded[]) => void
  errorOf: (path: string) => ReactNode
}

const nextDay = ({ days, startDate, endDate }: Pick<Props, 'days' | 'startDate' | 'endDate'>): string =>
  (startDate !== '' &&
    endDate !== '' &&
    datesBetween(startDate, endDate).find((day) => !days.some(({ date }) => date === day))) ||
  ''

export const ExcludedDays = ({ days, startDate, endDate, onChange, errorOf }: Props) => {
  const change = (at: number, part: Partial<Excluded>) =>
    onChange(days.map((day, i) => (i === at ? { ...day, ...part } : day)))
  const bounds = startDate !== '' && endDate !== '' ? { min: startDate, max: endDate } : {}
  const error = errorOf('excludedDays')
  return (
    <SubSection
      data-path="excludedDays"
      above={16}
      title={t('Excluded Days')}
      note={<span className="gm-num">{days.length}</span>}
      action={
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} stroke={1.8} aria-hidden />}
          onClick={() => onChange([...days, { date: nextDay({ days, startDate, endDate }), reason: '' }])}
        >
          {t('Add day')}
        </Button>
      }
    >
      {error && (
        <Note below={8} ink="down" role="alert">
          {error}
        </Note>
      )}
      <Stack as="ul" gap={8} className={classes.excluded}>
        {days.map(({ date, reason }, i) => (
          // Days may be empty or equal while they are typed.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i}>
            <DateField
              label={t('Date')}
              required
              {...bounds}
              value={date}
              onChange={(next) => change(i, { date: next })}
              error={errorOf(`excludedDays.${i}.date`)}
              data-path={`excludedDays.${i}.date`}
            />
            <TextInput
              label={t('Reason')}
              withAsterisk
              autoComplete="off"
              maxLength={200}
              value={reason}
              onChange={(event) => change(i, { reason: event.currentTarget.value })}
              error={errorOf(`excludedDays.${i}.reason`)}
              data-path={`excludedDays.${i}.reason`}
            />
            <ActionIcon
              aria-label={t('Remove day {{n}}', { n: i + 1 })}
              onClick={() => onChange(days.filter((_, at) => at !== i))}
            >
              <IconTrash size={16} stroke={1.8} />
            </ActionIcon>
          </li>
        ))}
      </Stack>
    </SubSection>
  )
}
