import { Popover, UnstyledButton } from '@mantine/core'
import type { BidBasis } from '@gridmast/contract/trading/bid-basis.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { popup, popupContent } from '#ui/date/PickerField.tsx'
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

type Props = { market: string; basis: BidBasis; series: Series | undefined; kind: HintKind; slot: number }

export const SlotHint = ({ market, basis, series, kind, slot }: Props) => {
  const [opened, setOpened] = useState(false)
  const label = ordinarySlots(market)[slot]?.label ?? ''
  const figures: Record<HintKind, string> = {
    mean: digits.eur(series?.meanEur[slot]),
    yesterday: digits.eur(series?.days.at(-1)?.eur[slot]),
    ready: digits.wholeKw(basis.forecastKw[slot]),
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

const SlotDays = ({ market, basis, slot }: Omit<Props, 'series' | 'kind'>) => (
  // A scrolling region must be reachable by keyboard.
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
          <th scope="col">{t('Available kW')}</th>
        </tr>
      </thead>
      <tbody>
        {basis.available.map(({ day, kw }, i) => (
          <tr key={day}>
            <th scope="row">{formatDate(day)}</th>
            {basis.prices.map((series) => (
              <td key={`${series.product} ${series.auction}`}>{digits.eur(series.days[i]?.eur[slot])}</td>
            ))}
            <td>{digits.wholeKw(kw[slot])}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('Mean; lowest kW')}</th>
          {basis.prices.map((series) => (
            <td key={`${series.product} ${series.auction}`}>{digits.eur(series.meanEur[slot])}</td>
          ))}
          <td>{digits.wholeKw(basis.forecastKw[slot])}</td>
        </tr>
      </tfoot>
    </table>
    <p>
      {t(
        'Published prices of each auction. Available: measured mean; the lowest of 7 days is expected, with at least 3 days.',
      )}
    </p>
  </div>
)
