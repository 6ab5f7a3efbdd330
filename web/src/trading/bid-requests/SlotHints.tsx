import type { BidBasis } from '@gridmast/contract/trading/bid-basis.ts'
import type { Sentence } from '#i18n/da.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import { Note } from '#ui/Layout.tsx'
import { Popover } from '#ui/Popover.tsx'
import { SmallTable } from '#ui/SmallTable.tsx'
import classes from './bid-requests.module.css'
import { ordinarySlots } from './slot-values.ts'

type Series = BidBasis['prices'][number]

export const seriesName = ({ product, auction }: { product: string; auction: string }, market: string): string =>
  [product === market ? '' : product, auction].filter(Boolean).join(' ') || product

export const hintKinds = ['mean', 'yesterday', 'ready'] as const
export type HintKind = (typeof hintKinds)[number]
export const hintWords: Record<HintKind, Sentence> = {
  mean: '7-day mean',
  yesterday: 'Price yesterday',
  ready: 'Expected kW',
}

type Props = {
  market: string
  basis: BidBasis
  series: Series | undefined
  kind: HintKind
  slot: number
  isStop: boolean
}

export const SlotHint = ({ market, basis, series, kind, slot, isStop }: Props) => {
  const label = ordinarySlots(market)[slot]?.label ?? ''
  const figures: Record<HintKind, string> = {
    mean: digits.eur(series?.meanEur[slot]),
    yesterday: digits.eur(series?.days.at(-1)?.eur[slot]),
    ready: digits.wholeKw(basis.forecastKw[slot]),
  }
  return (
    <Popover
      label={label}
      align="start"
      target={
        <button type="button" className={classes.hint} tabIndex={isStop ? 0 : -1}>
          <span className="gm-hidden">
            {label}, {t(hintWords[kind])}:
          </span>
          <span>{figures[kind]}</span>
        </button>
      }
    >
      <SlotDays market={market} basis={basis} slot={slot} />
    </Popover>
  )
}

type Day = BidBasis['available'][number]

const SlotDays = ({ market, basis, slot }: Pick<Props, 'market' | 'basis' | 'slot'>) => {
  const seriesColumns = basis.prices.map((series) =>
    column.figure(`${series.product} ${series.auction}`, `${seriesName(series, market)} (EUR/MW)`, ({ day }: Day) =>
      digits.eur(series.days.find((one) => one.day === day)?.eur[slot]),
    ),
  )
  return (
    // A scrolling region must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.slotDays} tabIndex={0} role="region" aria-label={t('The last 7 days')}>
      <SmallTable<Day>
        label={t('The last 7 days')}
        columns={[
          column.date('day', t('Day'), ({ day }: Day) => day),
          ...seriesColumns,
          column.figure('kw', t('Available kW'), ({ kw }: Day) => digits.wholeKw(kw[slot])),
        ]}
        rows={basis.available}
        rowKey={({ day }) => day}
        foot={[
          t('Mean; lowest kW'),
          ...basis.prices.map(({ meanEur }) => digits.eur(meanEur[slot])),
          digits.wholeKw(basis.forecastKw[slot]),
        ]}
      />
      <Note size="label" above={8} style={{ marginInline: 8 }}>
        {t(
          'Published prices of each auction. Available: measured mean; the lowest of 7 days is expected, with at least 3 days.',
        )}
      </Note>
    </div>
  )
}
