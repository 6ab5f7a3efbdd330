import { Button, Skeleton } from '@mantine/core'
import type { Charger } from '@gridmast/contract/charging/ev-charging.ts'
import { getChargerTransaction } from '@gridmast/contract/charging/sessions.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime, today, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { IconBolt, IconPlayerStop, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { Bar } from '#ui/Bar.tsx'
import { Loaded, Empty, ChartSkeleton } from '#ui/Loaded.tsx'
import { ConnectorState, stateOf } from '#ui/ConnectorState.tsx'
import { Facts, Grid, ListAndDetails, Note, Row, Stack, SideList } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { ChargerDay } from './ChargerDay.tsx'
import classes from './ev-charging.module.css'
import type { evSearch } from './search.ts'
import { useChargers, versionWords } from './use-chargers.ts'
import type { UrlProps } from '#lib/url-state.ts'
import { useCall } from '#lib/query.ts'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import { noRange } from '#ui/Chart/RangePicker.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'

const RemoteDialog = lateDialog(
  async () => (await import('./RemoteDialog.tsx')).RemoteDialog,
  ({ charger }) => charger !== undefined,
)

type Props = UrlProps<typeof evSearch> & { licenceId: string }

export const DetailsTab = ({ licenceId, search, onSearch }: Props) => {
  const read = useChargers(licenceId)
  const chargers = read.data?.chargers
  const [first] = chargers ?? []
  const charger = chargers?.find(({ _id }) => _id === search.chargerId) ?? first
  if (!chargers)
    return (
      <Panel label={t('Chargers')} style={{ minHeight: 480 }}>
        <Loaded query={read} failed={t('The chargers could not be loaded.')} waiting={<ChartSkeleton height={400} />} />
      </Panel>
    )
  if (!charger)
    return (
      <Panel title={t('Chargers')} label={t('Chargers')}>
        <Empty title={t('This license has no chargers yet.')}>{t('Ask the operator to add one.')}</Empty>
      </Panel>
    )
  return (
    <ListAndDetails>
      <ChargerList
        chargers={chargers}
        chosen={charger._id}
        onChoose={(id) => onSearch({ chargerId: id === first?._id ? undefined : id, connectorId: undefined })}
      />
      <OneCharger key={charger._id} charger={charger} search={search} onSearch={onSearch} />
    </ListAndDetails>
  )
}

type ListProps = { chargers: readonly Charger[]; chosen: string; onChoose: (chargerId: string) => void }

const ChargerList = ({ chargers, chosen, onChoose }: ListProps) => {
  const powers = chargers
    .flatMap(({ connectors }) => connectors.map(({ powerKw }) => powerKw))
    .filter((kw) => kw !== null)
  const sessions = chargers
    .flatMap(({ connectors }) => connectors)
    .filter(({ transactionId }) => transactionId !== null)
  const [search, setSearch] = useState('')
  const text = search.trim().toLowerCase()
  const matching = chargers.filter(({ name, description, identity }) =>
    [name, description, identity].join(' ').toLowerCase().includes(text),
  )
  return (
    <SideList
      title={t('Chargers')}
      count={chargers.length}
      search={{ label: t('Find a charger'), value: search, onChange: setSearch }}
    >
      <ul className={classes.items}>
        {matching.map((charger) => (
          <li key={charger._id}>
            <button
              type="button"
              aria-current={charger._id === chosen || undefined}
              onClick={() => onChoose(charger._id)}
            >
              <span>
                {charger.name}
                <small>{charger.description}</small>
              </span>
              <ConnectorState state={stateOf(charger)} />
            </button>
          </li>
        ))}
      </ul>
      <div className={classes.sums}>
        <Facts
          layout="lines"
          facts={[
            [
              t('All chargers now'),
              powers.length === 0 && sessions.length > 0
                ? unknownText
                : format.kw(powers.reduce((sum, kw) => sum + kw, 0)),
            ],
            [t('Sessions now'), sessions.length],
          ]}
        />
      </div>
    </SideList>
  )
}

