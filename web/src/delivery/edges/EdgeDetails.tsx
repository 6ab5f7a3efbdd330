import { Button } from '@mantine/core'
import {
  type EdgeBroker,
  edgeConnection,
  type EdgeGateway,
  type EdgeProblem,
  type InstanceLack,
} from '@gridmast/contract/delivery/edges.ts'
import { firstMessageCommands } from '@gridmast/contract/delivery/edge-commands.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { useLive } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import { Facts, Lines, Note, Row, Stack, Text, Under } from '#ui/Layout.tsx'
import { Empty } from '#ui/Loaded.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Code } from '#ui/OneTimeSecret.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Segments } from '#ui/Segments.tsx'
import { LastReported, StatusDot } from '#ui/Tag.tsx'
import { NewInstanceDialog } from './EdgeDialogs.tsx'
import { problemText } from './problems.ts'

type Instance = EdgeGateway['instances'][number]

const waitingEveryMs = 3000
const everyMs = 15_000

const lackTexts: Record<InstanceLack, () => string> = {
  contract: () =>
    t('No contract: no bid is placed without custom bidding, and revenue cannot be shared. Your operator adds it.'),
  frequency: () =>
    t('No frequency measured: activations cannot be detected or scored. The edge gateway sends it in the field f.'),
  frequencySignal: () =>
    t('No frequency signal of this area: charts show the frequency of another area, or none. Your operator adds it.'),
}

type SamplesProps = {
  instance: Instance
  lastSampleAt: string | null
  lacks: readonly InstanceLack[]
  isLoading: boolean
  onSample: () => void
}

const InstanceSamples = ({ instance, lastSampleAt, lacks, isLoading, onSample }: SamplesProps) => {
  const [liveAt, setLiveAt] = useState(-Infinity)
  const deliver = ({ x }: { x: number[] }) => {
    const newest = Math.max(...x)
    if (lastSampleAt === null && liveAt === -Infinity) onSample()
    if (newest > liveAt) setLiveAt(newest)
  }
  useLive(instance._id, 'power', deliver)
  useLive(instance._id, 'frequency', deliver)
  const at = Math.max(liveAt, lastSampleAt === null ? -Infinity : Date.parse(lastSampleAt))
  return (
    <li>
      <span>
        <Text weight="medium">{instance.name}</Text>
        <Under as="div">
          {[instance.key, instance.area, instance.markets.join(', '), format.kw(instance.flexibleKw)].join(' · ')}
        </Under>
        {lacks.map((lack) => (
          <Under as="div" key={lack} ink="warn">
            {lackTexts[lack]()}
          </Under>
        ))}
      </span>
      <span role="status">
        {at > -Infinity ? (
          <LastReported at={at} staleAfterMs={limits.edgeAliveMs} />
        ) : (
          <Row as="span" inline gap={8} ink="ink2">
            <StatusDot status="off" />
            {isLoading ? '–' : t('Waiting for the first message …')}
          </Row>
        )}
      </span>
    </li>
  )
}

const problemColumns = () => [
  column.time<EdgeProblem>('at', t('Last time'), ({ lastAt }) => lastAt, { sort: true }),
  column.text<EdgeProblem>('problem', t('Reason of the refusal'), problemText, { card: 'lead', sort: true }),
  column.cell<EdgeProblem>('topic', t('Topic of the message'), ({ topic }) =>
    topic === null ? '–' : <code>{topic}</code>,
  ),
  column.number<EdgeProblem>('count', t('Number of times'), ({ count }) => count, { sort: true }),
]

type Props = { edge: EdgeGateway; broker: EdgeBroker }

export const EdgeDetails = ({ edge, broker }: Props) => {
  const [adding, setAdding] = useState(false)
  const connection = useCall(edgeConnection, {
    sent: { params: { id: edge._id } },
    refetchIntervalMs: (data) =>
      data?.samples.every(({ lastSampleAt }) => lastSampleAt !== null) ? everyMs : waitingEveryMs,
  })
  const stateOf = (instance: Instance) =>
    connection.data?.samples.find(({ instanceId }) => instanceId === instance._id) ?? { lastSampleAt: null, lacks: [] }
  const mayAdd = edge.isOwn && edge.enabled
  return (
    <>
      <Panel
        title={t('Instances')}
        note={edge.name}
        label={t('Instances of {{name}}', { name: edge.name })}
        tools={
          mayAdd && (
            <Button
              variant="default"
              leftSection={<IconPlus stroke={1.8} aria-hidden />}
              onClick={() => setAdding(true)}
            >
              {t('New instance')}
            </Button>
          )
        }
      >
        {edge.instances.length === 0 ? (
          <Empty title={t('No instances yet')}>
            {mayAdd && t('Add an instance. Then send its first message with one of the commands.')}
          </Empty>
        ) : (
          <Lines>
            {edge.instances.map((instance) => (
              <InstanceSamples
                key={instance._id}
                instance={instance}
                lastSampleAt={stateOf(instance).lastSampleAt}
                lacks={stateOf(instance).lacks}
                isLoading={connection.isPending}
                onSample={() => void connection.refetch()}
              />
            ))}
          </Lines>
        )}
      </Panel>
      {edge.enabled && edge.instances.length > 0 && <FirstMessage edge={edge} broker={broker} />}
      <ListPanel
        title={t('Refused in the last hour')}
        query={connection}
        failed={t('The refused messages could not be loaded.')}
        columns={problemColumns()}
        rows={connection.data?.problems}
        rowKey={({ from, reason, topic }) => `${from} ${reason} ${topic}`}
        emptyReason={t('Connections with an unknown user name cannot be listed here.')}
      />
      <NewInstanceDialog edge={edge} opened={adding} onClose={() => setAdding(false)} />
    </>
  )
}

const programs = ['mosquitto', 'node', 'python'] as const
const programNames = { mosquitto: 'mosquitto_pub', node: 'Node', python: 'Python' }

const FirstMessage = ({ edge, broker }: Props) => {
  const [program, setProgram] = useState<(typeof programs)[number]>('mosquitto')
  const [instanceKey, setInstanceKey] = useState<string>()
  const instance = edge.instances.find(({ key }) => key === instanceKey) ?? edge.instances.at(-1)
  if (!instance) return null
  const { port, tls } = broker
  const host = broker.host ?? window.location.hostname
  const commands = firstMessageCommands({ host, port, tls, edgeKey: edge.key, groupKey: instance.key })
  const facts = [
    [t('Host name'), host],
    [t('Port'), String(port)],
    ['TLS', tls ? t('Yes') : t('No')],
    [t('User name'), edge.key],
    [t('Topic of the message'), `gm/v1/${edge.key}/telemetry/${instance.key}`],
  ] as const
  return (
    <Panel title={t('Send a first message')} label={t('Send a first message')}>
      <Stack gap={14}>
        <Facts layout="columns" facts={facts} />
        <Row gap={12}>
          <Segments
            label={t('Program')}
            value={program}
            onChange={setProgram}
            data={programs.map((value) => ({ value, label: programNames[value] }))}
          />
          {edge.instances.length > 1 && (
            <Segments
              label={t('Instance')}
              value={instance.key}
              onChange={setInstanceKey}
              data={edge.instances.slice(0, 6).map(({ key, name }) => ({ value: key, label: name }))}
            />
          )}
        </Row>
        <Code label={t('Command for {{program}}', { program: programNames[program] })} code={commands[program]} />
        <Note>
          {t('Each command reads the secret from the variable EDGE_SECRET.')}{' '}
          {!tls && t('The connection is not encrypted: use it in your own network only.')}
        </Note>
      </Stack>
    </Panel>
  )
}
