import type { Instance } from '@gridmast/contract/people/instances.ts'
import { type LocalDate, today } from '@gridmast/contract/time.ts'
import { Suspense, useMemo } from 'react'
import { useAnnotations } from '#grid/annotations/useAnnotations.tsx'
import { useNow } from '#lib/clock.ts'
import { t, translateText } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { ChartPanel, type LegendKeys, LiveFigure } from '#ui/Chart/ChartPanel.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note } from '#ui/Layout.tsx'
import type { ChartSeries } from '#ui/Chart/model.ts'
import { SharedRangeContext } from '#ui/Chart/shared-range.ts'
import { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { Segments } from '#ui/Segments.tsx'
import { CompareWith } from './CompareWith.tsx'
import { useComparison } from './useComparison.ts'
import { type InstanceView, staleMs, useInstanceDay } from './useInstanceDay.ts'

const Planned = part(async () => (await import('./Planned.tsx')).default)

type Props = {
  instance: Instance
  others: readonly { _id: string; name: string }[]
  date: LocalDate
  view: InstanceView
  onDate: (date: LocalDate) => void
  onView: (view: InstanceView) => void
}

/** A column in front of the compared one; a line keeps its place as the first series, which live points extend. */
const withComparison = (own: ChartSeries[], compared: ChartSeries): ChartSeries[] =>
  compared.behind ? [compared, ...own] : [...own, compared]

/** One day of an instance: its power or its consumption. Give it a key of instance and day. */
export const InstanceOverview = ({ instance, others, date, view, onDate, onView }: Props) => {
  const newestDay = today(useNow(60_000))
  const shown = useDayOrRange(date)
  const { shared, words, first, picker } = shown
  const day = useInstanceDay(instance._id, date, view, shown)
  const { query, download, feed, live, isLive, model, peak, totalKwh, gapWords } = day
  const annotations = useAnnotations(instance, shared.span)
  const { marks } = annotations
  const { plans } = annotations
  const compared = useComparison({ instanceId: instance._id, others, view, first, span: shared.span, plans })
  const { series } = compared
  const shownModel = useMemo(
    () => model && { ...model, marks, series: series ? withComparison(model.series, series) : model.series },
    [model, marks, series],
  )
  const comparedLegend: LegendKeys = compared.name
    ? [
        {
          name: compared.isCustomerText ? compared.name : translateText(compared.name),
          colour: 6,
          line: view === 'power',
          dashed: true,
          ...(view === 'power' ? {} : { alpha: '47' as const }),
        },
      ]
    : []
  const { name, description, edgeDetails } = instance
  const { codeVersion } = edgeDetails.properties
  return (
    <SharedRangeContext value={shared}>
      <FilterRow
        label={t('Day and view')}
        onSubmit={() => {}}
        actions={<ExportButton disabled={!query.data?.lastReported} onExport={download} />}
      >
        <Segments
          label={t('View')}
          value={view}
          onChange={onView}
          data={[
            { value: 'power', label: t('Power (kW)') },
            { value: 'consumption', label: t('Consumption (kWh)') },
          ]}
        />
        <DaySteps value={date} max={newestDay} onChange={onDate}>
          <DateField label={t('Date')} value={date} max={newestDay} onChange={onDate} />
        </DaySteps>
        {picker}
        <CompareWith
          chosen={compared.chosen}
          onChoose={compared.choose}
          first={first}
          newest={newestDay}
          hasPlans={plans.length > 0}
          others={others}
        />
      </FilterRow>
      <ChartPanel
        title={name}
        help="instancePower"
        note={[view === 'power' ? t('Power (kW)') : t('Consumption (kWh)'), words].filter(Boolean).join(' · ')}
        figures={
          <>
            <Note size="body" wholeLine>
              {[description, `Edge ${edgeDetails.deviceId}`, codeVersion].filter(Boolean).join(' · ')}
            </Note>
            {isLive && <LiveFigure feed={feed} label={t('Now')} unit="kW" decimals={1} />}
            <Figure {...peak} decimals={1} unit="kW" />
            <Figure label={t('Consumption')} value={totalKwh} decimals={1} unit="kWh" />
          </>
        }
        legend={[{ name: t('Measured'), colour: 1, line: view === 'power' }, ...comparedLegend, ...annotations.legend]}
        renderMark={annotations.renderMark}
        actions={annotations.action}
        height={400}
        query={query}
        model={shownModel}
        live={live}
        failed={t('Power could not be loaded.')}
        empty={words ? t('No measurements in this period') : t('No measurements on this day')}
        hint={
          words
            ? t('The instance did not report. Choose another period.')
            : t('The instance did not report. Choose another day.')
        }
        reported={isLive ? { feed, staleAfterMs: staleMs } : {}}
        footRight={[gapWords, annotations.note, compared.error && t('The comparison could not be loaded.')]
          .filter(Boolean)
          .join(' · ')}
      />
      {annotations.dialog}
      {compared.readPlans && (
        <Suspense>
          <Planned plans={plans} span={shared.span} view={view} onRead={compared.readPlans} />
        </Suspense>
      )}
    </SharedRangeContext>
  )
}
