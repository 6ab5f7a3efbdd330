import type { Charger } from '@gridmast/contract/charging/ev-charging.ts'
import { TextInput } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconBolt } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { useCan } from '#lib/user.tsx'
import { ConnectorState } from '#ui/ConnectorState.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { BelowList } from '#ui/Loaded.tsx'
import { Row, Stack, Text, Under } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import { useChargers } from './use-chargers.ts'

const PricesPanel = part(async () => (await import('./PricesPanel.tsx')).PricesPanel)
const RemoteDialog = lateDialog(
  async () => (await import('./RemoteDialog.tsx')).RemoteDialog,
  ({ charger }) => charger !== undefined,
)

const useColumns = (onRemote: ((charger: Charger) => void) | null): Columns<Charger> => {
  return [
    column.cell(
      'name',
      t('Name'),
      (charger) => (
        <Text as="div" weight="medium" style={{ paddingBlock: 6 }}>
          <span>{charger.name}</span>
          {charger.simulated && (
            <Text style={{ marginLeft: 8 }}>
              <Tag kind="outline">{t('Simulated')}</Tag>
            </Text>
          )}
          <Under>{charger.identity}</Under>
        </Text>
      ),
      { card: 'lead', wraps: true, sort: ({ name }) => name },
    ),
    column.text('description', t('Description'), ({ description }) => description, {
      card: 'plain',
      cut: limits.descriptionCut,
      sort: true,
    }),
    column.text('serial', t('Serial number'), ({ meta }) => meta.serialNumber, { sort: true }),
    column.text('type', t('Type'), ({ meta }) => meta.chargerType, { sort: true }),
    column.number('kw', t('Max. (kW)'), ({ meta }) => meta.maxKw, { decimals: 0, sort: true }),
    column.cell(
      'connection',
      t('Connection'),
      ({ meta, lastSeen }) =>
        meta.isActive ? (
          t('Online')
        ) : (
          <Text ink="ink3">
            {lastSeen === null
              ? t('Never connected')
              : t('Offline since {{time}}', { time: formatDateTime(Date.parse(lastSeen)) })}
          </Text>
        ),
      { sort: ({ meta }) => Number(meta.isActive) },
    ),
    column.cell(
      'connectors',
      t('Connectors'),
      ({ meta, connectors }) =>
        meta.isActive ? (
          <Row as="span" inline gap={12} rowGap={4} align="stretch">
            {connectors.map(({ connectorId, state, error }) => (
              <span key={connectorId} title={error ?? undefined}>
                <Text ink="ink3">{connectorId}</Text> <ConnectorState state={state} />
              </span>
            ))}
          </Row>
        ) : (
          <ConnectorState state="offline" />
        ),
      { card: 'corner' },
    ),
    column.date('created', t('Created At'), ({ createdAt }) => createdAt, { sort: true }),
    onRemote &&
      column.actions(t('Actions'), (charger) => [
        {
          icon: IconBolt,
          text: t('Remote start/stop'),
          label: t('Remote start/stop of {{name}}', { name: charger.name }),
          onClick: () => onRemote(charger),
        },
      ]),
  ]
}

export const ChargersTab = ({ licenceId }: { licenceId: string }) => {
  const mayRemote = useCan('ev-charging.remote')
  const read = useChargers(licenceId)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const columns = useColumns(mayRemote ? ({ _id }) => setChosen(_id) : null)
  const all = read.data?.chargers ?? []
  const text = search.trim().toLowerCase()
  const rows = all.filter((one) =>
    [one.name, one.identity, one.description, one.meta.serialNumber].join(' ').toLowerCase().includes(text),
  )
  return (
    <Stack gap={16}>
      <ListPanel
        title={t('All Chargers')}
        note={read.data && <span className="gm-num">{all.length}</span>}
        tools={
          <TextInput
            type="search"
            aria-label={t('Find a charger')}
            placeholder={t('Find a charger')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        }
        query={read}
        failed={t('The chargers could not be loaded.')}
        columns={columns}
        rows={rows}
        rowKey={({ _id }) => _id}
        numbered
        emptyReason={all.length === 0 ? t('This license has no chargers yet.') : t('No charger matches the search.')}
      />
      <BelowList isPending={read.isPending}>
        <Suspense>
          <PricesPanel />
        </Suspense>
      </BelowList>
      <RemoteDialog
        charger={all.find(({ _id }) => _id === chosen)}
        connectorId={undefined}
        onClose={() => setChosen(null)}
      />
    </Stack>
  )
}
