import type { ResultRow } from '@gridmast/contract/trading/bid-files.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'
import { money } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import { Tag, type TagKind } from '#ui/Tag.tsx'
import classes from './bid-requests.module.css'

const kinds: Record<ResultRow['kind'], { words: Sentence; kind: TagKind }> = {
  first: { words: 'New', kind: 'up' },
  changed: { words: 'Changed', kind: 'brand' },
  confirmed: { words: 'As the price decided', kind: 'plain' },
  same: { words: 'As before', kind: 'plain' },
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

const useColumns = (): Column<ResultRow>[] => {
  const about = ({ mistake, contradiction }: ResultRow) => {
    if (mistake) return `${mistake.column} “${mistake.found}”: ${translateText(mistake.expected)}`
    return contradiction === null ? null : t(contradictionWords[contradiction])
  }
  return [
    { key: 'line', title: t('Row'), align: 'right', cell: ({ line }) => line },
    {
      key: 'start',
      title: t('Start'),
      digits: true,
      cell: ({ start }) => (start === null ? '' : formatDateTime(Date.parse(start)).slice(0, 16)),
    },
    { key: 'instance', title: t('Instance'), lead: true, cell: ({ instance }) => instance },
    { key: 'auction', title: t('Auction'), cell: ({ product, auction }) => `${product} ${auction}`.trim() },
    { key: 'bid', title: t('Bid'), cell: bidText },
    {
      key: 'published',
      title: t('Published (EUR/MW)'),
      align: 'right',
      cell: ({ publishedEur }) => money(publishedEur),
    },
    { key: 'said', title: t('In the file (EUR/MW)'), align: 'right', cell: (row) => money(row.marginalPriceEur) },
    { key: 'won', title: t('Won (MW)'), align: 'right', cell: wonText },
    {
      key: 'kind',
      title: t('Result'),
      corner: true,
      cell: (row) => (
        <span className={classes.imported}>
          <Tag kind={kinds[row.kind].kind}>{t(kinds[row.kind].words)}</Tag>
          {about(row) && <small>{about(row)}</small>}
        </span>
      ),
    },
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
