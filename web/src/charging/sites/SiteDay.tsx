import { ActionIcon, Button } from '@mantine/core'
import { type ChargingSite, chargingSiteChart, siteStepMs } from '@gridmast/contract/charging/charging-sites.ts'
import { type LocalDate, minuteMs, today } from '@gridmast/contract/time.ts'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { MarkedChart } from '#grid/annotations/MarkedChart.tsx'
import { isDrawn, seriesName } from '#ui/Chart/model.ts'
import type { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { Figure } from '#ui/Figure.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { kwOf, siteModel } from './site-day.ts'

/** Written each minute. */
const rereadMs = 30_000

type Props = {
  site: ChargingSite
  date: LocalDate
  range: ReturnType<typeof useDayOrRange>
  onDate: (date: LocalDate) => void
  onEdit: (() => void) | null
  onRemove: (() => void) | null
}

/** Power of each connector of a site over a day or a range, stacked, below the limit. */
export const SiteDay = ({ site, date, range, onDate, onEdit, onRemove }: Props) => {
  const nowMs = useNow(60_000)
  const newestDay = today(nowMs)
  const { shared, window, isRunning, words, kept, picker } = range
  const { fromMs, toMs } = shared.span
  const sent = { params: { id: site._id }, query: window }
  const query = useCall(chargingSiteChart, {
    sent,
    keepWhile: `${site._id} ${kept}`,
    ...(isRunning ? { refetchIntervalMs: rereadMs } : {}),
  })
  const limitKw = kwOf(site.limitA - site.reserveA)
  const model = useMemo(
    () =>
      query.data &&
      siteModel(query.data.chart, { span: { fromMs, toMs }, nowMs, limit: { name: t('Limit'), kw: limitKw } }),
    [query.data, fromMs, toMs, nowMs, limitKw],
  )
  const isLong = siteStepMs(shared.span) > minuteMs
  const silent = site.chargers.filter(({ isActive }) => !isActive)
  const actionButton = (words: string, icon: ReactNode, onClick: (() => void) | null) =>
    onClick && (
      <ActionIcon data-tip={words} aria-label={words} onClick={onClick}>
        {icon}
      </ActionIcon>
    )
  return (
    <>
      <FilterRow
        label={t('Day of the site')}
        onSubmit={() => {}}
        actions={
          <>
            {onEdit && (
              <Button
                variant="default"
                leftSection={<IconPencil size={16} stroke={1.8} aria-hidden />}
                onClick={onEdit}
              >
                {t('Edit {{name}}', { name: site.name })}
              </Button>
            )}
            {actionButton(t('Delete {{name}}', { name: site.name }), <IconTrash size={16} stroke={1.8} />, onRemove)}
          </>
        }
      >
        <DaySteps value={date} max={newestDay} onChange={onDate}>
          <DateField label={t('Date')} value={date} max={newestDay} onChange={onDate} />
        </DaySteps>
        {picker}
      </FilterRow>
      <MarkedChart
        marked={{ kind: 'site', _id: site._id, name: site.name }}
        span={shared.span}
        title={site.name}
        help="site"
        note={['(kW)', words].filter(Boolean).join(' ')}
        height={300}
        query={query}
        model={model ?? null}
        failed={t('The data of this site could not be loaded.')}
        empty={words ? t('No sessions in this period') : t('No sessions on this day')}
        hint={t('Limit and total are recorded every minute since the site was created.')}
        figures={
          <>
            <Figure label={t('Power now')} value={site.nowKw} decimals={1} unit="kW" />
            <Figure label={t('For charging')} value={limitKw} decimals={1} unit="kW" />
            <Figure
              label={t('Reserved, of {{n}} A', { n: site.limitA - site.reserveA })}
              value={site.heldA}
              decimals={0}
              unit="A"
            />
          </>
        }
        legend={model?.series.filter(isDrawn).map((series) => ({
          name: seriesName(series),
          colour: series.colour,
          line: !series.under,
          dashed: !series.under && series.colour === 6,
        }))}
        foot={
          isLong
            ? t('Connectors are drawn for a day at most; over more days the chart has the total.')
            : silent.length > 0
              ? t('No contact: {{names}}. Their power stays reserved; without contact they draw at most {{n}} A.', {
                  names: silent.map(({ name }) => name).join(', '),
                  n: site.fallbackA,
                })
              : t('Reserved: the most all chargers may draw, also if they lose contact.')
        }
        footRight={t('At 230 V: {{n}} A are {{kw}} kW on three phases', {
          n: site.limitA - site.reserveA,
          kw: digits.kw(limitKw),
        })}
        onDownload={fileOf(chargingSiteChart, sent)}
      />
    </>
  )
}
