import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { ProgressBar } from '#ui/Bar.tsx'
import classes from './SystemOverview.module.css'
import type { Source } from './sources.ts'
import { Row } from '#ui/Layout.tsx'

/** Never rounded up to 100. */
const percentOf = ({ missing, expected }: { missing: number; expected: number }) =>
  Math.floor(1000 * (1 - missing / expected)) / 10

type CoverageProps = {
  gaps: NonNullable<Source['gaps']> | null
  /** Its history is still being read, so missing values may still arrive. */
  isFilling: boolean
}

/** Coverage of the last 30 days and the first gaps. */
export const CoverageBar = ({ gaps, isFilling }: CoverageProps) => {
  if (!gaps || gaps.expected === 0) return unknownText
  const percent = percentOf(gaps)
  const words = format.percent(percent)
  const missing = t('{{missing}} of {{expected}} missing', {
    missing: format.count(gaps.missing),
    expected: format.count(gaps.expected),
  })
  const examples = gaps.examples.map(({ series, start_time }) => `${series} ${formatDateTime(Date.parse(start_time))}`)
  const details = [missing, ...examples].join(' · ')
  const bar = (
    <Row
      as="span"
      inline
      nowrap
      gap={8}
      className={classes.coverage}
      data-whole={gaps.missing === 0 || undefined}
      data-filling={isFilling || undefined}
    >
      <i aria-hidden>
        <i style={{ width: `${percent}%` }} />
      </i>
      {words}
    </Row>
  )
  if (gaps.missing === 0) return bar
  return (
    // Focusable, so that the tooltip is reachable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <span data-tip={details} tabIndex={0} role="img" className={classes.some} aria-label={`${words}, ${details}`}>
      {bar}
    </span>
  )
}

/** Progress of the import of older months. */
export const Backfill = ({ backfill }: { backfill: NonNullable<Source['backfill']> | null }) => {
  if (!backfill || backfill.all === 0) return unknownText
  const { done, all, failed } = backfill
  if (done === all) return t('{{count}} months', { count: all })
  const words = t('{{done}} of {{count}} months', { done: format.count(done), count: all })
  return (
    <Row as="span" inline nowrap gap={8} className={classes.backfill}>
      <ProgressBar value={done} max={all} aria-label={words} />
      <span>
        {words}
        {failed > 0 && <b> · {t('{{n}} failed', { n: format.count(failed) })}</b>}
      </span>
    </Row>
  )
}
