import { Button } from '@mantine/core'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import { cancelPlan, findPlans, getPlan, type PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { compareDecimals, formatNumber } from '@gridmast/contract/numbers.ts'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { sourceWords } from '#lib/format.ts'
import { LoadError } from '#ui/Loaded.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Note, Stack } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Emission } from './Emission.tsx'
import { FollowButtons } from './FollowButtons.tsx'
import { followedMs, planModel, priceModel, waitingMs } from './plan-model.ts'
import { bindingWords, noticeWords, reasonWords, relaxationWords } from './plan-words.ts'
import { BillTable, QuarterTable, Told, Versions } from './PlanTables.tsx'
import { Notices } from './Notices.tsx'
import { SavingCard } from './SavingCard.tsx'
import { WaitingCards } from './WaitingCards.tsx'
import classes from './load-shifting.module.css'

type Props = {
  planId: string | undefined
  /** The load that the form shows; its followed or newest plan is shown without a `planId`. */
  loadId?: string | undefined
  mayEdit: boolean
  onOpen: (planId: string) => void
}

const isWaiting = (plan: PlanDetail | undefined) => plan?.state === 'queued' || plan?.state === 'running'

/** The plan that is shown: the one of the address, else the followed one, else the newest with a result. */
const useShownPlan = (planId: string | undefined, loadId: string | undefined) => {
  const first = useCall(findPlans, {
    sent: { query: { limit: 1, first: 'followed', ...(loadId ? { loadId } : {}) } },
    enabled: planId === undefined,
  })
  const shownId = planId ?? first.data?.plans[0]?._id
  return { first, shownId }
}

/** The load of the form: the chosen one, else that of the plan that is shown; undefined while that is read. */
export const useFormLoad = (planId: string | undefined, loadId: string | undefined): string | null | undefined => {
  const { first } = useShownPlan(planId, loadId)
  const opened = useCall(getPlan, {
    sent: { params: { planId: planId ?? '' }, query: {} },
    enabled: planId !== undefined,
  })
  if (loadId !== undefined) return loadId
  if (planId !== undefined) return opened.isPending ? undefined : (opened.data?.plan.target._id ?? null)
  return first.isPending ? undefined : (first.data?.plans[0]?.target._id ?? null)
}

/** One plan: progress, result, and measured outcome. */
export const PlanCards = ({ planId, loadId, mayEdit, onOpen }: Props) => {
  const { first, shownId } = useShownPlan(planId, loadId)
  if (shownId) return <OnePlan key={shownId} planId={shownId} mayEdit={mayEdit} onOpen={onOpen} />
  if (first.isPending) return <WaitingCards />
  return (
    <Panel label={t('Plan')}>
      <LoadError query={first} title={t('The plans could not be loaded.')} />
      {first.data && (
        <div className={classes.waiting}>
          <b>{t('No plan yet')}</b>
          <p className={classes.quiet}>
            {mayEdit ? t('Choose what is planned, how much it needs and until when.') : t('Your company has no plans.')}
          </p>
        </div>
      )}
    </Panel>
  )
}

const OnePlan = ({ planId, mayEdit, onOpen }: Props & { planId: string }) => {
  const first = useCall(getPlan, { sent: { params: { planId }, query: {} } })
  const read = useCall(getPlan, {
    sent: { params: { planId }, query: {} },
    refetchIntervalMs: isWaiting(first.data?.plan) ? waitingMs : followedMs,
  })
  const plan = read.data?.plan
  if (read.error && !plan)
    return (
      <Panel label={t('Plan')}>
        <LoadError query={read} title={t('The plan could not be loaded.')} />
      </Panel>
    )
  if (!plan) return <WaitingCards />
  if (isWaiting(plan)) return <Waiting plan={plan} mayEdit={mayEdit} />
  const { answer } = plan
  if (!answer || !('plan' in answer)) return <NoPlan plan={plan} answer={answer} onOpen={onOpen} />
  return <Solved plan={plan} answer={answer} mayEdit={mayEdit} onOpen={onOpen} />
}

const Waiting = ({ plan, mayEdit }: { plan: PlanDetail; mayEdit: boolean }) => {
  const stop = useDo(cancelPlan)
  const now = useNow(1000)
  const seconds = Math.max(0, Math.floor((now - Date.parse(plan.madeAt)) / 1000))
  return (
    <Panel title={plan.target.name} label={t('Plan')}>
      <div className={classes.waiting}>
        <b role="timer">
          {plan.state === 'running'
            ? t('The plan is being calculated … {{seconds}} s', { seconds })
            : plan.place === 0 || plan.place === null
              ? t('The plan is next.')
              : t('{{count}} plans are calculated before this one.', { count: plan.place })}
        </b>
        {mayEdit && (
          <Button
            variant="default"
            loading={stop.isPending || plan.cancelAsked}
            onClick={() => stop.mutate({ params: { planId: plan._id } })}
          >
            {t('Stop')}
          </Button>
        )}
      </div>
    </Panel>
  )
}

/** Why there is none, and what would make one possible. */
const NoPlan = ({ plan, answer, onOpen }: { plan: PlanDetail; answer: PlanAnswer | null; onOpen: Props['onOpen'] }) => {
  const words = {
    infeasible: t('No plan is possible'),
    'timed-out': t('No plan was found in time'),
    cancelled: t('Planning was stopped'),
  }
  const title = answer && !('plan' in answer) ? words[answer.status] : t('The plan could not be calculated')
  return (
    <Stack gap="cards">
      <Panel title={title} note={plan.target.name} label={t('Plan')}>
        {answer?.status === 'infeasible' ? (
          <>
            <p className={classes.quiet}>{t('These limits contradict each other. Change one of them:')}</p>
            <ul className={classes.words}>
              {relaxationWords(answer, plan).map((text) => (
                <li key={text} data-warn>
                  {text}
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p className={classes.quiet}>
            {answer === null
              ? t('Prices of its area are missing, its state of charge is not measured, or it was removed meanwhile.')
              : t('Make it again, or with fewer limits.')}
          </p>
        )}
      </Panel>
      {plan.versions.length > 1 && <Versions plan={plan} onOpen={onOpen} />}
    </Stack>
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

const Solved = ({ plan, answer, mayEdit, onOpen }: SolvedProps) => {
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
  const baseline = (value: string | number | null, decimals: number) =>
    t('Baseline {{value}}', { value: formatNumber(value, { decimals }) })
  return (
    <Stack gap="cards">
      <Panel
        label={t('Result')}
        title={plan.target.name}
        note={plan.version > 1 ? t('version {{n}}', { n: plan.version }) : undefined}
        badge={
          <>
            <State plan={plan} />
            {plan.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
          </>
        }
      >
        <div className={classes.head}>
          <div className={classes.saved} data-loss={isLoss || undefined}>
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
          </div>
          <div>
            <Figure label={t('Cost, plan')} value={answer.plan.bill.total} unit="DKK" approximate={isAssumed} />
            <Note size="label" className="gm-num">
              {baseline(answer.baseline.bill.total, isAssumed ? 0 : 2)}
            </Note>
          </div>
          <div>
            <Figure label={t('CO₂ saved')} value={answer.savedKgCo2} decimals={1} unit="kg" />
            <Note size="label" className="gm-num">
              {baseline(answer.baseline.kgCo2, 1)}
            </Note>
          </div>
          <div>
            <Figure label={t('Energy')} value={kwhOf(answer.plan)} decimals={1} unit="kWh" />
            <Note size="label" className="gm-num">
              {baseline(kwhOf(answer.baseline), 1)}
            </Note>
          </div>
          <div>
            <Figure label={t('Peak of the site')} value={answer.plan.peakKw} decimals={1} unit="kW" />
            <Note size="label" className="gm-num">
              {baseline(answer.baseline.peakKw, 1)}
            </Note>
          </div>
          <div className={classes.acts}>
            <ExportButton
              onExport={(format) =>
                downloadCall(
                  getPlan,
                  { params: { planId: plan._id }, query: { format } },
                  `Plan ${plan.target.name}.${format}`,
                )
              }
            />
            <FollowButtons plan={plan} mayEdit={mayEdit} />
          </div>
        </div>
      </Panel>
      {plan.saving && <SavingCard asked={plan.asked} saving={plan.saving} />}
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
            ? t('Measured quarter by quarter; the saving is counted from what is measured.')
            : plan.asked.baseline === 'immediate'
              ? t('Baseline: at once, at full power')
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
      <Panel title={t('What limits the plan')} label={t('What limits the plan')}>
        {binding.length === 0 ? (
          <p className={classes.quiet}>{t('No limit: more room would save nothing.')}</p>
        ) : (
          <ul className={classes.words}>
            {binding.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </Panel>
      <BillTable asked={plan.asked} answer={answer} />
      {plan.told.length > 0 && <Told plan={plan} />}
      {plan.versions.length > 1 && <Versions plan={plan} onOpen={onOpen} />}
      <QuarterTable plan={plan} answer={answer} />
      <Note size="label" className="gm-num">
        {t('Solved in {{ms}} ms on 15-minute prices, the CO₂ prognosis and the limits of the site.', {
          ms: answer.solveMs,
        })}
      </Note>
    </Stack>
  )
}

const State = ({ plan }: { plan: PlanDetail }) => {
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
