import { Popover, UnstyledButton } from '@mantine/core'
import type { BidBasis } from '@gridmast/contract/trading/bid-basis.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { popup, popupContent } from '#ui/date/PickerField.tsx'
import classes from './bid-requests.module.css'
import { ordinarySlots } from './slot-values.ts'

type Series = BidBasis['prices'][number]

export const seriesName = ({ product, auction }: { product: string; auction: string }, market: string): string =>
  [product === market ? '' : product, auction].filter(Boolean).join(' ') || product

const kwText = (kw: number | null | undefined) => formatNumber(kw, { decimals: 0 })

/** The figure that is shown under each slot. */
export const hintKinds = ['mean', 'yesterday', 'ready'] as const
export type HintKind = (typeof hintKinds)[number]
export const hintWords: Record<HintKind, Sentence> = {
  mean: '7-day mean',
  yesterday: 'Price yesterday',
  ready: 'Expected kW',
}

type Props = { market: string; basis: BidBasis; series: Series | undefined; kind: HintKind; slot: number }

/** One figure under a slot; it opens to the days behind it. */
export const SlotHint = ({ market, basis, series, kind, slot }: Props) => {
  const [opened, setOpened] = useState(false)
  const label = ordinarySlots(market)[slot]?.label ?? ''
  const figures: Record<HintKind, string> = {
    mean: formatNumber(series?.meanEur[slot], { decimals: 2 }),
    yesterday: formatNumber(series?.days.at(-1)?.eur[slot], { decimals: 2 }),
    ready: kwText(basis.forecastKw[slot]),
  }
  return (
    <Popover {...popup} opened={opened} onChange={setOpened}>
      <Popover.Target>
        <UnstyledButton className={classes.hint ?? ''} onClick={() => setOpened(!opened)}>
          <span className="gm-hidden">
            {label}, {t(hintWords[kind])}:
          </span>
          <span>{figures[kind]}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown {...popupContent(label)}>
        <SlotDays market={market} basis={basis} slot={slot} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The days behind the figures of a slot. */
const SlotDays = ({ market, basis, slot }: Omit<Props, 'series' | 'kind'>) => (
  // What scrolls can be reached by keyboard, and Escape closes it from here.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={classes.slotDays} tabIndex={0} role="region" aria-label={t('The last 7 days')}>
    <table aria-label={t('The last 7 days')}>
      <thead>
        <tr>
          <th scope="col">{t('Day')}</th>
          {basis.prices.map((series) => (
            <th key={`${series.product} ${series.auction}`} scope="col">
              {seriesName(series, market)} (EUR/MW)
            </th>
          ))}
          <th scope="col">{t('Ready')} (kW)</th>
        </tr>
      </thead>
      <tbody>
        {basis.available.map(({ day, kw }, i) => (
          <tr key={day}>
            <th scope="row">{formatDate(day)}</th>
            {basis.prices.map((series) => (
              <td key={`${series.product} ${series.auction}`}>
                {formatNumber(series.days[i]?.eur[slot], { decimals: 2 })}
              </td>
            ))}
            <td>{kwText(kw[slot])}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('Mean; lowest kW')}</th>
          {basis.prices.map((series) => (
            <td key={`${series.product} ${series.auction}`}>{formatNumber(series.meanEur[slot], { decimals: 2 })}</td>
          ))}
          <td>{kwText(basis.forecastKw[slot])}</td>
        </tr>
      </tfoot>
    </table>
    <p>
      {t(
        'Published prices of each auction, never their weighted total. Ready: the mean that was measured; the lowest of 7 days is expected, of 3 days at least.',
      )}
    </p>
  </div>
)
