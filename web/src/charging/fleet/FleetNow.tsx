import type { Data, Sent } from '@gridmast/contract/call.ts'
import type { fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '#lib/api.ts'
import type { ChargingSums } from '@gridmast/contract/charging/charging-costs.ts'
import { Skeleton } from '@mantine/core'
import {
  formatNumber,
  compareDecimals,
  multiplyDecimals,
  ratioOfDecimals,
  subtractDecimals,
  unknownText,
} from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { digits, format, simulatedWords } from '#lib/format.ts'
import { LoadError } from '#ui/Loaded.tsx'
import { ConnectorState, chargerStates, stateOf } from '#ui/ConnectorState.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Grid, Note, Row, Stack } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import classes from './charge-fleet.module.css'
import { atLocalTime, formatDate } from '@gridmast/contract/time.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'

export type FleetQuery = Sent<typeof fleetDashboard>['query']
export type FleetRead = UseQueryResult<Data<typeof fleetDashboard>, ApiError>

/** Null where no energy has a cost yet. */
const sumOrNull = (costs: ChargingSums, sum: string): string | null =>
  costs.kwh > 0 && costs.kwh <= costs.kwhWithoutCost ? null : sum

/** Part of the energy has no cost yet: the sum is not final. */
const isIncomplete = ({ kwh, kwhWithoutCost }: ChargingSums): boolean => kwhWithoutCost > 0 && kwhWithoutCost < kwh

const gramsPerKwh = (costs: ChargingSums | undefined) => {
  const kwh = (costs?.kwh ?? 0) - (costs?.kwhWithoutCo2 ?? 0)
  return costs && kwh > 0 ? (costs.kgCo2 * 1000) / kwh : null
}

export const FleetNow = ({ read }: { read: FleetRead }) => {
  const { data } = read
  const costs = data?.costs
  const isPartial = costs !== undefined && isIncomplete(costs)
  const states = Map.groupBy(data?.chargers ?? [], stateOf)
  const figures = [
    { label: t('Sessions now'), value: data?.running, decimals: 0 },
    { label: t('Sessions today'), value: data?.today.sessions, decimals: 0 },
    { label: t('Energy today'), value: data?.today.energyKwh, decimals: 1, unit: 'kWh' },
    { label: t('Sessions this month'), value: data?.month.sessions, decimals: 0 },
    { label: t('Energy this month'), value: data?.month.energyKwh, decimals: 1, unit: 'kWh' },
    {
      label: isPartial ? t('Cost this month, incomplete') : t('Cost this month'),
      value: costs && sumOrNull(costs, costs.dkk),
      decimals: 0,
      unit: 'DKK',
    },
    { label: t('Income this month'), value: costs && sumOrNull(costs, costs.driverDkk), decimals: 0, unit: 'DKK' },
    {
      label: isPartial ? t('Margin this month, incomplete') : t('Margin this month'),
      value: costs?.marginDkk,
      decimals: 0,
      unit: 'DKK',
    },
    { label: t('CO₂ per kWh'), value: gramsPerKwh(costs), decimals: 0, unit: 'g' },
  ]
  const uncounted = Math.max(costs?.kwhWithoutCost ?? 0, costs?.kwhWithoutCo2 ?? 0)
  const notes = [
    costs?.marginDkk != null &&
      compareDecimals(costs.marginDkk, subtractDecimals(costs.driverDkk, costs.dkk)) !== 0 &&
      t('Margin: only sessions with a driver price.'),
    uncounted > 0 &&
      t('{{kwh}} kWh of this month have no cost or emission yet.', {
        kwh: digits.kwhTotal(uncounted),
      }),
    data &&
      data.uncounted.doubted.sessions > 0 &&
      t('Sessions with energy to confirm this month, not in the totals: {{n}} ({{kwh}} kWh).', {
        n: data.uncounted.doubted.sessions,
        kwh: digits.kwhTotal(data.uncounted.doubted.kwh),
      }),
    data &&
      data.uncounted.refused.sessions > 0 &&
      t('Refused sessions that charged this month, not in the totals: {{n}} ({{kwh}} kWh).', {
        n: data.uncounted.refused.sessions,
        kwh: digits.kwhTotal(data.uncounted.refused.kwh),
      }),
  ]
  return (
    <Panel
      title={t('Chargers')}
      help="fleet"
      note={data && <span className="gm-num">{data.chargers.length}</span>}
      label={t('Chargers')}
      badge={data?.simulated && <Tag kind="outline">{simulatedWords(data.simulated)}</Tag>}
      figures={
        <Grid fill={210} gap={24} rowGap={8} className={classes.figures}>
          {figures.map((one) => (
            <Figure key={one.label} {...one} />
          ))}
        </Grid>
      }
    >
      <LoadError query={read} title={t('The charge fleet could not be loaded.')} />
      {read.isPending && (
        <>
          <Skeleton className={classes.waiting ?? ''} width={300} maw="100%" animate={false} />
          <span role="status" aria-label={t('Loading')} />
        </>
      )}
      <Stack gap={2} below={8} className={classes.notes}>
        {notes.map(
          (words) =>
            words && (
              <Note key={words} className="gm-meta">
                {words}
              </Note>
            ),
        )}
      </Stack>
      {data && (
        <Row as="ul" gap={20} rowGap={8} below={4} aria-label={t('Chargers by state')}>
          {chargerStates.flatMap((state) => {
            const count = states.get(state)?.length ?? 0
            return count === 0
              ? []
              : [
                  <Row as="li" key={state} inline nowrap gap={8}>
                    <b className="gm-num">{count}</b> <ConnectorState state={state} />
                  </Row>,
                ]
          })}
          {data.chargers.length === 0 && <li>{t('Your company has no chargers yet.')}</li>}
        </Row>
      )}
    </Panel>
  )
}

type MonthFigure = {
  key: string
  label: string
  unit: string
  decimals: number
  now: string | null
  before: string | null
}

const rowsOf = (of: (costs: ChargingSums) => string | null, now: ChargingSums, before: ChargingSums) => ({
  now: of(now),
  before: of(before),
})

/** In percent; null without a previous value. */
const changeOf = ({ now, before }: MonthFigure): string | null => {
  if (now === null || before === null || compareDecimals(before, '0') <= 0) return null
  const share = ratioOfDecimals(subtractDecimals(now, before), before, 4)
  return share === null ? null : multiplyDecimals(share, '100')
}

const signed = (percent: string | null) =>
  percent === null ? unknownText : `${compareDecimals(percent, '0') > 0 ? '+' : ''}${format.wholePercent(percent)}`

/** This month and the same days of the previous month. */
export const MonthComparison = ({ read }: { read: FleetRead }) => {
  const { data } = read
  const text = (row: MonthFigure, value: string | null) =>
    formatNumber(value, { decimals: row.decimals, unit: row.unit })
  const isPartial = data !== undefined && isIncomplete(data.costs)
  const until = data ? formatDate(atLocalTime(data.before.until, '00:00')) : ''
  const columns: Columns<MonthFigure> = [
    column.text('what', t('Figure'), ({ label }) => label, { card: 'lead' }),
    column.figure('now', t('This month'), (row) => text(row, row.now)),
    column.figure('before', t('Last month to {{date}}', { date: until }), (row) => text(row, row.before)),
    column.figure('change', t('Change'), (row) => signed(changeOf(row))),
  ]
  const row = (
    key: string,
    label: string,
    unit: string,
    decimals: number,
    of: (costs: ChargingSums) => string | null,
  ) => (data ? [{ key, label, unit, decimals, ...rowsOf(of, data.costs, data.before.costs) }] : [])
  return (
    <ListPanel
      title={t('This month and last month')}
      help="fleet"
      query={read}
      failed={t('The charge fleet could not be loaded.')}
      columns={columns}
      rows={[
        ...row('sessions', t('Charging sessions'), '', 0, ({ sessions }) => String(sessions)),
        ...row('energy', t('Energy'), 'kWh', 1, ({ kwh }) => kwh.toFixed(3)),
        ...row('cost', isPartial ? t('Cost, incomplete') : t('Cost'), 'DKK', 2, (costs) => sumOrNull(costs, costs.dkk)),
        ...row('income', t('Income'), 'DKK', 2, (costs) => sumOrNull(costs, costs.driverDkk)),
        ...row(
          'margin',
          isPartial ? t('Margin of sessions with a price, incomplete') : t('Margin of sessions with a price'),
          'DKK',
          2,
          ({ marginDkk }) => marginDkk,
        ),
      ]}
      rowKey={({ key }) => key}
    />
  )
}
