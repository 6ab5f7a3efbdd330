import type { Sentence } from '#i18n/da.ts'
import { Button } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { revenueCalculator } from '@gridmast/contract/grid/revenue-calculator.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { downloadCall } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { digits, format, ratesWords } from '#lib/format.ts'
import { BelowList, LoadError } from '#ui/Loaded.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { formatMonth } from '#ui/date/typed-date.ts'
import { Figure } from '#ui/Figure.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import type { Choice } from './choice.ts'
import { revenueModel } from './revenue-model.ts'
import classes from '#grid/grid.module.css'
import { Grid, Note } from '#ui/Layout.tsx'
import { Menu, MenuItem } from '#ui/Menu.tsx'

type Revenue = Data<typeof revenueCalculator>
type Day = Revenue['detailedRevenue'][number]

/** Specification text 1, section 9. */
const pageSize = 15

export const RevenueResult = ({ choice, below }: { choice: Choice; below?: ReactNode }) => {
  const { market: signal, area, currency, startDate, endDate } = choice
  const request = { signal, area, capacity: Number(choice.capacity), startDate, endDate }
  const query = useCall(revenueCalculator, { sent: { query: request } })
  const { data } = query
  const missing = t('No prices')
  const model = useMemo(
    () => (data ? revenueModel(data.downloadData, { currency, startDate, endDate, missing }) : null),
    [data, currency, startDate, endDate, missing],
  )
  const hasData = (data?.detailedRevenue.length ?? 0) > 0 && (data?.coverage ?? 0) > 0
  const unit = currency === 'DKK' ? 'DKK' : 'EUR'
  const download = (rows: 'months' | 'days', format: FileFormat) =>
    downloadCall(revenueCalculator, { query: { ...request, rows, format } })
  return (
    <>
      <LoadError query={query} title={t('The revenue could not be calculated.')} />
      <Grid gap="cards" className={classes.cards}>
        <Panel label={t('Revenue in DKK')}>
          <Figure label={t('Revenue in DKK')} value={hasData ? data?.totalRevenueInDkk : null} unit="DKK" size="l" />
        </Panel>
        <Panel label={t('Revenue in euro')}>
          <Figure label={t('Revenue in euro')} value={hasData ? data?.totalRevenueInEuro : null} unit="EUR" size="l" />
        </Panel>
        <Panel title={t('Based on')} label={t('Based on')} help="calculator">
          <Figure label={t('Hours with a published price')} value={data?.coverage} decimals={1} unit="%" />
          <Note size="label" className={classes.basis}>
            {data && basisWords(data.basis)}
          </Note>
        </Panel>
      </Grid>
      <ChartPanel
        title={t('Revenue by month')}
        help="calculator"
        note={`(${unit})`}
        badge={
          <>
            <Tag>{`${signal} ${area}`}</Tag>
            <Tag>{format.mw(request.capacity)}</Tag>
            {data && data.coverage < 99.95 && (
              <Tag kind="warn">{t('{{share}} % covered', { share: digits.percent(data.coverage) })}</Tag>
            )}
          </>
        }
        exports={<ExportMenu disabled={!hasData} onExport={download} />}
        height={280}
        query={query}
        model={model}
        empty={t('No prices for this market in these months')}
        hint={t('Only published prices are counted. Nothing is extrapolated.')}
        foot={t('Capacity × published price. Excludes activation, penalties and revenue shares.')}
        source={data?.basis.source}
        footRight={data && ratesWords(data.basis.dkkPerEur)}
      />
      {!query.error && (
        <ListPanel
          query={query}
          failed={t('The revenue could not be calculated.')}
          title={t('Revenue Summary')}
          note={`${formatMonth(startDate)} – ${formatMonth(endDate)}`}
          columns={columnsOf()}
          rows={data?.detailedRevenue}
          rowKey={({ date }) => date}
          pageSize={pageSize}
        />
      )}
      <BelowList isPending={query.isPending}>{below}</BelowList>
    </>
  )
}

const columnsOf = (): Columns<Day> => [
  column.date('date', t('Date'), ({ date }) => date, { card: 'lead', sort: true }),
  column.number('dkk', t('Revenue DKK'), ({ revenueDkk, coverage }) => (coverage === 0 ? null : revenueDkk), {
    decimals: 2,
    sort: ({ revenueDkk }) => Number(revenueDkk),
  }),
  column.number('euro', t('Revenue Euro'), ({ revenueEuro, coverage }) => (coverage === 0 ? null : revenueEuro), {
    decimals: 2,
    sort: ({ revenueEuro }) => Number(revenueEuro),
  }),
  column.figure('coverage', t('Covered'), ({ coverage }) => format.percent(coverage), {
    omitWhen: ({ coverage }) => coverage === 100,
    sort: ({ coverage }) => coverage,
  }),
]

type ExportProps = { disabled: boolean; onExport: (rows: 'months' | 'days', format: FileFormat) => Promise<unknown> }

const ExportMenu = ({ disabled, onExport }: ExportProps) => {
  const [busy, setBusy] = useState(false)
  const run = async (rows: 'months' | 'days') => {
    setBusy(true)
    await onExport(rows, 'xlsx').finally(() => setBusy(false))
  }
  return (
    <Menu
      target={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload stroke={1.8} />}
          loading={busy}
          disabled={disabled}
        >
          {t('Export')}
        </Button>
      }
    >
      <MenuItem onClick={() => void run('months')}>{t('Months')}</MenuItem>
      <MenuItem onClick={() => void run('days')}>{t('Days')}</MenuItem>
    </Menu>
  )
}

type Basis = Data<typeof revenueCalculator>['basis']

const rateWords: Record<NonNullable<Basis['dkk']>, Sentence> = {
  dataset: 'DKK as published',
  'rate of the day': 'DKK at each day’s exchange rate',
  'central rate': 'DKK at the central rate',
  mixed: 'DKK partly as published, partly at exchange rates',
}

/** Unit of the price, its auction, and the source of its DKK. */
const basisWords = ({ price, auction, dkk }: Basis): string =>
  [
    price === 'MW and hour' ? t('Price per MW per hour') : t('Price per MW per 4-hour block'),
    // The server's text for a market with one auction a day.
    auction === 'one auction' ? t('one auction') : t('auction: {{auction}}', { auction }),
    ...(dkk ? [t(rateWords[dkk])] : []),
  ].join(' · ')
