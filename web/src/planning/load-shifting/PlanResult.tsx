import { digits, sourceWords } from '#lib/format.ts'
import { carbonColour } from '#ui/theme/tokens.ts'
import { type PlanDetail, acceptPlan, endPlan, getPlan } from '@gridmast/contract/planning/load-shifting.ts'
import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { localTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { shortTime, bindingWords, noticeWords, reasonWords } from './plan-words.ts'
import classes from './load-shifting.module.css'
import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useNow } from '#lib/clock.ts'
import { useConfirm } from '#ui/useConfirm.tsx'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import { useMemo } from 'react'
import { fileOf } from '#lib/download.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note, Row, Stack, Text } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { planModel, priceModel } from './plan-model.ts'
import { BillTable, QuarterTable, Deliveries, Versions, Notices } from './PlanTables.tsx'
import { ComparedFigure, SavingCard } from './SavingCard.tsx'

const ticks = { wide: 8, phone: 4 }
/** Plans longer than a day have longer marks, with their day. */
const ticksOfDays = { wide: 6, phone: 3 }
const quartersOfDay = 100

const Emission = ({ quarters }: Pick<PlanDetail, 'quarters'>) => {
  const phone = usePhone()
  const factors = quarters.flatMap(({ gCo2PerKwh }) => gCo2PerKwh ?? [])
  if (factors.length === 0) return <Note>{t('No prognosis is available for these hours.')}</Note>
  const isOfDays = quarters.length > quartersOfDay
  const { wide, phone: few } = isOfDays ? ticksOfDays : ticks
  const every = Math.max(1, Math.ceil(quarters.length / (phone ? few : wide)))
  // Each label is below its quarters; the last part may be too short for a label.
  const marks = quarters.flatMap((quarter, q) => (q % every === 0 ? [{ ...quarter, count: quarters.length - q }] : []))
  return (
    <>
      <div
        className={classes.strip}
        role="img"
        aria-label={t('Emission between {{low}} and {{high}} g/kWh', {
          low: digits.gPerKwh(Math.min(...factors)),
          high: digits.gPerKwh(Math.max(...factors)),
        })}
      >
        {quarters.map(({ fromMs, gCo2PerKwh }) => (
          <i key={fromMs} style={gCo2PerKwh === null ? {} : { background: carbonColour(gCo2PerKwh) }} />
        ))}
      </div>
      <div className={classes.ticks}>
        {marks.map(({ fromMs, gCo2PerKwh, count }) => (
          <span key={fromMs} style={{ flex: Math.min(count, every) }}>
            {count * 2 > every && (
              <>
                {isOfDays ? shortTime(fromMs) : localTime(fromMs)} <b>{digits.gPerKwh(gCo2PerKwh)}</b>
              </>
            )}
          </span>
        ))}
      </div>
    </>
  )
}

const FollowButtons = ({ plan, mayEdit }: { plan: PlanDetail; mayEdit: boolean }) => {
  const now = useNow(60_000)
  const params = { planId: plan._id }
  const isOver = plan.to !== null && Date.parse(plan.to) <= now
  const isFollowed = plan.accepted !== null && plan.ended === null
  const isOfChargers = plan.asked.kind === 'session'
  const until = { name: plan.target.name, at: shortTime(Date.parse(plan.to ?? '')) }
  const [accept, acceptDialog] = useConfirm({
    call: acceptPlan,
    sent: () => ({ params, body: { replace: plan.followed !== null } }),
    title: t('Follow this plan?'),
    text: (
      <>
        <p>
          {isOfChargers
            ? t('{{name}}: its chargers are limited quarter by quarter until {{at}}.', until)
            : t('{{name}}: its edge receives a schedule per quarter until {{at}}.', until)}
        </p>
        {plan.followed && <p>{t('The current plan of {{name}} ends.', { name: plan.followed.name })}</p>}
      </>
    ),
    confirm: plan.followed ? t('Replace and send') : t('Send'),
  })
  const [end, endDialog] = useConfirm({
    call: endPlan,
    sent: () => ({ params }),
    title: t('Stop following this plan?'),
    text: <p>{t('{{name}} returns to normal operation.', { name: plan.target.name })}</p>,
    confirm: t('End'),
  })
  if (!mayEdit || plan.ended || isOver) return <span />
  return (
    <Row gap={8}>
      {isFollowed ? (
        <Button variant="default" onClick={() => end()}>
          {t('Stop following')}
        </Button>
      ) : (
        <Button leftSection={<IconSend size={16} stroke={1.8} />} onClick={() => accept()}>
          {isOfChargers ? t('Send plan to chargers') : t('Send plan to the equipment')}
        </Button>
      )}
      {acceptDialog}
      {endDialog}
    </Row>
  )
}

type SolvedProps = {
  plan: PlanDetail
  answer: Extract<PlanAnswer, { plan: unknown }>
  mayEdit: boolean
  onOpen: (planId: string) => void
}

const kwhOf = (schedule: SolvedProps['answer']['plan']) =>
  schedule.loads.reduce((sum, { wh }) => sum + wh.reduce((all, one) => all + one, 0), 0) / 1000

