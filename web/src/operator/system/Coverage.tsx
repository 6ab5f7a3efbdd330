import { Tooltip } from '@mantine/core'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import classes from './SystemOverview.module.css'
import type { Source } from './sources.ts'

const whole = (value: number) => formatNumber(value, { decimals: 0 })

/** Never rounded up to all of it. */
const percentOf = ({ missing, expected }: { missing: number; expected: number }) =>
  Math.floor(1000 * (1 - missing / expected)) / 10

type CoverageProps = {
  gaps: NonNullable<Source['gaps']> | null
  /** Its history is still being read: what is missing is yet to come. */
  isFilling: boolean
}

/** How much of the last 30 days is there, and where the first holes are. */
export const CoverageBar = ({ gaps, isFilling }: CoverageProps) => {
  if (!gaps || gaps.expected === 0) return unknownText
  const percent = percentOf(gaps)
  const words = `${formatNumber(percent, { decimals: 1, minDecimals: 0 })} %`
  const missing = t('{{missing}} of {{expected}} missing', {
    missing: whole(gaps.missing),
    expected: whole(gaps.expected),
  })
  const examples = gaps.examples.map(({ series, start_time }) => `${series} ${formatDateTime(Date.parse(start_time))}`)
  const details = [missing, ...examples].join(' · ')
  const bar = (
    <span
      className={classes.coverage}
      data-whole={gaps.missing === 0 || undefined}
      data-filling={isFilling || undefined}
    >
      <i aria-hidden>
        <i style={{ width: `${percent}%` }} />
      </i>
      {words}
    </span>
  )
  if (gaps.missing === 0) return bar
  return (
    <Tooltip label={details} multiline maw={360}>
      {/* Reachable by keyboard, so that the places are too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span tabIndex={0} role="img" className={classes.some} aria-label={`${words}, ${details}`}>
        {bar}
      </span>
    </Tooltip>
  )
}

/** How far the reading of older months is. */
export const Backfill = ({ backfill }: { backfill: NonNullable<Source['backfill']> | null }) => {
  if (!backfill || backfill.all === 0) return unknownText
  const { done, all, failed } = backfill
  if (done === all) return t('{{count}} months', { count: all })
  const words = t('{{done}} of {{count}} months', { done: whole(done), count: all })
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
