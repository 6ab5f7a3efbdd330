import type { DeliveryWindow } from '@gridmast/contract/delivery/events.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { localTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Score } from './cells.tsx'
import classes from './events.module.css'

const percent = (share: number | null) => formatNumber(share === null ? null : share * 100, { decimals: 1 })

const useColumns = (): Columns<DeliveryWindow> => [
  column.text(
    'time',
    t('Time (CET/CEST)'),
    ({ from, to }) => `${localTime(Date.parse(from))}–${localTime(Date.parse(to))}`,
    { card: 'lead' },
  ),
  column.cell(
    'score',
    t('Score'),
    ({ score, verdict, parts }) => <Score score={score} verdict={verdict} slope={parts.slope} />,
    { card: 'corner' },
  ),
  column.figure('inside', t('Inside the band (%)'), ({ parts }) => percent(parts.insideShare)),
  column.number('slope', t('Slope'), ({ parts }) => parts.slope, { decimals: 2 }),
  column.number('bias', t('Bias (kWh)'), ({ parts }) => parts.biasKwh, { decimals: 2 }),
  column.figure('missing', t('Missing (%)'), ({ missingShare }) => percent(missingShare)),
]

/** FCR and FCR-N are judged by quarters of an hour. */
export const WindowTable = ({ windows }: { windows: readonly DeliveryWindow[] }) => {
  const title = t('Quarters of an hour')
  return (
    <section className={classes.windows} aria-label={title}>
      <h3>{title}</h3>
      <DataTable label={title} dense rows={windows} rowKey={({ from }) => from} columns={useColumns()} />
    </section>
  )
}
