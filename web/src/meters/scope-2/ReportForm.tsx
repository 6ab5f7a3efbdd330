import { Button } from '@mantine/core'
import { findMeterGroups, type Meter } from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { makeScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { addDays, addMonths, daysBetween, localMonthOf, today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { LoadError } from '#ui/Loaded.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Note } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { MultiSelect, Select } from '#ui/Select.tsx'
import { metersText } from './report-words.ts'
import classes from './scope-2.module.css'

const all = ''
type Choosable = Meter & { key: string }

const refusalOf = (meters: number, days: number): string | null => {
  if (meters === 0) return m.meterRequired
  if (meters > limits.scopeMeters) return m.most(limits.scopeMeters)
  return days > limits.exportDays ? m.tooManyDays(limits.exportDays) : null
}

/** Period and meters of a new report: all meters, or the meters of a CVR number, a site, or by name. Default: the last whole month. */
export const ReportForm = ({ onMade }: { onMade: (reportId: string) => void }) => {
  const now = useNow(60_000)
  const yesterday = addDays(today(now), -1)
  const groups = useCall(findMeterGroups, {})
  const { mutate, isPending } = useDo(makeScopeReport)
  const lastMonth = addMonths(localMonthOf(now), -1)
  const [range, setRange] = useState({
    start: `${lastMonth}-01`,
    end: addDays(`${localMonthOf(now)}-01`, -1),
  })
  const [key, setKey] = useState(all)
  const [site, setSite] = useState(all)
  const [named, setNamed] = useState<string[]>([])
  const meters: Choosable[] = (groups.data?.groups ?? []).flatMap((group) =>
    group.meterIdData.map((meter) => ({ ...meter, key: group.key })),
  )
  const ofKey = meters.filter((meter) => key === all || meter.key === key)
  const ofSite = ofKey.filter(({ dataHub }) => site === all || dataHub.address === site)
  // Without a choice by name only enabled meters, because others are not read.
  const chosen =
    named.length > 0 ? ofSite.filter(({ id }) => named.includes(id)) : ofSite.filter(({ dataHub }) => dataHub.enabled)
  const refusal = groups.data ? refusalOf(chosen.length, daysBetween(range.start, range.end) + 1) : null
  const sites = [...new Set(ofKey.map(({ dataHub }) => dataHub.address))].filter(Boolean).toSorted()
  const make = () =>
    mutate(
      { body: { meters: chosen.map(({ id }) => id), startDate: range.start, endDate: range.end } },
      { onSuccess: ({ report }) => onMade(report._id) },
    )
  return (
    <Panel title={t('New report')} label={t('New report')}>
      <LoadError query={groups} title={t('The meters could not be loaded.')} />
      <FilterRow label={t('New report')} onSubmit={make}>
        <RangeField label={t('Period')} value={range} max={yesterday} onChange={setRange} />
        <Select
          label={t('CVR')}
          w={150}
          data={[{ value: all, label: t('All') }, ...new Set(meters.map((meter) => meter.key))]}
          value={key}
          allowDeselect={false}
          onChange={(next) => {
            setKey(next ?? all)
            setSite(all)
            setNamed([])
          }}
        />
        <Select
          label={t('Site')}
          w={230}
          data={[{ value: all, label: t('All') }, ...sites]}
          value={site}
          allowDeselect={false}
          onChange={(next) => {
            setSite(next ?? all)
            setNamed([])
          }}
        />
        <MultiSelect
          label={t('Meters')}
          className={classes.meters ?? ''}
          placeholder={named.length === 0 ? t('All enabled meters') : ''}
          data={ofSite.map(({ id, dataHub, meteringPointId }) => ({
            value: id,
            label: dataHub.name || meteringPointId,
          }))}
          value={named}
          searchable
          clearable
          onChange={setNamed}
        />
        <Button type="submit" loading={isPending} disabled={!groups.data || refusal !== null}>
          {t('Create report')}
        </Button>
      </FilterRow>
      <Note ink="ink2" above={8} role="status">
        {refusal ? translateText(refusal) : groups.data && metersText(chosen.length)}
      </Note>
    </Panel>
  )
}
