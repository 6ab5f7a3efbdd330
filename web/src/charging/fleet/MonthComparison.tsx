import type { ChargingSums } from '@gridmast/contract/charging/charging-costs.ts'
import {
  compareDecimals,
  formatNumber,
  multiplyDecimals,
  ratioOfDecimals,
  subtractDecimals,
  unknownText,
} from '@gridmast/contract/numbers.ts'
import { atLocalTime, formatDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { isKnownInPart, knownSum } from './costs-known.ts'
import type { FleetRead } from './fleet-read.ts'

type Row = { key: string; label: string; unit: string; decimals: number; now: string | null; before: string | null }

const rowsOf = (of: (costs: ChargingSums) => string | null, now: ChargingSums, before: ChargingSums) => ({
  now: of(now),
  before: of(before),
})

/** In percent; null where there is nothing to compare with. */
const changeOf = ({ now, before }: Row): string | null => {
  if (now === null || before === null || compareDecimals(before, '0') <= 0) return null
  const share = ratioOfDecimals(subtractDecimals(now, before), before, 4)
  return share === null ? null : multiplyDecimals(share, '100')
}

const signed = (percent: string | null) =>
  percent === null
    ? unknownText
    : `${compareDecimals(percent, '0') > 0 ? '+' : ''}${formatNumber(percent, { decimals: 0 })} %`

/** This month beside the month before, up to the same day. */
export const MonthComparison = ({ read }: { read: FleetRead }) => {
  const { data } = read
  const text = (row: Row, value: string | null) => formatNumber(value, { decimals: row.decimals, unit: row.unit })
  const isPartial = data !== undefined && isKnownInPart(data.costs)
  const until = data ? formatDate(atLocalTime(data.before.until, '00:00')) : ''
  const columns: Columns<Row> = [
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
      label={t('This month and last month')}
      title={t('This month and last month')}
      query={read}
      failed={t('The charge fleet could not be loaded.')}
      columns={columns}
      rows={[
        ...row('sessions', t('Charging sessions'), '', 0, ({ sessions }) => String(sessions)),
        ...row('energy', t('Energy'), 'kWh', 1, ({ kwh }) => kwh.toFixed(3)),
        ...row('cost', isPartial ? t('Cost, known in part') : t('Cost'), 'DKK', 2, (costs) =>
          knownSum(costs, costs.dkk),
        ),
        ...row('income', t('Income'), 'DKK', 2, (costs) => knownSum(costs, costs.driverDkk)),
        ...row(
          'margin',
          isPartial ? t('Income less cost, known in part') : t('Income less cost'),
          'DKK',
          2,
          ({ marginDkk }) => marginDkk,
        ),
      ]}
      rowKey={({ key }) => key}
    />
  )
}
