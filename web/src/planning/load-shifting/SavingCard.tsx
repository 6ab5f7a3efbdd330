import type { ComponentProps } from 'react'
import type { OpenSaving } from '@gridmast/contract/planning/load-shifting.ts'
import { formatNumber, multiplyDecimals, subtractDecimals } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note, Row, Stack, Text } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { shortTime } from './plan-words.ts'
import { billRows, type BillScope } from './PlanTables.tsx'
import classes from './load-shifting.module.css'

type ComparedProps = ComponentProps<typeof Figure> & { baseline: string | number | null; baselineDecimals: number }

export const ComparedFigure = ({ baseline, baselineDecimals, ...figure }: ComparedProps) => (
  <div>
    <Figure {...figure} />
    <Note size="label" className="gm-num">
      {t('Baseline {{value}}', { value: formatNumber(baseline, { decimals: baselineDecimals }) })}
    </Note>
  </div>
)

/** Measured saving of a plan, with its parts. */
export const SavingCard = ({ saving, scope }: { saving: OpenSaving; scope: BillScope }) => {
  const { bills, quarters = [], countedAt } = saving
  return (
    <Panel
      title={t('Saved, measured')}
      help="measuredSaving"
      label={t('Saved, measured')}
      badge={saving.isScaled && <Tag kind="warn">{t('Baseline scaled')}</Tag>}
      foot={countedAt && t('Calculated {{at}}', { at: formatDateTime(Date.parse(countedAt)) })}
    >
      <Stack gap={16}>
        <Row gap="figures" rowGap={12} align="stretch">
          <Text as="div" ink={saving.savedDkk.startsWith('-') ? 'down' : 'up'}>
            <Figure label={t('Saved, measured')} value={saving.savedDkk} unit="DKK" size="l" />
          </Text>
          <ComparedFigure
            label={t('Cost, measured')}
            value={saving.measuredDkk}
            unit="DKK"
            baseline={saving.baselineDkk}
            baselineDecimals={2}
          />
          <Figure label={t('CO₂ saved')} value={saving.savedKgCo2} decimals={1} unit="kg" />
          <ComparedFigure
            label={t('Measured')}
            value={saving.measuredKwh}
            decimals={1}
            unit="kWh"
            baseline={saving.baselineKwh}
            baselineDecimals={1}
          />
          <Figure label={t('Measured time')} value={saving.coverage * 100} decimals={0} unit="%" />
        </Row>
        {bills && <DataTable label={t('Saving by cost')} columns={billColumns()} {...rowsOf(bills, scope)} dense />}
        {quarters.length > 0 && (
          <details className={classes.more}>
            <summary>{t('Saving per quarter')}</summary>
            <DataTable
              label={t('Saving per quarter')}
              columns={quarterColumns()}
              rows={quarters}
              rowKey={({ fromMs }) => String(fromMs)}
              pageSize={24}
              dense
            />
          </details>
        )}
      </Stack>
    </Panel>
  )
}

type Bills = NonNullable<OpenSaving['bills']>
type BillRow = { name: string; baseline: string | null; measured: string | null }

const rowsOf = ({ baseline, measured }: Bills, scope: BillScope) => ({
  rows: billRows({ baseline, measured }, scope),
  rowKey: ({ name }: BillRow) => name,
})

const billColumns = (): Columns<BillRow> => [
  column.text('name', t('DKK'), ({ name }) => name, { card: 'lead' }),
  column.figure('baseline', t('Baseline'), (row) => digits.dkk(row.baseline)),
  column.figure('measured', t('Measured'), (row) => digits.dkk(row.measured)),
  column.figure(
    'saved',
    t('Saved (DKK)'),
    ({ baseline, measured }) =>
      digits.dkk(baseline !== null && measured !== null ? subtractDecimals(baseline, measured) : null),
    { card: 'corner' },
  ),
]

type QuarterRow = NonNullable<OpenSaving['quarters']>[number]

const quarterColumns = (): Columns<QuarterRow> => [
  column.text('from', t('Quarter'), ({ fromMs }) => shortTime(fromMs), { card: 'lead', digits: true }),
  column.number('price', t('DKK/kWh'), ({ dkkPerMwh }) => multiplyDecimals(dkkPerMwh, '0.001'), { decimals: 3 }),
  column.figure('baseline', t('Baseline (kWh)'), ({ baseline }) => digits.kwh(baseline.wh / 1000)),
  column.figure('measured', t('Measured (kWh)'), ({ measured, isMeasured }) =>
    isMeasured ? digits.kwh(measured.wh / 1000) : '–',
  ),
  column.figure(
    'saved',
    t('Saved (DKK)'),
    ({ baseline, measured, isMeasured }) =>
      isMeasured ? digits.dkk(subtractDecimals(baseline.dkk, measured.dkk)) : '–',
    { card: 'corner' },
  ),
]
