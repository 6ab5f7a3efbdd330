import { Tooltip } from '@mantine/core'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { useTranslation } from '#lib/i18n.ts'
import classes from './Coverage.module.css'
import type { Source } from './source-state.ts'

const whole = (value: number) => formatNumber(value, { decimals: 0 })

/** How many intervals are missing, and where the first ones are. */
export const Gaps = ({ gaps }: { gaps: NonNullable<Source['gaps']> | null }) => {
  const { t } = useTranslation()
  if (!gaps) return unknownText
  if (gaps.missing === 0) return <span className={classes.none}>{t('None')}</span>
  const words = t('{{missing}} of {{expected}}', { missing: whole(gaps.missing), expected: whole(gaps.expected) })
  const examples = gaps.examples.map(({ series, start_time }) => `${series} ${formatDateTime(Date.parse(start_time))}`)
  return (
    <Tooltip label={examples.join(' · ')} disabled={examples.length === 0} multiline maw={360}>
      {/* Reachable by keyboard, so that the places are too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span tabIndex={0} className={classes.some} aria-label={[words, ...examples].join(', ')}>
        {words}
      </span>
    </Tooltip>
  )
}

/** How far the reading of older months is. */
export const Backfill = ({ backfill }: { backfill: NonNullable<Source['backfill']> | null }) => {
  const { t } = useTranslation()
  if (!backfill || backfill.all === 0) return unknownText
  const { done, all, failed } = backfill
  if (done === all) return t('{{n}} months', { n: whole(all) })
  const words = t('{{done}} of {{all}} months', { done: whole(done), all: whole(all) })
  return (
    <span className={classes.backfill}>
      <progress value={done} max={all} aria-label={words} />
      <span>
        {words}
        {failed > 0 && <b> · {t('{{n}} failed', { n: whole(failed) })}</b>}
      </span>
    </span>
  )
}