export const PlanResult = ({ plan, answer, mayEdit, onOpen }: SolvedProps) => {
  const now = useNow(60_000)
  const words = useMemo(
    () => ({
      plan: t('Plan'),
      baseline: t('Baseline'),
      measured: t('Measured'),
      price: t('Price'),
      assumed: t('Assumed prices'),
    }),
    [],
  )
  const model = useMemo(() => planModel(plan, words, now), [plan, words, now])
  const prices = useMemo(() => priceModel(plan, words), [plan, words])
  const isLoss = answer.savedDkk.startsWith('-')
  const isAssumed = plan.hasAssumedPrices
  const hasMeasured = plan.measuredWh.length > 0
  const hasTariff = plan.quarters.some(({ tariffDkkPerMwh }) => compareDecimals(tariffDkkPerMwh, '0') !== 0)
  const notices = noticeWords(answer, plan)
  const binding = bindingWords(answer, plan)
  return (
    <Stack gap="cards">
      <Panel
        label={t('Result')}
        title={plan.target.name}
        help="plan"
        note={plan.version > 1 ? t('version {{n}}', { n: plan.version }) : undefined}
        badge={
          <>
            <PlanState plan={plan} />
            {plan.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
          </>
        }
      >
        <Row gap="figures" rowGap={12}>
          <Text as="div" ink={isLoss ? 'down' : 'up'}>
            <Figure
              label={t('Saved against baseline')}
              value={answer.savedDkk}
              unit="DKK"
              size="l"
              approximate={isAssumed}
            />
            {isAssumed && (
              <Note size="label" className="gm-num">
                {t('on assumed prices')}
              </Note>
            )}
          </Text>
          <ComparedFigure
            label={t('Cost, plan')}
            value={answer.plan.bill.total}
            unit="DKK"
            approximate={isAssumed}
            baseline={answer.baseline.bill.total}
            baselineDecimals={isAssumed ? 0 : 2}
          />
          <ComparedFigure
            label={t('CO₂ saved')}
            value={answer.savedKgCo2}
            decimals={1}
            unit="kg"
            baseline={answer.baseline.kgCo2}
            baselineDecimals={1}
          />
          <ComparedFigure
            label={t('Energy')}
            value={kwhOf(answer.plan)}
            decimals={1}
            unit="kWh"
            baseline={kwhOf(answer.baseline)}
            baselineDecimals={1}
          />
          <ComparedFigure
            label={t('Peak of the site')}
            value={answer.plan.peakKw}
            decimals={1}
            unit="kW"
            baseline={answer.baseline.peakKw}
            baselineDecimals={1}
          />
          <div className={classes.actions}>
            <ExportButton onExport={fileOf(getPlan, { params: { planId: plan._id }, query: {} })} />
            <FollowButtons plan={plan} mayEdit={mayEdit} />
          </div>
        </Row>
      </Panel>
      {plan.saving && <SavingCard scope={plan.asked} saving={plan.saving} />}
      <ChartPanel
        title={t('Plan and baseline')}
        note={t('(kWh per quarter)')}
        legend={[
          { name: words.plan, colour: 1 },
          { name: words.baseline, colour: 6, line: true, dashed: true },
          hasMeasured && { name: words.measured, colour: 2, line: true },
        ]}
        height={260}
        model={model}
        foot={
          hasMeasured
            ? t('Measured per quarter; the saving is calculated from the measurement.')
            : plan.asked.baseline === 'immediate'
              ? t('Baseline: immediately, at full power')
              : t('Baseline: the same weekday of four weeks')
        }
      />
      <ChartPanel
        title={t('Price')}
        note={hasTariff ? t('(DKK/MWh, tariff and tax included)') : t('(DKK/MWh, tax included, no tariff)')}
        simulated={plan.sources.spot.simulated}
        badge={isAssumed && <Tag kind="warn">{t('Assumed prices')}</Tag>}
        height={160}
        model={prices}
        foot={sourceWords(plan.sources.spot)}
      />
      <Panel
        title={t('CO₂ prognosis')}
        note="(g/kWh)"
        label={t('CO₂ prognosis')}
        foot={sourceWords(plan.sources.emission)}
      >
        <Emission quarters={plan.quarters} />
      </Panel>
      <Notices notices={notices} />
      <Panel title={t('Limits of the plan')} label={t('Limits of the plan')}>
        {binding.length === 0 ? (
          <Note>{t('No limit restricts the plan.')}</Note>
        ) : (
          <Stack as="ul" gap={8}>
            {binding.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </Stack>
        )}
      </Panel>
      <BillTable scope={plan.asked} answer={answer} />
      {plan.told.length > 0 && <Deliveries plan={plan} />}
      {plan.versions.length > 1 && <Versions plan={plan} onOpen={onOpen} />}
      <QuarterTable plan={plan} answer={answer} />
      <Note size="label" className="gm-num">
        {t('Calculated in {{ms}} ms from 15-minute prices, the CO₂ prognosis and the limits of the site.', {
          ms: answer.solveMs,
        })}
      </Note>
    </Stack>
  )
}

const PlanState = ({ plan }: { plan: PlanDetail }) => {
  if (plan.ended) return <Tag>{t('No longer followed')}</Tag>
  if (plan.accepted)
    return (
      <>
        <Tag kind="up">{t('Followed')}</Tag>
        {plan.reason && <Tag kind="warn">{t(reasonWords[plan.reason])}</Tag>}
      </>
    )
  return <Tag kind="outline">{t('Not accepted')}</Tag>
}