type OneProps = UrlProps<typeof evSearch> & { charger: Charger }

const OneCharger = ({ charger, search, onSearch }: OneProps) => {
  const mayRemote = useCan('ev-charging.remote')
  const newestDay = today(useNow(60_000))
  const [pressed, setRemote] = useState<{ connectorId: number | undefined } | null>(null)
  const remote = pressed ?? (mayRemote && search.remote ? { connectorId: search.connectorId } : null)
  const { meta, connectors, lastSeen } = charger
  const connectorId = connectors.find((one) => one.connectorId === search.connectorId)?.connectorId ?? 1
  const date = search.date ?? newestDay
  return (
    <Stack gap={16}>
      <Row as="header" gap={12} justify="between">
        <div>
          <h2 className={classes.name}>
            {charger.name} <ConnectorState state={stateOf(charger)} />
            {charger.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
          </h2>
          <Note size="body" wholeLine>
            {[
              [meta.vendor, meta.model].filter(Boolean).join(' '),
              versionWords(meta.version),
              meta.firmware && t('firmware {{version}}', { version: meta.firmware }),
              lastSeen === null
                ? t('Never connected')
                : t('Last message {{time}}', { time: formatDateTime(Date.parse(lastSeen)) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Note>
        </div>
        {mayRemote && (
          <Button
            leftSection={<IconBolt size={16} stroke={1.8} aria-hidden />}
            onClick={() => setRemote({ connectorId: undefined })}
          >
            {t('Remote start/stop')}
          </Button>
        )}
      </Row>
      <Grid fit={340} gap={16}>
        {connectors.map((connector) => (
          <ConnectorCard
            key={connector.connectorId}
            charger={charger}
            connector={connector}
            onStop={mayRemote ? () => setRemote({ connectorId: connector.connectorId }) : null}
          />
        ))}
      </Grid>
      <ChargerDay
        key={`${connectorId} ${date}`}
        charger={charger}
        connectorId={connectorId}
        date={date}
        onConnector={(next) => onSearch({ connectorId: next === 1 ? undefined : next })}
        onDate={(day) => onSearch({ date: day === newestDay ? undefined : day, ...noRange })}
      />
      <RemoteDialog
        charger={remote ? charger : undefined}
        connectorId={remote?.connectorId}
        onClose={() => {
          setRemote(null)
          if (search.remote) onSearch({ remote: undefined })
        }}
      />
    </Stack>
  )
}

const rereadMs = 30_000

/** Hours and minutes. */
const durationText = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / minuteMs))
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minutes / (hourMs / minuteMs)))}:${two(minutes % 60)}`
}

type CardProps = { charger: Charger; connector: Charger['connectors'][number]; onStop: (() => void) | null }

const ConnectorCard = ({ charger, connector, onStop }: CardProps) => {
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
      <Bar
        percent={Math.min(100, Math.max(0, soc ?? 0))}
        height={4}
        ink={connector.state === 'charging' ? 'link' : 'ink3'}
        aria-hidden
      />
      <Row nowrap gap={12} justify="between" className={classes.cardFoot}>
        <Row as="span" inline nowrap gap={6} ink="ink3">
          {isPending ? (
            <>
              <span role="status" aria-label={t('Loading')} />
              <Skeleton width={120} height={14} animate={false} />
            </>
          ) : session ? (
            <>
              <IconUser size={14} stroke={1.8} aria-hidden /> {driverText(session)}
            </>
          ) : transactionId !== null ? (
            t('The session could not be loaded.')
          ) : error ? (
            error
          ) : (
            t('No session')
          )}
        </Row>
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
      </Row>
    </Panel>
  )
}

type Driver = { tagName: string | null; idTag: string | null; mode: 'tag' | 'remote' | 'adhoc' }

/** The name of the tag, else its id; a start from the portal has no tag. */
const driverText = ({ tagName, idTag, mode }: Driver): string =>
  tagName ?? idTag ?? (mode === 'remote' ? t('Started in the portal') : t('Without a tag'))
