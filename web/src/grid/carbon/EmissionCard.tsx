import { carbonEmission, carbonLastReported } from '@gridmast/contract/grid/carbon.ts'
import { formatDate, hourMs } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useAgeOver, useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel, Legend } from '#ui/Chart/ChartPanel.tsx'
import { momentWords } from '#ui/Chart/range-words.ts'
import type { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { clockLabel, endLabel, isOneDay } from '#ui/Chart/shape.ts'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import { Stack } from '#ui/Layout.tsx'
import { Tag } from '#ui/Tag.tsx'
import { carbonColour } from '#ui/theme/tokens.ts'
import classes from '#grid/grid.module.css'
import { comparedPrognosis, type EmissionType, emissionModel, greenestHours } from './emission.ts'

type Props = {
  type: EmissionType
  area: string
  /** Of the chart and the query: a day or a range. */
  range: ReturnType<typeof useDayOrRange>
  /** The emission is compared with its prognosis. */
  compared?: boolean
}

/** The emission is published every five minutes, its prognosis every quarter of an hour. */
const staleMs = hourMs
const unit = 'g/kWh'

/** CO₂ of the electricity of an area over a local day or a range, measured or as a prognosis. */
export const EmissionCard = ({ type, area, range, compared = false }: Props) => {
  const now = useNow(60_000)
  const { fromMs, toMs } = range.shared.span
  const sent = { query: { ...range.window, type, area } }
  const keepWhile = `${area} ${range.kept}`
  const query = useCall(carbonEmission, { sent, keepWhile })
  const prognosis = useCall(carbonEmission, {
    sent: { query: { ...range.window, type: 'future', area } },
    keepWhile,
    enabled: compared,
  })
  const reported = useCall(carbonLastReported, { sent: { query: { type, area } } }).data?.carbon.timestamp
  const { data } = query
  const isPast = type === 'past'
  const reportedMs = reported ? Date.parse(reported) : null
  const age = useAgeOver(() => reportedMs, staleMs)
  // Windows that were over at the last report are complete.
  const stale = age !== null && reportedMs !== null && toMs > reportedMs
  const greenest = useMemo(() => (data && !isPast ? greenestHours(data, now) : null), [data, isPast, now])
  const other = compared ? prognosis.data : undefined
  const model = useMemo(() => {
    if (!data) return null
    const span = { fromMs, toMs }
    const own = emissionModel(data, { span, type, nowMs: now, missing: t('No data') })
    return {
      ...own,
      series: [...own.series, ...(other ? comparedPrognosis(other, span) : [])],
      ...(greenest ? { windows: [{ ...greenest, words: t('Greenest 4 hours') }] } : {}),
      stale,
    }
  }, [data, other, fromMs, toMs, type, now, greenest, stale])
  const isDay = isOneDay({ fromMs, toMs })
  const at = (label: string, point: { at: string; value: number } | null | undefined) => {
    const ms = point && Date.parse(point.at)
    return ms ? `${label} ${isDay ? clockLabel(ms) : momentWords(ms, null)}` : label
  }
  const title = isPast ? t('Emission') : t('Emission Prognosis')
  return (
    <ChartPanel
      title={title}
      help="gridEmission"
      note={`(${unit} CO₂) ${range.words ?? formatDate(range.first)}`}
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
      scale={
        <Stack gap={8}>
          {compared && (
            <Legend
              keys={[
                { name: t('Emission'), colour: 'ink2', line: true },
                { name: t('Emission prognosis'), colour: 6, line: true, dashed: true },
              ]}
            />
          )}
          <CarbonScale />
        </Stack>
      }
      height={320}
      query={query}
      model={model}
      failed={t('The emission could not be loaded.')}
      empty={isPast ? t('No emission in this period') : t('No prognosis in this period')}
      hint={
        isPast
          ? t('Nothing was published for this area in this period.')
          : t('Prognoses are published the afternoon before.')
      }
      staleAge={stale ? age : null}
      reported={{ atMs: reportedMs, staleAfterMs: staleMs }}
      source={data?.source}
      footRight={
        compared &&
        (prognosis.error
          ? t('The prognosis could not be loaded.')
          : other?.mean === null && t('No prognosis in this period'))
      }
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
