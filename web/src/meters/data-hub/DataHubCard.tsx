import { dataHubOverview } from '@gridmast/contract/meters/data-hub.ts'
import { screenRefusal } from '@gridmast/contract/screens.ts'
import { addDays, formatDateTime, today } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { subjectOf, useUser } from '#lib/user.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note, Row } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { StatusDot, Tag } from '#ui/Tag.tsx'
import { coverageWords, isWhole, leftOutWords, type MeterView, type Period, periodOf } from './meter-words.ts'
import { meterModel } from './meter-model.ts'

type Props = {
  height?: number
  /** Without it the card has its own day, month or year, until yesterday. */
  shown?: {
    period: Period
    keepWhile: string | undefined
    /** Undefined while a range is shown. */
    view: MeterView | undefined
    onView: (view: MeterView) => void
  }
}

/** Total consumption and cost of all enabled meters. */
export const DataHubCard = ({ height = 190, shown }: Props) => {
  const opensDataHub = screenRefusal(subjectOf(useUser()), 'dataHub') === null
  const nowMs = useNow(60_000)
  const [ownView, setOwnView] = useState<MeterView>('day')
  const { view, onView } = shown ?? { view: ownView, onView: setOwnView }
  const newest = addDays(today(nowMs), -1)
  const own = useMemo(() => periodOf(ownView, newest), [ownView, newest])
  const period = shown?.period ?? own
  const query = useCall(dataHubOverview, { sent: { query: period.sent }, keepWhile: shown?.keepWhile })
  const { data } = query
  const model = useMemo(
    () =>
      data
        ? meterModel(
            { graph: data.graph, readings: null },
            { period, quantity: 'consumption', nowMs, words: { missing: t('No reading') } },
          )
        : null,
    [data, period, nowMs],
  )
  const totals = data?.totals
  const coverage = totals?.coverage
  const leftOut = coverage ? leftOutWords(coverage) : []
  return (
    <ChartPanel
      title="Data Hub"
      help="meterCost"
      heading={
        opensDataHub && (
          <Link to="/insights/dataHub" className="gm-link">
            Data Hub
          </Link>
        )
      }
      note={period.words}
      badge={coverage && coverage.read > 0 && !isWhole(coverage) && <Tag kind="warn">{t('Incomplete')}</Tag>}
      simulated={data?.sources.readings.simulated}
      controls={
        <Segments
          label={t('Period')}
          value={view}
          onChange={onView}
          data={[
            { value: 'day', label: t('Day') },
            { value: 'month', label: t('Month') },
            { value: 'year', label: t('Year') },
          ]}
        />
      }
      figures={
        <>
          <Figure label={t('Consumption')} value={totals?.kwh} decimals={0} unit="kWh" />
          <Figure label={t('Cost')} value={totals?.dkk?.total} decimals={0} unit="DKK" />
          <Figure label={t('Emission')} value={totals?.kgCo2} decimals={0} unit="kg CO₂" />
          {leftOut.map((words) => (
            <Note key={words} ink="warn" size="body" wholeLine>
              {words}
            </Note>
          ))}
        </>
      }
      legend={[
        { name: t('Consumption'), colour: 1 },
        { name: t('Cost'), colour: 2, line: true },
      ]}
      height={height}
      onDownload={fileOf(dataHubOverview, { query: period.sent })}
      query={query}
      model={model}
      failed={t('The readings could not be loaded.')}
      empty={data?.meters.length === 0 ? t('No meter is switched on') : t('No readings in this period')}
      hint={
        data?.meters.length === 0
          ? t('Configure the meters in Data Hub and switch them on.')
          : t('Eloverblik delivers readings the next day, sometimes later.')
      }
      foot={
        <Row as="span" inline gap={8}>
          <StatusDot status={data?.lastRead ? 'fresh' : 'off'} />
          <span className="gm-num">
            {t('Last read:')} {data?.lastRead ? formatDateTime(Date.parse(data.lastRead)) : '–'}
          </span>
        </Row>
      }
      footRight={coverage && coverageWords(coverage, { isDay: false, resolution: 'hour' })}
    />
  )
}
