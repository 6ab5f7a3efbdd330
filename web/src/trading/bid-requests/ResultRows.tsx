import type { ResultRow } from '@gridmast/contract/trading/bid-files.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'
import { money } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Tag, type TagKind } from '#ui/Tag.tsx'
import classes from './bid-requests.module.css'

const kinds: Record<ResultRow['kind'], { words: Sentence; kind: TagKind }> = {
  first: { words: 'New', kind: 'up' },
  changed: { words: 'Changed', kind: 'brand' },
  confirmed: { words: 'Confirmed', kind: 'plain' },
  same: { words: 'Unchanged', kind: 'plain' },
  'no-bid': { words: 'No such bid', kind: 'warn' },
  wrong: { words: 'Not readable', kind: 'down' },
}
const contradictionWords: Record<NonNullable<ResultRow['contradiction']>, Sentence> = {
  'won-above': 'Won, though the bid is above the published price',
  'lost-below': 'Lost, though the bid is below the published price',
  'other-price': 'Another price than the published one',
}

const mw = (text: string | null) => formatNumber(text, { decimals: 3 })
const bidText = ({ bid }: ResultRow) => (bid === null ? '' : `${mw(bid.capacityMw)} MW · ${money(bid.priceEur)} EUR/MW`)
/** What stood there before, where it was otherwise. */
const wonText = ({ before, wonMw }: ResultRow) =>
  before === null || mw(before.wonMw) === mw(wonMw) ? mw(wonMw) : `${mw(before.wonMw)} → ${mw(wonMw)}`

const useColumns = (): Columns<ResultRow> => {
  const about = ({ mistake, contradiction }: ResultRow) => {
    if (mistake) return `${mistake.column} “${mistake.found}”: ${translateText(mistake.expected)}`
    return contradiction === null ? null : t(contradictionWords[contradiction])
  }
  return [
    column.number('line', t('Row'), ({ line }) => line),
    column.text(
      'start',
      t('Start'),
      ({ start }) => (start === null ? '' : formatDateTime(Date.parse(start)).slice(0, 16)),
      { digits: true },
    ),
    column.text('instance', t('Instance'), ({ instance }) => instance, { card: 'lead' }),
    column.text('auction', t('Auction'), ({ product, auction }) => `${product} ${auction}`.trim()),
    column.cell('bid', t('Bid'), bidText),
    column.figure('published', t('Published (EUR/MW)'), ({ publishedEur }) => money(publishedEur)),
    column.figure('said', t('In the file (EUR/MW)'), (row) => money(row.marginalPriceEur)),
    column.figure('won', t('Won (MW)'), wonText),
    column.cell(
      'kind',
      t('Result'),
      (row) => (
        <span className={classes.imported}>
          <Tag kind={kinds[row.kind].kind}>{t(kinds[row.kind].words)}</Tag>
          {about(row) && <small>{about(row)}</small>}
        </span>
      ),
      { card: 'corner' },
    ),
  ]
}

/** What each row of a result file does to its bid. */
export const ResultRows = ({ rows }: { rows: readonly ResultRow[] }) => (
  <DataTable
    label={t('Rows of the file')}
    dense
    tight
    columns={useColumns()}
    rows={rows}
    rowKey={({ line }) => String(line)}
    pageSize={10}
    warnRow={({ kind, contradiction }) => contradiction !== null || kind === 'wrong'}
  />
)
