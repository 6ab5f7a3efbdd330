import { Button, Select } from '@mantine/core'
import { economicsInstances, economicsLicences } from '@gridmast/contract/economics.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { RangeField } from '#ui/date/RangeField.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { daysOf } from './economics-words.ts'

export type EconomicsSearch = {
  licenseId?: string | undefined
  instanceId?: string | undefined
  startDate?: LocalDate | undefined
  endDate?: LocalDate | undefined
  page?: number | undefined
}
type Props = {
  search: EconomicsSearch
  now: LocalDate
  onSubmit: (search: EconomicsSearch) => void
  actions: ReactNode
}

const all = 'all'

/** What is looked at: nothing is asked before Submit. */
export const EconomicsFilter = ({ search, now, onSubmit, actions }: Props) => {
  const { t, say } = useTranslation()
  const [choice, setChoice] = useState(search)
  const { licenseId, instanceId } = choice
  const days = daysOf(choice, now)
  const licences = useCall(economicsLicences, {})
  const instances = useCall(economicsInstances, { sent: { query: licenseId ? { licenseId } : {} } })
  const choices = (of: { _id: string; name: string }[] | undefined) => [
    { value: all, label: t('All') },
    ...(of ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
  ]
  const valueOf = (next: string | null) => (next === all || next === null ? undefined : next)
  const submit = () => {
    const usual = daysOf({}, now)
    const isUsual = days.start === usual.start && days.end === usual.end
    onSubmit({
      ...{ licenseId, instanceId, page: undefined },
      ...(isUsual ? { startDate: undefined, endDate: undefined } : { startDate: days.start, endDate: days.end }),
    })
  }
  return (
    <FilterRow label={t('Filter of the settlements')} actions={actions} onSubmit={submit}>
      <Select
        label={t('License')}
        w={160}
        allowDeselect={false}
        searchable
        data={choices(licences.data?.licenses)}
        value={licenseId ?? all}
        error={licences.error && say(licences.error.message)}
        onChange={(next) => setChoice({ ...choice, licenseId: valueOf(next), instanceId: undefined })}
      />
      <Select
        label={t('Instance')}
        w={190}
        allowDeselect={false}
        searchable
        data={choices(instances.data?.instances)}
        value={instanceId ?? all}
        error={instances.error && say(instances.error.message)}
        onChange={(next) => setChoice({ ...choice, instanceId: valueOf(next) })}
      />
      <div data-day>
        <RangeField
          label={t('Start and end date')}
          value={days}
          onChange={({ start, end }) => setChoice({ ...choice, startDate: start, endDate: end })}
        />
      </div>
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}
