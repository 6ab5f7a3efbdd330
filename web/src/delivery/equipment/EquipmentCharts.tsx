import type { Data } from '@gridmast/contract/call.ts'
import type { equipmentSeries } from '@gridmast/contract/delivery/equipment.ts'
import type { Series } from '@gridmast/contract/series.ts'
import { type Span, minuteMs } from '@gridmast/contract/time.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { t } from '#lib/i18n.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { LocalZoom } from '#ui/Chart/LocalZoom.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import { describeGaps, findGaps } from '#ui/Chart/shape.ts'
import { Stack } from '#ui/Layout.tsx'
import classes from './equipment.module.css'

const staleMs = 2 * minuteMs

type Props = { query: UseQueryResult<Data<typeof equipmentSeries>>; span: Span; running: boolean }

const silentMs = minuteMs

const modelOf = (all: Series[] | undefined, span: Span, running: boolean): ChartModel | null => {
  const [series, expected] = all ?? []
  return series
    ? {
        series: [{ ...series, colour: 1 }, ...(expected ? [{ ...expected, colour: 6 as const }] : [])],
        span,
        unit: series.unit,
        decimals: series.unit === '%' ? 0 : 1,
        fromZero: true,
        ...(series.unit === '%' ? { low: 0, high: 100 } : {}),
        gaps: describeGaps(findGaps(series.x, series.y, silentMs), t('No telemetry')),
        liveEnd: 'dot',
        ...(running ? { futureFromMs: span.toMs - minuteMs } : {}),
      }
    : null
}

export const EquipmentCharts = ({ query, span, running }: Props) => {
  const { data } = query
  const setPoint = useMemo(() => modelOf(data?.setPoint, span, running), [data, span, running])
  const power = useMemo(() => modelOf(data?.power, span, running), [data, span, running])
  const common = { height: 130, query, compact: true }
  return (
    <LocalZoom span={span}>
      <Stack gap={12} flat className={classes.charts}>
        <ChartPanel
          {...common}
          title={t('Set Point')}
          note="(%)"
          model={setPoint}
          failed={t('The set point could not be loaded.')}
          empty={t('No set point in this period')}
        />
        <ChartPanel
          {...common}
          title={t('Power')}
          note="(kW)"
          legend={[
            { name: t('Measured'), colour: 1, line: true },
            { name: t('Expected'), colour: 6, line: true, dashed: true },
          ]}
          model={power}
          failed={t('Power could not be loaded.')}
          empty={t('No power in this period')}
          reported={{ staleAfterMs: running ? staleMs : undefined }}
        />
      </Stack>
    </LocalZoom>
  )
}
