import { formatNumber } from '@gridmast/contract/numbers.ts'
import { t } from '#lib/i18n.ts'
import { Figure } from '#ui/Figure.tsx'
import classes from './bid-requests.module.css'
import { dayOf, ordinarySlots, type SlotTexts } from './slot-values.ts'

/** The line of a day's steps, in a box of 1 by 1. */
const pathOf = (mw: readonly number[], top: number) =>
  mw
    .map((value, slot) => {
      const y = 1 - (top > 0 ? value / top : 0) * 0.92
      return `${slot === 0 ? 'M0' : `H${slot / mw.length}`}${slot === 0 ? ` ${y}` : `V${y}`}`
    })
    .join('') + 'H1'

/** What a day offers and what it would bring if every bid were won at its own price. */
export const DayStrip = ({ market, texts }: { market: string; texts: SlotTexts }) => {
  const { mw, mwHours, mostMw, meanEur, dayEur } = dayOf(market, texts)
  const path = pathOf(mw, Number(mostMw))
  return (
    <div className={classes.strip}>
      <span className={classes.stripName}>
        {ordinarySlots(market).length === 24 ? t('MW by hour') : t('MW by slot')}
      </span>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden className={classes.steps}>
        <path d={`${path}V1H0Z`} data-area />
        <path d={path} />
      </svg>
      <Figure label={t('Sum')} value={mwHours} decimals={3} unit="MW·h" />
      <Figure label={t('Highest')} value={mostMw} decimals={3} unit="MW" />
      <Figure label={t('Mean price')} value={meanEur} unit="EUR/MW" />
      <div title={t('If every bid is won at its own price')}>
        <Figure label={t('A day at full award')} value={dayEur} unit="EUR" />
      </div>
      <span className="gm-hidden">{mw.map((value) => formatNumber(value)).join(', ')}</span>
    </div>
  )
}
