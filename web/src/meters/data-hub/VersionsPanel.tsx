import type { Data } from '@gridmast/contract/call.ts'
import type { meterGraph } from '@gridmast/contract/meters/data-hub.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime, type LocalDate } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Panel } from '#ui/Panel.tsx'
import { slotLabel } from '#ui/Chart/shape.ts'
import { Tag } from '#ui/Tag.tsx'
import { qualityWords } from './meter-words.ts'
import classes from './data-hub.module.css'

type Version = NonNullable<Data<typeof meterGraph>['versions']>[number]

const words = { first: 'First reading', added: 'Added values', corrected: 'Corrected values' } as const

type Row = Version & { isNow: boolean }

const columnsOf = (): Columns<Row> => [
  column.cell('version', t('Version'), ({ version }) => <span className="gm-num">{version}</span>, { card: 'lead' }),
  column.cell('readAt', t('Read'), ({ fetchedAt }) => (
    <span className="gm-num">{formatDateTime(Date.parse(fetchedAt))}</span>
  )),
  column.cell('change', t('Change'), ({ change }) =>
    change === 'corrected' ? <Tag kind="warn">{t(words[change])}</Tag> : t(words[change]),
  ),
  column.number('kwh', t('Consumption (kWh)'), ({ kwh }) => kwh, { card: 'corner', decimals: 3 }),
  column.text('now', t('Counts now'), ({ isNow }) => (isNow ? t('Counts now') : ''), {
    card: 'plain',
    omitWhen: ({ isNow }) => !isNow,
  }),
]

type Change = NonNullable<Version['changes']>['first'][number]

/** `1,000 → 3,000 kWh, Estimated → Measured`: what is the same in both is left out. */
const changeWords = ({ before, after }: Change): string => {
  const kwh = (value: string | null) => formatNumber(value, { decimals: 3 })
  return [
    before.kwh !== after.kwh && `${kwh(before.kwh)} → ${kwh(after.kwh)} kWh`,
    before.quality !== after.quality && `${t(qualityWords[before.quality])} → ${t(qualityWords[after.quality])}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** The intervals that a version changed. */
const Changes = ({ changes }: Row) => {
  if (!changes) return <p className={classes.changes}>{t('The resolution is another: all intervals are new.')}</p>
  const more = changes.count - changes.first.length
  return (
    <ul className={classes.changes} aria-label={t('Changed intervals')}>
      {changes.first.map((change) => (
        <li key={change.from}>
          <span className="gm-num">{slotLabel(Date.parse(change.from), Date.parse(change.to))}</span>{' '}
          {changeWords(change)}
        </li>
      ))}
      {more > 0 && <li>{t('and {{n}} more', { n: more })}</li>}
    </ul>
  )
}

/** What the source has said of a day, newest first; nothing where it said it once. */
export const VersionsPanel = ({ versions, date }: { versions: readonly Version[]; date: LocalDate }) => {
  if (versions.length < 2) return null
  const rows = versions.map((version, i) => ({ ...version, isNow: i === 0 }))
  return (
    <Panel title={t('Versions')} note={formatDate(date)} label={t('Versions')} bleed>
      <DataTable
        label={t('Versions')}
        columns={columnsOf()}
        rows={rows}
        rowKey={({ version }) => String(version)}
        renderBelow={(row) => row.change !== 'first' && <Changes {...row} />}
        dense
      />
    </Panel>
  )
}
