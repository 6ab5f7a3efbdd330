import { Button, Group, Loader } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import type { Charger } from '@gridmast/contract/charging/ev-charging.ts'
import { remoteStart, remoteStop } from '@gridmast/contract/charging/sessions.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { formatTime } from '@gridmast/contract/time.ts'
import { IconBolt, IconCheck, IconPlayerStop, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { chargerAnswer, ConnectorState } from '#ui/ConnectorState.tsx'
import { currentMs, useNow } from '#lib/clock.ts'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { showToast } from '#lib/toast.ts'
import { useCan } from '#lib/user.tsx'
import { StaleBanner } from '#ui/Loaded.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Note, Stack, Text } from '#ui/Layout.tsx'
import { TagSelect } from './TagSelect.tsx'
import classes from './ev-charging.module.css'
import { versionWords } from './use-chargers.ts'

type Props = { charger: Charger | undefined; connectorId: number | undefined; onClose: () => void }

export const RemoteDialog = ({ charger, connectorId, onClose }: Props) => (
  <Dialog opened={charger !== undefined} onClose={onClose} title={t('Remote start/stop')}>
    {charger && <RemoteForm key={charger._id} charger={charger} connectorId={connectorId} />}
  </Dialog>
)

type Action = 'start' | 'stop'
type SentCommand = {
  action: Action
  connectorId: number
  atMs: number
  answer?: { status: string; accepted: boolean; atMs: number }
}

const RemoteForm = ({ charger, connectorId }: { charger: Charger; connectorId: number | undefined }) => {
  const mayReadAudit = useCan('audit.read')
  const [chosen, setChosen] = useState(connectorId ?? charger.connectors[0]?.connectorId ?? 1)
  const [tagId, setTagId] = useState<string>()
  const [command, setCommand] = useState<SentCommand | null>(null)
  const progress = useRef<HTMLDivElement>(null)
  const starting = useDo(remoteStart)
  const stopping = useDo(remoteStop)
  const isSending = starting.isPending || stopping.isPending
  const isOnline = charger.meta.isActive
  const session = charger.connectors.find((one) => one.connectorId === chosen)?.transactionId ?? null
  const nowMs = useNow(1000)
  const isWaiting =
    command?.action === 'start' &&
    command.answer?.accepted === true &&
    session === null &&
    nowMs - command.answer.atMs <= limits.startWaitMs
  const send = (action: Action) => {
    const atMs = currentMs()
    setCommand({ action, connectorId: chosen, atMs })
    // The pressed button is disabled until the charger has answered.
    progress.current?.focus()
    const body = { chargerId: charger._id, connectorId: chosen }
    const done = {
      onSuccess: (answer: Data<typeof remoteStart>) => {
        setCommand({ action, connectorId: chosen, atMs, answer: { ...answer, atMs: currentMs() } })
        showToast({ kind: answer.accepted ? 'success' : 'error', message: chargerAnswer(answer.status) })
      },
      onError: () => setCommand(null),
    }
    if (action === 'stop') stopping.mutate({ body }, done)
    else starting.mutate({ body: { ...body, ...(tagId ? { tagId } : {}) } }, done)
  }
  return (
    <Stack gap={14}>
      <Note size="body" wholeLine>
        {[charger.name, charger.description, charger.identity, versionWords(charger.meta.version)]
          .filter(Boolean)
          .join(' · ')}
      </Note>
      {!isOnline && (
        <StaleBanner title={t('Charger is offline')}>{t('Commands can be sent once it is online again.')}</StaleBanner>
      )}
      <fieldset className={classes.choices} disabled={isSending || isWaiting}>
        <Text as="legend" size="small" weight="medium" below={4}>
          {t('Connector')}{' '}
          <Text ink="down" aria-hidden>
            *
          </Text>
        </Text>
        {charger.connectors.map((one) => (
          <label key={one.connectorId}>
            <input
              type="radio"
              name="connector"
              checked={one.connectorId === chosen}
              onChange={() => {
                setChosen(one.connectorId)
                setCommand(null)
              }}
            />
            <b>{t('Connector {{n}}', { n: one.connectorId })}</b>
            <Text ink="ink3">
              {charger.meta.chargerType} · {format.wholeKw(charger.meta.maxKw)}
            </Text>
            <Text end>
              <ConnectorState state={isOnline ? one.state : 'offline'} />
            </Text>
          </label>
        ))}
      </fieldset>
      <TagSelect
        none={t('No tag')}
        w="100%"
        disabled={isSending || isWaiting || session !== null}
        value={tagId}
        onChange={setTagId}
      />
      <div ref={progress} tabIndex={-1} role="status" aria-label={t('Answer of the charger')}>
        {command && <Progress command={command} isRunning={session !== null} />}
      </div>
      <Group gap={8}>
        {mayReadAudit && (
          <Link to="/audit" className="gm-link" style={{ textDecoration: 'underline' }}>
            {t('Audit trail')}
          </Link>
        )}
        <Group gap={8} ml="auto">
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} stroke={1.8} aria-hidden />}
            disabled={!isOnline || session === null || starting.isPending}
            loading={stopping.isPending}
            onClick={() => send('stop')}
          >
            {t('Stop')}
          </Button>
          <Button
            leftSection={<IconBolt size={16} stroke={1.8} aria-hidden />}
            disabled={!isOnline || session !== null || isWaiting || stopping.isPending}
            loading={starting.isPending}
            onClick={() => send('start')}
          >
            {t('Start')}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

const marks = {
  done: <IconCheck size={16} stroke={2} color="var(--gm-up)" aria-hidden />,
  failed: <IconX size={16} stroke={2} color="var(--gm-down)" aria-hidden />,
  waiting: <Loader size={14} aria-hidden />,
}

const Step = ({ mark, at, children }: { mark: keyof typeof marks; at?: string | undefined; children: ReactNode }) => (
  <li>
    {marks[mark]}
    <span>{children}</span>
    {at && (
      // A screen reader would hear every second of a wait.
      <Text ink="ink3" aria-hidden={mark === 'waiting' || undefined}>
        {at}
      </Text>
    )}
  </li>
)

const Progress = ({ command, isRunning }: { command: SentCommand; isRunning: boolean }) => {
  const nowMs = useNow(1000)
  const { action, atMs, answer } = command
  const waited = Math.max(0, Math.round((nowMs - (answer?.atMs ?? atMs)) / 1000))
  const isDone = isRunning === (action === 'start')
  return (
    <Stack as="ol" gap={8} plate="sub" className={`gm-num ${classes.steps}`}>
      <Step mark="done" at={formatTime(atMs)}>
        {t('Sent to the charger')}
      </Step>
      {!answer && (
        <Step mark="waiting" at={`${waited} s`}>
          {t('Waiting for its answer')}
        </Step>
      )}
      {answer && (
        <Step mark={answer.accepted ? 'done' : 'failed'} at={formatTime(answer.atMs)}>
          <b>{chargerAnswer(answer.status)}</b> <Text ink="ink3">{t('from the charger')}</Text>
        </Step>
      )}
      {answer?.accepted &&
        (isDone ? (
          <Step mark="done">{action === 'start' ? t('Session running') : t('Charging has ended')}</Step>
        ) : waited * 1000 > limits.startWaitMs ? (
          <Step mark="failed">
            {action === 'start'
              ? t('No session has started. Is a car plugged in?')
              : t('The session is still running.')}
          </Step>
        ) : (
          <Step mark="waiting" at={`${waited} s`}>
            {action === 'start' ? t('Waiting for the session to start') : t('Waiting for the session to end')}
          </Step>
        ))}
    </Stack>
  )
}
