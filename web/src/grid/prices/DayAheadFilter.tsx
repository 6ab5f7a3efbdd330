import { Button, Input, Select } from '@mantine/core'
import { m } from '@gridmast/contract/messages.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Segments } from '#ui/Segments.tsx'
import { mostDays } from './search.ts'
import { useDraft } from '#lib/url-state.ts'

type Chosen = { date: LocalDate; days: number; signal: string }

type Props = {
  shown: Chosen
  signals: Customer['powerCost']
  onSubmit: (chosen: Chosen) => void
  actions: ReactNode
}

const counts = Array.from({ length: mostDays }, (_, i) => ({ value: String(i + 1), label: i + 1 }))

export const DayAheadFilter = ({ shown, signals, onSubmit, actions }: Props) => {
  const { draft: chosen, change } = useDraft(shown)
  return (
    <FilterRow label={t('Day ahead')} onSubmit={() => onSubmit(chosen)} actions={actions}>
      <DaySteps value={chosen.date} onChange={(date) => onSubmit({ ...chosen, date })}>
        <DateField label={t('Start Date')} value={chosen.date} onChange={(date) => change({ date })} />
      </DaySteps>
      <Input.Wrapper
        label={t('Number of days')}
        labelElement="div"
        error={chosen.days > mostDays ? t(m.dayAheadSpan) : null}
      >
        <Segments
          label={t('Number of days')}
          data={counts}
          value={String(chosen.days)}
          onChange={(days) => change({ days: Number(days) })}
        />
      </Input.Wrapper>
      <Select
        label={t('Price area')}
        w={132}
        data={signals.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={chosen.signal}
        allowDeselect={false}
        onChange={(signal) => signal && change({ signal })}
      />
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}
