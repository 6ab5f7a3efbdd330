import type { Instance } from '@gridmast/contract/people/instances.ts'
import { type LocalDate, today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { ChartPanel, LiveFigure } from '#ui/Chart/ChartPanel.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { wholeDay } from './InstanceCard.tsx'
import { type InstanceView, staleMs, useInstanceDay } from './useInstanceDay.ts'

type Props = {
  instance: Instance
  date: LocalDate
  view: InstanceView
  onDate: (date: LocalDate) => void
  onView: (view: InstanceView) => void
}

/** One day of an instance: its power or its consumption. Give it a key of instance and day. */
export const InstanceOverview = ({ instance, date, view, onDate, onView }: Props) => {
  const newestDay = today(useNow(60_000))
  const { query, download, feed, isToday, model, peak, totalKwh, gapWords } = useInstanceDay(instance._id, date, view)
  const { name, description, edgeDetails } = instance
  const { codeVersion } = edgeDetails.properties
  return (
    <>
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
      </FilterRow>
      <ChartPanel
        title={name}
        help="instancePower"
        note={view === 'power' ? t('Power (kW)') : t('Consumption (kWh)')}
        figures={
          <>
            <Note size="body" wholeLine>
              {[description, `Edge ${edgeDetails.deviceId}`, codeVersion].filter(Boolean).join(' · ')}
            </Note>
            {isToday && <LiveFigure feed={feed} label={t('Now')} unit="kW" decimals={1} />}
            <Figure {...peak} decimals={1} unit="kW" />
            <Figure label={t('Consumption')} value={totalKwh} decimals={1} unit="kWh" />
          </>
        }
        legend={[{ name: t('Measured'), colour: 1, line: view === 'power' }]}
        height={400}
        query={query}
        model={model}
        live={view === 'power' && isToday ? { feed, slide: wholeDay } : undefined}
        failed={t('Power could not be loaded.')}
        empty={t('No measurements on this day')}
        hint={t('The instance did not report. Choose another day.')}
        reported={isToday ? { feed, staleAfterMs: staleMs } : {}}
        footRight={gapWords}
      />
    </>
  )
}
