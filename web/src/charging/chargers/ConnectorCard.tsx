import { Button, Skeleton } from '@mantine/core'
import { type Charger, getChargerTransaction } from '@gridmast/contract/charging/ev-charging.ts'
import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { IconPlayerStop, IconUser } from '@tabler/icons-react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { ConnectorState } from '#ui/ConnectorState.tsx'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from './ev-charging.module.css'

const rereadMs = 30_000

/** Hours and minutes. */
const durationText = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / minuteMs))
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minutes / (hourMs / minuteMs)))}:${two(minutes % 60)}`
}

type Props = { charger: Charger; connector: Charger['connectors'][number]; onStop: (() => void) | null }

/** What one connector does now: its power, its session and who charges. */
export const ConnectorCard = ({ charger, connector, onStop }: Props) => {
  const nowMs = useNow(10_000)
  const { transactionId, powerKw, soc, error } = connector
  const read = useCall(getChargerTransaction, {
    sent: { params: { id: transactionId ?? '' } },
    enabled: transactionId !== null,
    refetchIntervalMs: rereadMs,
  })
  const session = transactionId === null ? undefined : read.data?.transaction
  const isPending = transactionId !== null && read.isPending
  const isOnline = charger.meta.isActive
  const title = t('Connector {{n}}', { n: connector.connectorId })
  return (
    <Panel
      label={title}
      title={title}
      tools={<ConnectorState state={isOnline ? connector.state : 'offline'} />}
      figures={
        <>
          <Figure size="l" value={powerKw} decimals={1} unit="kW" />
          {isPending ? (
            <Skeleton width={220} maw="100%" height={38} animate={false} />
          ) : (
            <>
              <Figure label={t('Session')} value={session?.consumption} unit="kWh" />
              <TextFigure
                short
                label={t('Duration')}
                value={session ? durationText(nowMs - Date.parse(session.startTime)) : undefined}
              />
              {soc === null ? (
                <TextFigure label={t('State of charge')} value={session ? t('Not reported') : undefined} />
              ) : (
                <Figure label={t('State of charge')} value={soc} decimals={0} unit="%" />
              )}
            </>
          )}
        </>
      }
    >
      <div className={classes.charge} aria-hidden>
        <i
          style={{ width: `${Math.min(100, Math.max(0, soc ?? 0))}%` }}
          data-charging={connector.state === 'charging' || undefined}
        />
      </div>
      <div className={classes.cardFoot}>
        <span className={classes.quiet}>
          {isPending ? (
            <>
              <span role="status" aria-label={t('Loading')} />
              <Skeleton width={120} height={14} animate={false} />
            </>
          ) : session ? (
            <>
              <IconUser size={14} stroke={1.8} aria-hidden /> {whoWords(session)}
            </>
          ) : transactionId !== null ? (
            t('The session could not be loaded.')
          ) : error ? (
            error
          ) : (
            t('No session')
          )}
        </span>
        {onStop && transactionId !== null && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} stroke={1.8} aria-hidden />}
            aria-label={t('Remote stop of connector {{n}}', { n: connector.connectorId })}
            onClick={onStop}
          >
            {t('Remote stop')}
          </Button>
        )}
      </div>
    </Panel>
  )
}

type Who = { tagName: string | null; idTag: string | null; mode: 'tag' | 'remote' | 'adhoc' }

/** The tag by its name, else what it says; a start from the portal has none. */
const whoWords = ({ tagName, idTag, mode }: Who): string =>
  tagName ?? idTag ?? (mode === 'remote' ? t('Started in the portal') : t('Without a tag'))
