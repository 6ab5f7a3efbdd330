import { LoadError } from '#ui/Loaded.tsx'
import { Button } from '@mantine/core'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import { cancelPlan, findPlans, getPlan, type PlanDetail } from '@gridmast/contract/planning/load-shifting.ts'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { Note, Stack } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { PlanResult } from './PlanResult.tsx'
import { followedMs, waitingMs } from './plan-model.ts'
import { relaxationWords } from './plan-words.ts'
import { Versions, WaitingCards } from './PlanTables.tsx'
import classes from './load-shifting.module.css'

type Props = {
  planId: string | undefined
  /** The load of the form; without a `planId` its followed or newest plan is open. */
  loadId?: string | undefined
  mayEdit: boolean
  onOpen: (planId: string) => void
}

const isWaiting = (plan: PlanDetail | undefined) => plan?.state === 'queued' || plan?.state === 'running'

/** The open plan: by the URL, else the followed one, else the newest with a result. */
const useOpenedPlan = (planId: string | undefined, loadId: string | undefined) => {
  const first = useCall(findPlans, {
    sent: { query: { limit: 1, first: 'followed', ...(loadId ? { loadId } : {}) } },
    enabled: planId === undefined,
  })
  const openedId = planId ?? first.data?.plans[0]?._id
  return { first, openedId }
}

/** The load of the form: the chosen one, else the open plan's; undefined while that loads. */
export const useFormLoad = (planId: string | undefined, loadId: string | undefined): string | null | undefined => {
  const { first } = useOpenedPlan(planId, loadId)
  const opened = useCall(getPlan, {
    sent: { params: { planId: planId ?? '' }, query: {} },
    enabled: planId !== undefined,
  })
  if (loadId !== undefined) return loadId
  if (planId !== undefined) return opened.isPending ? undefined : (opened.data?.plan.target._id ?? null)
  return first.isPending ? undefined : (first.data?.plans[0]?.target._id ?? null)
}

export const PlanCards = ({ planId, loadId, mayEdit, onOpen }: Props) => {
  const { first, openedId } = useOpenedPlan(planId, loadId)
  if (openedId) return <OnePlan key={openedId} planId={openedId} mayEdit={mayEdit} onOpen={onOpen} />
  if (first.isPending) return <WaitingCards />
  return (
    <Panel label={t('Plan')}>
      <LoadError query={first} title={t('The plans could not be loaded.')} />
      {first.data && (
        <Stack gap={12} align="start" className={classes.waiting}>
          <b>{t('No plan yet')}</b>
          <Note>
            {mayEdit ? t('Choose the equipment, its energy need and its deadline.') : t('Your company has no plans.')}
          </Note>
        </Stack>
      )}
    </Panel>
  )
}

const OnePlan = ({ planId, mayEdit, onOpen }: Props & { planId: string }) => {
  const first = useCall(getPlan, { sent: { params: { planId }, query: {} } })
  const query = useCall(getPlan, {
    sent: { params: { planId }, query: {} },
    refetchIntervalMs: isWaiting(first.data?.plan) ? waitingMs : followedMs,
  })
  const plan = query.data?.plan
  if (query.error && !plan)
    return (
      <Panel label={t('Plan')}>
        <LoadError query={query} title={t('The plan could not be loaded.')} />
      </Panel>
    )
  if (!plan) return <WaitingCards />
  if (isWaiting(plan)) return <WaitingPlan plan={plan} mayEdit={mayEdit} />
  const { answer } = plan
  if (!answer || !('plan' in answer)) return <NoPlan plan={plan} answer={answer} onOpen={onOpen} />
  return <PlanResult plan={plan} answer={answer} mayEdit={mayEdit} onOpen={onOpen} />
}

const WaitingPlan = ({ plan, mayEdit }: { plan: PlanDetail; mayEdit: boolean }) => {
  const stop = useDo(cancelPlan)
  const now = useNow(1000)
  const seconds = Math.max(0, Math.floor((now - Date.parse(plan.madeAt)) / 1000))
  return (
    <Panel title={plan.target.name} label={t('Plan')}>
      <Stack gap={12} align="start" className={classes.waiting}>
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
      </Stack>
    </Panel>
  )
}

/** Reasons why no plan is possible, and the changes that would allow one. */
const NoPlan = ({ plan, answer, onOpen }: { plan: PlanDetail; answer: PlanAnswer | null; onOpen: Props['onOpen'] }) => {
  const words = {
    infeasible: t('No plan is possible'),
    'timed-out': t('No plan could be calculated in time'),
    cancelled: t('Planning was stopped'),
  }
  const title = answer && !('plan' in answer) ? words[answer.status] : t('The plan could not be calculated')
  return (
    <Stack gap="cards">
      <Panel title={title} note={plan.target.name} label={t('Plan')}>
        {answer?.status === 'infeasible' ? (
          <>
            <Note>{t('These limits contradict each other. Change one of them:')}</Note>
            <Stack as="ul" gap={8} above={8} ink="warn">
              {relaxationWords(answer, plan).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </Stack>
          </>
        ) : (
          <Note>
            {answer === null
              ? t('Prices for its area are missing, its state of charge is not measured, or it has been removed.')
              : t('Create it again, or with fewer limits.')}
          </Note>
        )}
      </Panel>
      {plan.versions.length > 1 && <Versions plan={plan} onOpen={onOpen} />}
    </Stack>
  )
}
