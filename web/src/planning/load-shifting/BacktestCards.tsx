import { Button } from '@mantine/core'
import {
  type BacktestDetail,
  cancelBacktest,
  findBacktests,
  getBacktest,
} from '@gridmast/contract/planning/load-backtests.ts'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { Note, Stack, Text } from '#ui/Layout.tsx'
import { LoadError } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { failedWords, isOpen, openMs, periodWords } from './backtest-words.ts'
import { BacktestResult } from './BacktestResult.tsx'
import { WaitingCards } from './PlanTables.tsx'
import { ProgressBar } from '#ui/Bar.tsx'
import classes from './load-shifting.module.css'

type Props = { backtestId: string | undefined; loadId?: string | undefined; mayEdit: boolean }

const useNewest = (backtestId: string | undefined, loadId: string | undefined) =>
  useCall(findBacktests, {
    sent: { query: { limit: 1, ...(loadId ? { loadId } : {}) } },
    enabled: backtestId === undefined,
  })

/** The load of the form: the chosen one, else the open backtest's; undefined while that loads. */
export const useBacktestLoad = (backtestId: string | undefined, loadId: string | undefined) => {
  const newest = useNewest(backtestId, loadId)
  const sent = { params: { backtestId: backtestId ?? '' }, query: {} }
  const opened = useCall(getBacktest, { sent, enabled: backtestId !== undefined })
  if (loadId !== undefined) return loadId
  if (backtestId !== undefined) return opened.isPending ? undefined : (opened.data?.backtest.target._id ?? null)
  return newest.isPending ? undefined : (newest.data?.backtests[0]?.target._id ?? null)
}

/** Progress or result of a backtest; without an id the newest one of the load. */
export const BacktestCards = ({ backtestId, loadId, mayEdit }: Props) => {
  const newest = useNewest(backtestId, loadId)
  const openedId = backtestId ?? newest.data?.backtests[0]?._id
  if (openedId) return <OneBacktest key={openedId} backtestId={openedId} mayEdit={mayEdit} />
  if (newest.isPending) return <WaitingCards />
  return (
    <Panel label={t('Backtest')}>
      <LoadError query={newest} title={t('The backtests could not be loaded.')} />
      {newest.data && (
        <Stack gap={12} align="start" className={classes.waiting}>
          <b>{t('No backtest yet')}</b>
          <Note>{t('A backtest plans each past day with the published prices and calculates the saving.')}</Note>
        </Stack>
      )}
    </Panel>
  )
}

const OneBacktest = ({ backtestId, mayEdit }: { backtestId: string; mayEdit: boolean }) => {
  const sent = { params: { backtestId }, query: {} }
  const first = useCall(getBacktest, { sent })
  const waits = first.data ? isOpen(first.data.backtest) : false
  const query = useCall(getBacktest, { sent, ...(waits ? { refetchIntervalMs: openMs } : {}) })
  const backtest = query.data?.backtest
  if (!backtest && query.error)
    return (
      <Panel label={t('Backtest')}>
        <LoadError query={query} title={t('The backtest could not be loaded.')} />
      </Panel>
    )
  if (!backtest) return <WaitingCards />
  if (isOpen(backtest)) return <RunningBacktest backtest={backtest} mayEdit={mayEdit} />
  if (backtest.result) return <BacktestResult backtest={backtest} result={backtest.result} />
  return <NoResult backtest={backtest} />
}

/** A backtest with calculated days is stopped after a confirmation. */
const RunningBacktest = ({ backtest, mayEdit }: { backtest: BacktestDetail; mayEdit: boolean }) => {
  const { state, done, of, target, cancelAsked } = backtest
  const sent = { params: { backtestId: backtest._id } }
  const stop = useDo(cancelBacktest)
  const [confirmStop, stopDialog] = useConfirm({
    call: cancelBacktest,
    sent: () => sent,
    title: t('Stop this backtest?'),
    text: <p>{t('The days calculated so far are lost.')}</p>,
    confirm: t('Stop'),
    cancel: t('Let it run'),
  })
  return (
    <Panel title={target.name} note={periodWords(backtest)} label={t('Backtest')}>
      <Stack gap={12} align="start" className={classes.waiting}>
        <Stack gap={6} style={{ width: 'min(420px, 100%)' }}>
          <ProgressBar max={of ?? 1} value={of === null ? 0 : done} aria-label={t('Planned days')} />
          <Text ink="ink3" size="label" className="gm-num" role="status">
            {state === 'queued'
              ? t('Waiting to start')
              : of === null
                ? t('Loading prices …')
                : done < of
                  ? t('{{done}} of {{count}} days are planned', { done, count: of })
                  : t('All days are planned. The benchmark is being calculated …')}
          </Text>
        </Stack>
        <Note>{t('It continues in the background.')}</Note>
        {mayEdit && (
          <Button
            variant="default"
            loading={stop.isPending || cancelAsked}
            onClick={() => (state === 'running' && done > 0 ? confirmStop() : stop.mutate(sent))}
          >
            {t('Stop')}
          </Button>
        )}
      </Stack>
      {stopDialog}
    </Panel>
  )
}

const NoResult = ({ backtest }: { backtest: BacktestDetail }) => {
  const { state, target, done, of, reason } = backtest
  return (
    <Panel title={target.name} note={periodWords(backtest)} label={t('Backtest')}>
      <Stack gap={12} align="start" className={classes.waiting}>
        <b>{state === 'cancelled' ? t('The backtest was stopped') : t('The backtest could not be run')}</b>
        <Note>
          {state === 'failed'
            ? t(failedWords[reason ?? 'error'])
            : of === null
              ? t('Before it started.')
              : t('After {{done}} of {{count}} days.', { done, count: of })}
        </Note>
      </Stack>
    </Panel>
  )
}
