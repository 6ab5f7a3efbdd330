import { carbonEmission, carbonLastReported } from '@gridmast/contract/grid/carbon.ts'
import { type LocalDate, formatDate, hourMs, localDateOf } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useAgeOver, useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { clockLabel, endLabel } from '#ui/Chart/shape.ts'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import { Tag } from '#ui/Tag.tsx'
import { carbonColour } from '#ui/theme/tokens.ts'
import classes from '#grid/grid.module.css'
import { type EmissionType, emissionModel, greenestHours } from './emission.ts'

type Props = { type: EmissionType; area: string; date: LocalDate }

/** The emission is published every five minutes, its prognosis every quarter of an hour. */
const staleMs = hourMs
const unit = 'g/kWh'

/** CO₂ of the electricity of an area over a local day, measured or as a prognosis. */
export const EmissionCard = ({ type, area, date }: Props) => {
  const now = useNow(60_000)
  const sent = { query: { date, type, area } }
  const query = useCall(carbonEmission, { sent })
  const reported = useCall(carbonLastReported, { sent: { query: { type, area } } }).data?.carbon.timestamp
  const { data } = query
  const isPast = type === 'past'
  const reportedMs = reported ? Date.parse(reported) : null
  const age = useAgeOver(() => reportedMs, staleMs)
  // Days that were over at the last report are complete.
  const stale = age !== null && reportedMs !== null && date >= localDateOf(reportedMs)
  const greenest = useMemo(() => (data && !isPast ? greenestHours(data, now) : null), [data, isPast, now])
  const model = useMemo(
    () =>
      data
        ? {
            ...emissionModel(data, { date, type, nowMs: now, missing: t('No data') }),
            ...(greenest ? { windows: [{ ...greenest, words: t('Greenest 4 hours') }] } : {}),
            stale,
          }
        : null,
    [data, date, type, now, greenest, stale],
  )
  const at = (label: string, point: { at: string; value: number } | null | undefined) =>
    point ? `${label} ${clockLabel(Date.parse(point.at))}` : label
  const title = isPast ? t('Emission') : t('Emission Prognosis')
  return (
    <ChartPanel
      title={title}
      help="gridEmission"
      note={`(${unit} CO₂) ${formatDate(date)}`}
      badge={
        <>
          <Tag>{area}</Tag>
          {!isPast && <Tag>{t('Estimated')}</Tag>}
        </>
      }
      figures={
        <>
          <Figure label={t('Average')} value={data?.mean} decimals={0} unit={unit} />
          <Figure label={at(t('Lowest'), data?.lowest)} value={data?.lowest?.value} decimals={0} unit={unit} />
          <Figure label={at(t('Highest'), data?.highest)} value={data?.highest?.value} decimals={0} unit={unit} />
          {greenest && (
            <TextFigure
              label={`${t('Greenest 4 hours')}, ${t('on average')} ${digits.gPerKwh(greenest.mean)} ${unit}`}
              value={`${clockLabel(greenest.fromMs)}–${endLabel(greenest.toMs)}`}
            />
          )}
          {!isPast && query.isPending && <TextFigure label={t('Greenest 4 hours')} value={undefined} />}
        </>
      }
      scale={<CarbonScale />}
      height={320}
      query={query}
      model={model}
      failed={t('The emission could not be loaded.')}
      empty={isPast ? t('No emission for this day') : t('No prognosis for this day')}
      hint={
        isPast
          ? t('Nothing was published for this area on this day.')
          : t('Prognoses are published the afternoon before.')
      }
      staleAge={stale ? age : null}
      reported={{ atMs: reportedMs, staleAfterMs: staleMs }}
      source={data?.source}
      onDownload={fileOf(carbonEmission, sent)}
    />
  )
}

const marks = [60, 150, 250, 350, 500]

const CarbonScale = () => (
  <div className={classes.scale} role="img" aria-label={t('Colours from 60 g/kWh, green, to 500 g/kWh, brown')}>
    {marks.map((value) => (
      <span key={value}>
        <i style={{ background: carbonColour(value) }} />
        {value === 500 ? '≥ 500' : value}
      </span>
    ))}
  </div>
)
