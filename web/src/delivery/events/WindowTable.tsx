import type { DeliveryWindow } from '@gridmast/contract/delivery/events.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { localTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Score } from './cells.tsx'
import classes from './events.module.css'

const percent = (share: number | null) => formatNumber(share === null ? null : share * 100, { decimals: 1 })

const useColumns = (): Column<DeliveryWindow>[] => [
  {
    key: 'time',
    title: t('Time (CET/CEST)'),
    lead: true,
    cell: ({ from, to }) => `${localTime(Date.parse(from))}–${localTime(Date.parse(to))}`,
  },
  {
    key: 'score',
    title: t('Score'),
    corner: true,
    cell: ({ score, verdict, parts }) => <Score score={score} verdict={verdict} slope={parts.slope} />,
  },
  {
    key: 'inside',
    title: t('Inside the band (%)'),
    align: 'right',
    cell: ({ parts }) => percent(parts.insideShare),
  },
  {
    key: 'slope',
    title: t('Slope'),
    align: 'right',
    cell: ({ parts }) => formatNumber(parts.slope, { decimals: 2 }),
  },
  {
    key: 'bias',
    title: t('Bias (kWh)'),
    align: 'right',
    cell: ({ parts }) => formatNumber(parts.biasKwh, { decimals: 2 }),
  },
  { key: 'missing', title: t('Missing (%)'), align: 'right', cell: ({ missingShare }) => percent(missingShare) },
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
