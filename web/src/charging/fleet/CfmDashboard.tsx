import { fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import { useThrottledCallback } from '@mantine/hooks'
import { useState } from 'react'
import { AttentionPanel } from './AttentionPanel.tsx'
import { FleetCharts } from './FleetCharts.tsx'
import { FleetNow } from './FleetNow.tsx'
import { MonthComparison } from './MonthComparison.tsx'
import { UtilisationTable } from './UtilisationTable.tsx'
import { t } from '#lib/i18n.ts'
import { useLiveChargers, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { BelowList } from '#ui/Loaded.tsx'
import { Grid, Row } from '#ui/Layout.tsx'
import { Page } from '#ui/Page.tsx'
import { Segments } from '#ui/Segments.tsx'
import { fleetDays, fleetSearch } from './search.ts'

const usualDays = 30
const rereadMs = 60_000
const oftenestMs = 3000

/** The charge fleet at a glance; the home of a company without trueGreen. */
const CfmDashboard = () => {
  const [{ days = usualDays }, change] = useUrlState(fleetSearch)
  const read = useCall(fleetDashboard, { sent: { query: { days } }, refetchIntervalMs: rereadMs })
  const again = useThrottledCallback(() => void read.refetch(), oftenestMs)
  useLiveChargers(again)
  useLiveResume(again)
  // Another period is chosen below: what has been shown stays while it is read.
  const [isFirst, setFirst] = useState(true)
  if (isFirst && !read.isPending) setFirst(false)
  return (
    <Page>
      <FleetNow read={read} />
      <MonthComparison read={read} />
      <BelowList isPending={isFirst}>
        <Row nowrap align="stretch" justify="end">
          <Segments
            label={t('Period')}
            value={String(days)}
            onChange={(next) => {
              const chosen = fleetDays.find((one) => String(one) === next)
              change({ days: chosen === usualDays ? undefined : chosen })
            }}
            data={fleetDays.map((n) => ({ value: String(n), label: t('Last {{n}} days', { n }) }))}
          />
        </Row>
        <FleetCharts read={read} />
        <Grid columns="2:1" gap={16}>
          <UtilisationTable read={read} days={days} />
          <AttentionPanel read={read} />
        </Grid>
      </BelowList>
    </Page>
  )
}

export default CfmDashboard
