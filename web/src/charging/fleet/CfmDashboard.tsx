import type { Series } from '@gridmast/contract/series.ts'
import { addDays, atLocalTime, dayBounds, localDateOf, today } from '@gridmast/contract/time.ts'
import { Suspense, useMemo, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { t, withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { isRelative, startAndEnd } from '#ui/Chart/range.ts'
import { noRange, RangePicker } from '#ui/Chart/RangePicker.tsx'
import { rangeWords } from '#ui/Chart/range-words.ts'
import { SharedRangeContext } from '#ui/Chart/shared-range.ts'
import { useTimeRange } from '#ui/Chart/useTimeRange.ts'
import type { ChartModel, PaletteIndex } from '#ui/Chart/model.ts'
import { valueAxis } from '#ui/Chart/shape.ts'
import { type FleetQuery, type FleetRead, FleetNow, MonthComparison } from './FleetNow.tsx'
import { fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import { useThrottledCallback } from '@mantine/hooks'
import { AttentionPanel } from './AttentionPanel.tsx'
import { UtilisationTable } from './UtilisationTable.tsx'
import { useLiveChargers, useLiveResume } from '#lib/live.ts'
import { usePhone } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { BelowList } from '#ui/Loaded.tsx'
import { Grid, Row } from '#ui/Layout.tsx'
import { Page } from '#ui/Page.tsx'
import { Segments } from '#ui/Segments.tsx'
import { fleetDays, fleetSearch } from './search.ts'

const SendDashboard = part(async () => (await withWords(import('#ui/SendDashboard.tsx'), 'people-reports')).default)

const dayAfter = (ms: number) => atLocalTime(addDays(localDateOf(ms), 1), '00:00')

/** A column for each local day, which in spring and autumn is not 24 hours long. */
const dayModel = (
  days: Series | undefined,
  look: { name: string; colour: PaletteIndex },
  decimals: number,
): ChartModel | null => {
  const [first] = days?.x ?? []
  const last = days?.x.at(-1)
  if (!days || first === undefined || last === undefined) return null
  const most = Math.max(0, ...days.y.map((value) => value ?? 0))
  return {
    span: { fromMs: first, toMs: dayAfter(last) },
    unit: days.unit,
    decimals,
    fromZero: true,
    // Counts have whole ticks.
    ...(decimals === 0 && most > 0 && { low: 0, high: 4 * Math.ceil(valueAxis([most], { fromZero: true }).step) }),
    series: [{ ...days, ...look, ends: days.x.map(dayAfter) }],
  }
}

const FleetCharts = ({ read, query }: { read: FleetRead; query: FleetQuery }) => {
  const { data } = read
  const models = useMemo(
    () => ({
      sessions: dayModel(data?.sessionsData[0], { name: 'Charging sessions', colour: 1 }, 0),
      energy: dayModel(data?.energyData[0], { name: 'Energy', colour: 1 }, 1),
    }),
    [data],
  )
  const common = {
    query: read,
    height: 200,
    failed: t('The charge fleet could not be loaded.'),
    empty: t('No sessions in this period'),
  }
  const save = (chart: 'sessions' | 'energy') => fileOf(fleetDashboard, { query: { ...query, chart } })
  return (
    <Grid fit={420} gap={16}>
      <ChartPanel title={t('Sessions by day')} {...common} model={models.sessions} onDownload={save('sessions')} />
      <ChartPanel
        title={t('Energy by day')}
        note="(kWh)"
        help="sessionEnergy"
        {...common}
        model={models.energy}
        onDownload={save('energy')}
      />
    </Grid>
  )
}

const defaultDays = 30
const rereadMs = 60_000
const rereadAtMostMs = 3000

/** The charge fleet at a glance; the home of a company without trueGreen. */
const CfmDashboard = () => {
  const [{ days = defaultDays }, change] = useUrlState(fleetSearch)
  const range = useTimeRange()
  const phone = usePhone()
  const date = today(useNow(60_000))
  const shared = range.sharedWith({ fromMs: dayBounds(addDays(date, 1 - days)).fromMs, toMs: dayBounds(date).toMs })
  const chosen = range.zoom ?? range.chosen
  // A relative range stays one in files and reports.
  const query: FleetQuery = !chosen ? { days } : isRelative(chosen) ? { range: chosen } : startAndEnd(shared.span)
  const read = useCall(fleetDashboard, {
    sent: { query },
    refetchIntervalMs: rereadMs,
    keepWhile: JSON.stringify(chosen ?? days),
  })
  const reread = useThrottledCallback(() => void read.refetch(), rereadAtMostMs)
  useLiveChargers(reread)
  useLiveResume(reread)
  // The lower part stays visible while another period is loaded.
  const [isFirst, setFirst] = useState(true)
  if (isFirst && !read.isPending) setFirst(false)
  return (
    <Page>
      <FleetNow read={read} />
      <MonthComparison read={read} />
      <BelowList isPending={isFirst}>
        <Row gap={12} rowGap={8} align="stretch" justify="end">
          <Segments
            label={t('Period')}
            value={chosen ? undefined : String(days)}
            onChange={(next) => {
              const last = fleetDays.find((one) => String(one) === next)
              change({ days: last === defaultDays ? undefined : last, ...noRange })
            }}
            data={fleetDays.map((n) => ({ value: String(n), label: t('Last {{n}} days', { n }) }))}
          />
          <RangePicker shown={shared} chosen={range.chosen} zoom={range.zoom} onChoose={range.choose} />
        </Row>
        <SharedRangeContext value={shared}>
          <FleetCharts read={read} query={query} />
        </SharedRangeContext>
        <Grid columns="2:1" fit={320} gap={16}>
          <UtilisationTable
            read={read}
            query={query}
            period={chosen ? rangeWords(chosen) : t('Last {{n}} days', { n: days })}
          />
          <AttentionPanel read={read} />
        </Grid>
        {!phone && (
          <Row justify="end">
            <Suspense>
              <SendDashboard />
            </Suspense>
          </Row>
        )}
      </BelowList>
    </Page>
  )
}

export default CfmDashboard
