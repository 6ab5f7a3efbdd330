import { Hint } from '#ui/DataTable.tsx'
import {
  type ActivationEvent,
  type Direction as DirectionName,
  isOverruled,
  type Verdict,
} from '@gridmast/contract/delivery/events.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import {
  IconAlertTriangle,
  IconArrowDownRight,
  IconArrowUpRight,
  IconCheck,
  IconHistory,
  IconX,
} from '@tabler/icons-react'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { Bar } from '#ui/Bar.tsx'
import { Row } from '#ui/Layout.tsx'
import { Tag, type TagKind } from '#ui/Tag.tsx'
import type { Sentence } from '#i18n/da.ts'
import classes from './events.module.css'

export const directionWords: Record<DirectionName, Sentence> = { increased: 'Increased', decreased: 'Decreased' }

const verdictWords: Record<Verdict, Sentence> = {
  delivered: 'Delivered',
  'partly delivered': 'Partly delivered',
  'not delivered': 'Not delivered',
  'insufficient data': 'Insufficient data',
  'too small': 'Too small to judge',
}

const verdictKinds: Record<Verdict, TagKind> = {
  delivered: 'up',
  'partly delivered': 'warn',
  'not delivered': 'down',
  'insufficient data': 'plain',
  'too small': 'plain',
}

const two = (count: number) => String(count).padStart(2, '0')

/** `107` -> `00:01:47` */
export const clockOf = (seconds: number | null): string => {
  if (seconds === null) return unknownText
  const whole = Math.round(seconds)
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(two).join(':')
}

const inkOf = (direction: DirectionName) => (direction === 'increased' ? 'up' : 'down')

const Arrow = ({ direction }: { direction: DirectionName }) => {
  const Icon = direction === 'increased' ? IconArrowUpRight : IconArrowDownRight
  return <Icon size={15} stroke={2} color={`var(--gm-${inkOf(direction)})`} aria-hidden />
}

/** An arrow and a word: never the colour alone. */
export const Direction = ({ direction }: { direction: DirectionName }) => (
  <Row as="span" inline nowrap className={classes.direction}>
    <Arrow direction={direction} />
    {t(directionWords[direction])}
  </Row>
)

type DeltaLoadProps = { direction: DirectionName; percent: number | null; plain?: boolean }

export const DeltaLoad = ({ direction, percent, plain }: DeltaLoadProps) => {
  const phone = usePhone()
  const ink = inkOf(direction)
  return (
    <Row as="span" inline nowrap ink={ink} weight="medium" className={classes.deltaLoad}>
      {phone && <Arrow direction={direction} />}
      {digits.fixedPercent(percent)}
      {!plain && !phone && (
        <Bar percent={percent ?? 0} height={4} ink={ink} style={{ width: 40, marginLeft: 8 }} aria-hidden />
      )}
    </Row>
  )
}

export const Consumption = ({
  consumption,
  isConsumptionEstimated,
}: Pick<ActivationEvent, 'consumption' | 'isConsumptionEstimated'>) => {
  const kWh = digits.kwh(consumption)
  return isConsumptionEstimated && consumption !== null ? <Hint words={t('Estimated Consumption')}>{kWh}</Hint> : kWh
}

const verdictIcons: Partial<Record<Verdict, typeof IconCheck>> = {
  delivered: IconCheck,
  'partly delivered': IconAlertTriangle,
  'not delivered': IconX,
}

type ScoredEvent = Pick<ActivationEvent, 'score' | 'verdict' | 'slope'> & { source?: ActivationEvent['source'] }

/** The verdict with the figure that decided it; without a score the reason. */
export const Score = ({ score, verdict, slope, source }: ScoredEvent) => {
  if (source === 'edge' && score === null) return <Unmeasured />
  if (verdict === null) return unknownText
  if (score === null) return <Hint words={t(verdictWords[verdict])}>{unknownText}</Hint>
  const figure = isOverruled({ score, verdict })
    ? t('slope {{slope}}', { slope: digits.slope(slope) })
    : digits.score(score)
  return <VerdictTag verdict={verdict} figure={figure} />
}

export const VerdictTag = ({ verdict, figure }: { verdict: Verdict; figure?: string }) => {
  const Icon = verdictIcons[verdict]
  return (
    <Tag kind={verdictKinds[verdict]} icon={Icon && <Icon stroke={2} aria-hidden />}>
      {t(verdictWords[verdict])}
      {figure && <span className="gm-num"> {figure}</span>}
    </Tag>
  )
}

const Unmeasured = () => (
  <Hint words={t('Reported by the edge, without measurements.')}>
    <Tag kind="warn">{t('No telemetry')}</Tag>
  </Hint>
)

export const Remarks = ({ event, scored = false }: { event: ActivationEvent; scored?: boolean }) => (
  <>
    {event.endTime === null && <Tag kind="brand">{t('Running')}</Tag>}
    {event.source === 'edge' && !scored && <Unmeasured />}
    {event.late && (
      <Hint words={t('Telemetry arrived more than 15 minutes late; no notification was sent.')}>
        <IconHistory size={15} stroke={1.8} className={classes.late ?? ''} role="img" aria-label={t('Late')} />
      </Hint>
    )}
  </>
)
