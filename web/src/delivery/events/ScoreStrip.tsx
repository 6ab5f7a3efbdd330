import { type ActivationEvent, type DeliveryScore, isOverruled } from '@gridmast/contract/delivery/events.ts'
import { digits, percentOfShare } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { VerdictTag } from './cells.tsx'
import { Bar } from '#ui/Bar.tsx'
import { Note, Stack, Text } from '#ui/Layout.tsx'
import classes from './events.module.css'

/** `share` draws a bar; null without a score of the part. */
type Part = { name: string; figure: string; share: number | null; words: string }

const weighted = (name: string, weight: number) =>
  weight > 0 ? t('{{part}} · weight {{weight}}', { part: name, weight: digits.weight(weight) }) : name

const partsOf = (score: DeliveryScore): Part[] => {
  if (score.method === 'response') {
    const { energy, ramp, over, weights } = score.parts
    return [
      {
        name: weighted(t('Energy'), weights.energy),
        figure: percentOfShare(energy),
        share: energy,
        words: t('Delivered share of the required energy.'),
      },
      {
        name: weighted(t('Ramp'), weights.ramp),
        figure: percentOfShare(ramp),
        share: ramp,
        words:
          ramp === null ? t('Not scored: the required power was too low.') : t('Delivered share of the required ramp.'),
      },
      {
        name: weighted(t('Overshoot'), weights.over),
        figure: percentOfShare(over),
        share: over,
        words: t('Share of the time without overshoot.'),
      },
    ]
  }
  const { insideShare } = score.parts
  const inside = {
    name: t('Inside the band'),
    figure: percentOfShare(insideShare),
    share: insideShare,
    words: t('Share of the time inside the band, in percent.'),
  }
  if (score.method === 'set point') return [inside]
  const { slope, biasKwh } = score.parts
  return [
    inside,
    {
      name: t('Slope'),
      figure: digits.slope(slope),
      share: null,
      words: t('Delivered power per required kW; 0,9 to 1,2 is correct.'),
    },
    {
      name: t('Bias (kWh)'),
      figure: digits.kwh(biasKwh),
      share: null,
      words: t('Excess (+) or missing (−) up-regulation.'),
    },
  ]
}

const formulaOf = (score: DeliveryScore): string => {
  if (score.method !== 'response') return t('Score = share of the seconds inside the band.')
  const [energy, ramp, over] = [score.parts.weights.energy, score.parts.weights.ramp, score.parts.weights.over].map(
    (weight) => digits.weight(weight),
  ) as [string, string, string] // three in, three out
  return score.parts.weights.ramp > 0
    ? t('Score = 100 · ({{energy}} · energy + {{ramp}} · ramp + {{over}} · overshoot)', { energy, ramp, over })
    : t('Score = 100 · ({{energy}} · energy + {{over}} · overshoot)', { energy, over })
}

type Props = { event: ActivationEvent; score: DeliveryScore | null }

export const ScoreStrip = ({ event, score }: Props) => {
  const verdict = score?.verdict ?? event.verdict
  const points = score ? score.score : event.score
  const slope = score?.method === 'band' ? score.parts.slope : event.slope
  return (
    <section className={classes.score} aria-label={t('Delivery score')}>
      <Stack gap={2} align="start" className={classes.scoreMain}>
        <Text ink="ink2" size="tiny">
          {event.endTime === null ? t('Delivery score so far') : t('Delivery score')}
        </Text>
        {verdict && <VerdictTag verdict={verdict} />}
        {isOverruled({ score: points, verdict }) ? (
          <>
            <b>
              {digits.slope(slope)} <small>{t('Slope')}</small>
            </b>
            <span>{t('The slope decides the verdict; 0,9 to 1,2 is required.')}</span>
          </>
        ) : (
          <b>
            {digits.score(points)}
            {points !== null && <small> {t('of 100')}</small>}
          </b>
        )}
      </Stack>
      {score && (
        <>
          {partsOf(score).map(({ name, figure, share, words }) => (
            <Stack key={name} gap={2} align="start" className={classes.part}>
              <Text ink="ink2" size="tiny">
                {name}
              </Text>
              <b className="gm-num">{figure}</b>
              {share !== null && (
                <Bar
                  percent={Math.max(0, Math.min(1, share)) * 100}
                  height={4}
                  track="line2"
                  style={{ width: '100%', maxWidth: 160 }}
                  aria-hidden
                />
              )}
              <Text as="small" ink="ink2" size="label">
                {words}
              </Text>
            </Stack>
          ))}
          <Note wholeLine ink="ink2" size="small" className="gm-num">
            {formulaOf(score)} ·{' '}
            {score.missingShare > 0
              ? t('{{share}} % of the seconds missing', { share: percentOfShare(score.missingShare) })
              : t('no seconds missing')}
          </Note>
        </>
      )}
    </section>
  )
}
