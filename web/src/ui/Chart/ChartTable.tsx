import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, formatTime } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Column, type Columns, DataTable } from '#ui/DataTable.tsx'
import classes from './Chart.module.css'
import { type ChartModel, seriesName } from './model.ts'
import { clockLabel, monthLabel, tableRows } from './shape.ts'

/** With A or B in the repeated hour of October. */
const timeOf = (ms: number) => `${formatDate(ms)} ${formatTime(ms)}${clockLabel(ms).slice(5)}`

type ChartRow = { ms: number; values: (number | null)[] }

const columnsOf = (model: ChartModel): Columns<ChartRow> => [
  model.timeLabels === 'month'
    ? column.cell('time', t('Month'), (row) => <span className="gm-num">{monthLabel(row.ms)}</span>)
    : column.cell('time', t('Time (CET/CEST)'), (row) => <span className="gm-num">{timeOf(row.ms)}</span>),
  ...model.series.map((series, i): Column<ChartRow> =>
    column.figure(series.name, `${seriesName(series)} (${series.unit})`, (row) =>
      formatNumber(row.values[i], { decimals: series.decimals ?? model.decimals }),
    ),
  ),
]

export const ChartTable = ({ model, height }: { model: ChartModel; height: number }) => {
  const rows = useMemo(() => tableRows(model).toReversed(), [model])
  return (
    <div className={classes.table} style={{ minHeight: height }}>
      <DataTable
        label={t('Figures')}
        columns={columnsOf(model)}
        rows={rows}
        rowKey={(row) => String(row.ms)}
        pageSize={30}
        dense
        fill
      />
    </div>
  )
}
