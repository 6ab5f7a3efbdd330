import { Button } from '@mantine/core'
import {
  type BacktestDetail,
  cancelBacktest,
  findBacktests,
  getBacktest,
} from '@gridmast/contract/planning/load-backtests.ts'
import { t } from '#lib/i18n.ts'
import { useCall, useDo } from '#lib/query.ts'
import { Text } from '#ui/Layout.tsx'
import { LoadError } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { failedWords, isOpen, openMs, periodWords } from './backtest-words.ts'
import { BacktestResult } from './BacktestResult.tsx'
import { WaitingCards } from './WaitingCards.tsx'
import classes from './load-shifting.module.css'

type Props = { backtestId: string | undefined; loadId?: string | undefined; mayEdit: boolean }

const useNewest = (backtestId: string | undefined, loadId: string | undefined) =>
  useCall(findBacktests, {
    sent: { query: { limit: 1, ...(loadId ? { loadId } : {}) } },
    enabled: backtestId === undefined,
  })

/** The load of the form: the chosen one, else that of the backtest that is shown; undefined while that is read. */
export const useBacktestLoad = (backtestId: string | undefined, loadId: string | undefined) => {
  const newest = useNewest(backtestId, loadId)
  const sent = { params: { backtestId: backtestId ?? '' }, query: {} }
  const opened = useCall(getBacktest, { sent, enabled: backtestId !== undefined })
  if (loadId !== undefined) return loadId
  if (backtestId !== undefined) return opened.isPending ? undefined : (opened.data?.backtest.target._id ?? null)
  return newest.isPending ? undefined : (newest.data?.backtests[0]?.target._id ?? null)
}

/** One backtest: its progress or its result. Without an id the newest of the load. */
export const BacktestCards = ({ backtestId, loadId, mayEdit }: Props) => {
  const newest = useNewest(backtestId, loadId)
  const shown = backtestId ?? newest.data?.backtests[0]?._id
  if (shown) return <OneBacktest key={shown} backtestId={shown} mayEdit={mayEdit} />
  if (newest.isPending) return <WaitingCards />
  return (
    <Panel label={t('Backtest')}>
      <LoadError query={newest} title={t('The backtests could not be loaded.')} />
      {newest.data && (
        <div className={classes.waiting}>
          <b>{t('No backtest yet')}</b>
          <p className={classes.quiet}>
            {t(
              'A backtest plans each day of the past on the prices that were published, and counts what that would have saved.',
            )}
          </p>
        </div>
      )}
    </Panel>
  )
}

const OneBacktest = ({ backtestId, mayEdit }: { backtestId: string; mayEdit: boolean }) => {
  const sent = { params: { backtestId }, query: {} }
  const known = useCall(getBacktest, { sent })
  const waits = known.data ? isOpen(known.data.backtest) : false
  const read = useCall(getBacktest, { sent, ...(waits ? { refetchIntervalMs: openMs } : {}) })
  const backtest = read.data?.backtest
  if (!backtest && read.error)
    return (
      <Panel label={t('Backtest')}>
        <LoadError query={read} title={t('The backtest could not be loaded.')} />
      </Panel>
    )
  if (!backtest) return <WaitingCards />
  if (isOpen(backtest)) return <Open backtest={backtest} mayEdit={mayEdit} />
  if (backtest.result) return <BacktestResult backtest={backtest} result={backtest.result} />
  return <NoResult backtest={backtest} />
}

/** A backtest with calculated days is stopped after a confirmation. */
const Open = ({ backtest, mayEdit }: { backtest: BacktestDetail; mayEdit: boolean }) => {
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
      <div className={classes.waiting}>
        <div className={classes.progress}>
          <progress max={of ?? 1} value={of === null ? 0 : done} aria-label={t('Days that are planned')} />
          <Text ink="ink3" size="label" className="gm-num" role="status">
            {state === 'queued'
              ? t('Waits to begin')
              : of === null
                ? t('Reads prices …')
                : done < of
                  ? t('{{done}} of {{count}} days are planned', { done, count: of })
                  : t('All days are planned; what was possible is counted …')}
          </Text>
        </div>
        <p className={classes.quiet}>{t('It goes on while you do something else.')}</p>
        {mayEdit && (
          <Button
            variant="default"
            loading={stop.isPending || cancelAsked}
            onClick={() => (state === 'running' && done > 0 ? confirmStop() : stop.mutate(sent))}
          >
            {t('Stop')}
          </Button>
        )}
      </div>
      {stopDialog}
    </Panel>
  )
}

const NoResult = ({ backtest }: { backtest: BacktestDetail }) => {
  const { state, target, done, of, reason } = backtest
  return (
    <Panel title={target.name} note={periodWords(backtest)} label={t('Backtest')}>
      <div className={classes.waiting}>
        <b>{state === 'cancelled' ? t('The backtest was stopped') : t('The backtest could not be run')}</b>
        <p className={classes.quiet}>
          {state === 'failed'
            ? t(failedWords[reason ?? 'error'])
            : of === null
              ? t('Before it had begun.')
              : t('After {{done}} of {{count}} days.', { done, count: of })}
        </p>
      </div>
    </Panel>
  )
}
