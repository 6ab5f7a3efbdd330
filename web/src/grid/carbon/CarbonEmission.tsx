import { TabPage } from '#ui/Page.tsx'
import { carbonLastReported } from '@gridmast/contract/grid/carbon.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { EmissionCard } from './EmissionCard.tsx'
import { OwnCarbonCard } from './OwnCarbonCard.tsx'
import { useNow } from '#lib/clock.ts'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { noRange, useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { SharedRangeContext } from '#ui/Chart/shared-range.ts'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Select } from '#ui/Select.tsx'
import { areasOf } from '#grid/areas.ts'
import { carbonSearch } from '#grid/search.ts'

const CarbonEmission = () => {
  const { customerId: customer } = useUser()
  const { instances } = customer
  const areas = areasOf(customer)
  const [search, change] = useUrlState(carbonSearch)
  const now = today(useNow(60_000))
  const tab = search.tab ?? 'emission'
  const area = areas.find((one) => one === search.area) ?? areas[0]
  const defaultDate = tab === 'emission' ? addDays(now, -1) : now
  const date = search.date ?? defaultDate
  const range = useDayOrRange(date, tab === 'emission' ? limits.ownCarbonDays : undefined)
  const stored = useCall(carbonLastReported, {
    sent: { query: { type: 'future', area: area ?? '' } },
    enabled: area !== undefined && tab === 'emission',
  })
  const mayCompare = tab === 'emission' && stored.data?.carbon.timestamp != null
  // Also while it is read, so that nothing moves.
  const offersComparison = tab === 'emission' && (mayCompare || stored.isPending)
  const compared = mayCompare && search.compare === 'prognosis'
  const ofArea = instances.filter((one) => one.area === area)
  const instance = ofArea.find(({ _id }) => _id === search.instance)?._id
  if (!area)
    return (
      <main>
        <Panel title={t('Carbon Emission')} label={t('Carbon Emission')}>
          <Empty title={t('No price area')}>{t('Your company has no price area. Ask the operator to add one.')}</Empty>
        </Panel>
      </main>
    )
  const latest = tab === 'emission' ? now : addDays(now, 1)
  const toDate = (next: string) => change({ date: next === defaultDate ? undefined : next, ...noRange })
  const fields = (
    <FilterRow label={t('Carbon Emission')} onSubmit={() => {}}>
      <Select
        label={t('Area')}
        w={132}
        data={areas}
        value={area}
        allowDeselect={false}
        onChange={(next) => next && change({ area: next === areas[0] ? undefined : next })}
      />
      <DaySteps value={date} max={latest} onChange={toDate}>
        <DateField label={t('Date')} value={date} max={latest} onChange={toDate} />
      </DaySteps>
      {range.picker}
      {offersComparison && (
        <Select
          label={t('Compare with')}
          w={200}
          disabled={!mayCompare}
          clearable
          placeholder={t('Nothing')}
          data={[{ value: 'prognosis', label: t('Emission Prognosis') }]}
          value={search.compare ?? null}
          onChange={(next) => change({ compare: next === null ? undefined : 'prognosis' })}
        />
      )}
    </FilterRow>
  )
  const emission = (
    <SharedRangeContext value={range.shared}>
      {fields}
      <EmissionCard type="past" area={area} range={range} compared={compared} />
      <OwnCarbonCard
        area={area}
        range={range}
        instances={ofArea}
        instanceId={instance}
        onInstance={(next) => change({ instance: next })}
      />
    </SharedRangeContext>
  )
  const prognosis = (
    <SharedRangeContext value={range.shared}>
      {fields}
      <EmissionCard type="future" area={area} range={range} />
    </SharedRangeContext>
  )
  return (
    <main>
      <TabPage
        current={tab}
        kept={{ area: area === areas[0] ? undefined : area }}
        tabs={[
          { name: 'emission', title: t('Emission'), content: emission },
          { name: 'prognosis', title: t('Emission Prognosis'), content: prognosis },
        ]}
      />
    </main>
  )
}

export default CarbonEmission
