import { Button, Group } from '@mantine/core'
import { findSettlements, type Settlement } from '@gridmast/contract/settlement/economics.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today, type LocalDate } from '@gridmast/contract/time.ts'
import { useState, type ReactNode } from 'react'
import { useNow } from '#lib/clock.ts'
import { t, translateText } from '#lib/i18n.ts'
import { type UrlProps, useDraft } from '#lib/url-state.ts'
import { useSavedList } from '#lib/list.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Text } from '#ui/Layout.tsx'
import { SavedList } from '#ui/SavedList.tsx'
import { Tag } from '#ui/Tag.tsx'
import { daysOf, settlementFilters } from './search.ts'
import type { economicsSearch, EconomicsSearch } from './search.ts'
import { SummaryCard } from './SummaryCard.tsx'
import { useColumns } from './settlement-columns.tsx'
import { RangeField } from '#ui/date/RangeField.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { OwnerSelects } from './OwnerSelects.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'

const SettlementDialog = lateDialog(
  async () => (await import('./SettlementDialog.tsx')).SettlementDialog,
  (props) => props.row !== null,
)

type Props = {
  search: EconomicsSearch
  now: LocalDate
  onSubmit: (part: Partial<EconomicsSearch>) => void
  actions: ReactNode
}

const EconomicsFilter = ({ search, now, onSubmit, actions }: Props) => {
  const { draft, change } = useDraft(search)
  const { licenseId, instanceId } = draft
  const days = daysOf(draft, now)
  const submit = () => {
    const defaults = daysOf({}, now)
    const isDefault = days.start === defaults.start && days.end === defaults.end
    onSubmit({
      licenseId,
      instanceId,
      page: undefined,
      ...(isDefault ? { startDate: undefined, endDate: undefined } : { startDate: days.start, endDate: days.end }),
    })
  }
  const chosen = [search.licenseId, search.instanceId, search.startDate ?? search.endDate].filter(Boolean).length
  return (
    <FilterRow label={t('Filter of the settlements')} actions={actions} onSubmit={submit} chosen={chosen}>
      <OwnerSelects licenseId={licenseId} instanceId={instanceId} onChange={change} />
      <div data-day>
        <RangeField
          label={t('Start and end date')}
          value={days}
          onChange={({ start, end }) => change({ startDate: start, endDate: end })}
        />
      </div>
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}

export const OverviewTab = ({ search, onSearch }: UrlProps<typeof economicsSearch>) => {
  const now = today(useNow(60_000))
  const { start, end } = daysOf(search, now)
  const { licenseId, instanceId } = search
  const filter = {
    startDate: start,
    endDate: end,
    ...(licenseId ? { licenseId } : {}),
    ...(instanceId ? { instanceId } : {}),
  }
  const filterKey = JSON.stringify(filter)
  const list = useSavedList(
    findSettlements,
    { query: filter },
    {
      rows: ({ settlements }) => settlements,
      total: ({ count }) => count,
      pageSize: limits.economicsPageSize,
      views: { list: 'settlements', filters: settlementFilters },
    },
  )
  const { query: read } = list
  const { data } = read
  const [info, setInfo] = useState<Settlement | null>(null)
  const [closedFor, setClosedFor] = useState<string | null>(null)
  const simulated = data?.settlements.filter((one) => one.simulated).length ?? 0
  const isAllSimulated = simulated > 0 && simulated === data?.settlements.length
  return (
    <>
      <EconomicsFilter
        key={filterKey}
        search={search}
        now={now}
        onSubmit={(next) => {
          setClosedFor(null)
          onSearch(next)
        }}
        actions={<ExportButton disabled={!data || data.exportData.length === 0} onExport={list.file.onExport} />}
      />
      <SummaryCard answer={data} pending={read.isPending} />
      <SavedList
        title={t('Settlements')}
        help="settlements"
        badge={isAllSimulated && <Tag kind="outline">{t('Simulated')}</Tag>}
        {...list}
        failed={t('The settlements could not be loaded.')}
        columns={useColumns({ isAllSimulated, onInfo: setInfo })}
        onOpen={setInfo}
        rowKey={({ instanceId: of, date, type }) => `${of} ${date} ${type}`}
        warnRow={({ isResultFetched }) => !isResultFetched}
        emptyReason={t('No settlement matches the filter. Bids are settled the night after their day.')}
        footNote={
          data && (data.unpublished > 0 || data.unshared > 0 || data.energyUnknown > 0) ? (
            <Text ink="warn">
              {[
                data.unpublished > 0 &&
                  t('{{count}} rows: The results have not been published yet', { count: data.unpublished }),
                data.unshared > 0 && t('Rows without a contract: {{n}}', { n: data.unshared }),
                data.energyUnknown > 0 && t('Rows with unknown energy: {{n}}', { n: data.energyUnknown }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          ) : undefined
        }
      />
      <SettlementDialog row={info} onClose={() => setInfo(null)} />
      <Dialog
        opened={data?.count === 0 && closedFor !== filterKey}
        onClose={() => setClosedFor(filterKey)}
        title={t('SETTLEMENTS')}
      >
        <p>{translateText(m.noDataFound)}</p>
        <Group justify="flex-end" mt={20}>
          <Button onClick={() => setClosedFor(filterKey)} data-autofocus>
            {t('Okay')}
          </Button>
        </Group>
      </Dialog>
    </>
  )
}
