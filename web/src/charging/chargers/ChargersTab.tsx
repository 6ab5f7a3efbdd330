import { Button, TextInput } from '@mantine/core'
import type { Charger } from '@gridmast/contract/charging/ev-charging.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { formatDate, formatDateTime } from '@gridmast/contract/time.ts'
import { IconBolt } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { ConnectorState } from '#ui/ConnectorState.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { Below } from '#ui/Below.tsx'
import { Row, Stack } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { PricesPanel } from './PricesPanel.tsx'
import { RemoteDialog } from './RemoteDialog.tsx'
import classes from './ev-charging.module.css'
import { useChargers } from './useChargers.ts'

const useColumns = (onRemote: ((charger: Charger) => void) | null): Column<Charger>[] => {
  const name: Column<Charger> = {
    key: 'name',
    title: t('Name'),
    lead: true,
    sortBy: ({ name: own }) => own,
    cell: (charger) => (
      <span className={classes.named}>
        <span>{charger.name}</span>
        {charger.simulated && <Tag kind="outline">{t('Simulated')}</Tag>}
        <small>{charger.identity}</small>
      </span>
    ),
  }
  const remote: Column<Charger>[] = onRemote
    ? [
        {
          key: 'remote',
          title: t('Action'),
          acts: true,
          align: 'right',
          cell: (charger) => (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconBolt size={14} stroke={1.8} aria-hidden />}
              aria-label={t('Remote start/stop of {{name}}', { name: charger.name })}
              onClick={() => onRemote(charger)}
            >
              {t('Remote start/stop')}
            </Button>
          ),
        },
      ]
    : []
  return [
    name,
    {
      key: 'description',
      title: t('Description'),
      plain: true,
      cell: ({ description }) => description,
      text: ({ description }) => description,
      cutAt: limits.descriptionCut,
    },
    {
      key: 'serial',
      title: t('Serial number'),
      cell: ({ meta }) => meta.serialNumber ?? unknownText,
    },
    { key: 'type', title: t('Type'), cell: ({ meta }) => meta.chargerType, sortBy: ({ meta }) => meta.chargerType },
    {
      key: 'kw',
      title: t('Most (kW)'),
      align: 'right',
      cell: ({ meta }) => formatNumber(meta.maxKw, { decimals: 0 }),
      sortBy: ({ meta }) => meta.maxKw,
    },
    {
      key: 'connection',
      title: t('Connection'),
      cell: ({ meta, lastSeen }) =>
        meta.isActive ? (
          t('Online')
        ) : (
          <span className={classes.quiet}>
            {lastSeen === null
              ? t('Never seen')
              : t('Offline since {{time}}', { time: formatDateTime(Date.parse(lastSeen)) })}
          </span>
        ),
      sortBy: ({ meta }) => Number(meta.isActive),
    },
    {
      key: 'connectors',
      title: t('Connectors'),
      corner: true,
      cell: ({ meta, connectors }) =>
        meta.isActive ? (
          <Row as="span" inline gap={12} rowGap={4} align="stretch">
            {connectors.map(({ connectorId, state, error }) => (
              <span key={connectorId} title={error ?? undefined}>
                <span className={classes.quiet}>{connectorId}</span> <ConnectorState state={state} />
              </span>
            ))}
          </Row>
        ) : (
          <ConnectorState state="offline" />
        ),
    },
    {
      key: 'created',
      title: t('Created At'),
      digits: true,
      cell: ({ createdAt }) => formatDate(Date.parse(createdAt)),
      sortBy: ({ createdAt }) => createdAt,
    },
    ...remote,
  ]
}

/** All chargers with the state of each connector now. */
export const ChargersTab = ({ licenceId }: { licenceId: string }) => {
  const mayRemote = useCan('ev-charging.remote')
  const read = useChargers(licenceId)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const columns = useColumns(mayRemote ? ({ _id }) => setChosen(_id) : null)
  const all = read.data?.chargers ?? []
  const wanted = search.trim().toLowerCase()
  const rows = all.filter((one) =>
    [one.name, one.identity, one.description, one.meta.serialNumber].join(' ').toLowerCase().includes(wanted),
  )
  return (
    <Stack gap={16}>
      <ListPanel
        label={t('All Chargers')}
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
        read={read}
        failed={t('The chargers could not be loaded.')}
        columns={columns}
        rows={rows}
        rowKey={({ _id }) => _id}
        numbered
        emptyReason={all.length === 0 ? t('This license has no chargers yet.') : t('No charger matches the search.')}
      />
      <Below waits={read.isPending}>
        <PricesPanel />
      </Below>
      <RemoteDialog
        charger={all.find(({ _id }) => _id === chosen)}
        connectorId={undefined}
        onClose={() => setChosen(null)}
      />
    </Stack>
  )
}
