import { Button } from '@mantine/core'
import { type ChargerService, findChargerServices } from '@gridmast/contract/charging/chargers.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconTool } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { Below } from '#ui/Below.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { StatusDot } from '#ui/StatusDot.tsx'
import { ChargerLink } from './ChargerLink.tsx'
import { ServiceDialog } from './ServiceDialog.tsx'
import classes from './charge-fleet.module.css'

const rereadMs = 30_000
const pageSize = 15

const time = (at: string | null) => (at === null ? unknownText : formatDateTime(Date.parse(at)))

const Progress = ({ of }: { of: ChargerService['firmwareUpdate'] }) =>
  of && <small className={classes.progress}>{`${of.status} · ${time(of.at)}`}</small>

const useColumns = (onServe: (charger: ChargerService) => void): Column<ChargerService>[] => [
  {
    key: 'name',
    title: t('Charger'),
    lead: true,
    sortBy: ({ name }) => name,
    cell: ({ _id, name }) => <ChargerLink chargerId={_id} name={name} />,
  },
  {
    key: 'connection',
    title: t('Connection'),
    corner: true,
    sortBy: ({ isActive }) => Number(isActive),
    cell: ({ isActive }) => (
      <Row as="span" inline gap={8} nowrap>
        <StatusDot status={isActive ? 'fresh' : 'off'} />
        {isActive ? t('Online') : t('Offline')}
      </Row>
    ),
  },
  {
    key: 'model',
    title: t('Model'),
    cell: ({ vendor, model }) => [vendor, model].filter(Boolean).join(' ') || unknownText,
  },
  { key: 'version', title: t('Protocol'), cell: ({ version }) => version?.replace('ocpp', 'OCPP ') ?? unknownText },
  {
    key: 'firmware',
    title: t('Firmware'),
    sortBy: ({ firmware }) => firmware ?? '',
    cell: ({ firmware, firmwareUpdate }) => (
      <>
        {firmware ?? unknownText}
        <Progress of={firmwareUpdate} />
      </>
    ),
  },
  { key: 'profile', title: t('Security profile'), align: 'right', cell: ({ securityProfile }) => securityProfile },
  {
    key: 'configuration',
    title: t('Configuration read'),
    digits: true,
    cell: ({ configurationRead }) => time(configurationRead),
  },
  {
    key: 'deviations',
    title: t('Deviations'),
    hint: t('Protocol deviations'),
    align: 'right',
    cell: ({ deviations }) => deviations,
  },
  {
    key: 'serve',
    title: t('Action'),
    acts: true,
    align: 'right',
    cell: (charger) => (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconTool size={14} stroke={1.8} aria-hidden />}
        aria-label={t('Service {{name}}', { name: charger.name })}
        onClick={() => onServe(charger)}
      >
        {t('Service')}
      </Button>
    ),
  },
]

/** Firmware and configuration of all chargers. */
export const ServiceTable = ({ below }: { below?: ReactNode }) => {
  const read = useCall(findChargerServices, { refetchIntervalMs: rereadMs })
  const [serving, setServing] = useState<ChargerService | null>(null)
  const columns = useColumns(setServing)
  return (
    <>
      <ListPanel
        label={t('Firmware and configuration')}
        title={t('Firmware and configuration')}
        read={read}
        failed={t('The chargers could not be loaded.')}
        columns={columns}
        rows={read.data?.chargers ?? []}
        rowKey={({ _id }) => _id}
        pageSize={pageSize}
        emptyReason={t('Your company has no chargers yet.')}
      />
      <Below waits={read.isPending}>{below}</Below>
      <ServiceDialog charger={serving} onClose={() => setServing(null)} />
    </>
  )
}
