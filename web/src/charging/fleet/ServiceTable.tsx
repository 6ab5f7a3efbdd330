import { type ChargerService, findChargerServices } from '@gridmast/contract/charging/chargers.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { IconTool } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { BelowList } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Row } from '#ui/Layout.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { StatusDot } from '#ui/Tag.tsx'
import { ChargerLink } from './ChargerLink.tsx'
import { ServiceDialog } from './ServiceDialog.tsx'
import classes from './charge-fleet.module.css'

const rereadMs = 30_000
const pageSize = 15

const Progress = ({ of }: { of: ChargerService['firmwareUpdate'] }) =>
  of && <small className={classes.progress}>{`${of.status} · ${formatDateTime(Date.parse(of.at))}`}</small>

const useColumns = (onServe: (charger: ChargerService) => void): Columns<ChargerService> => [
  column.cell('name', t('Charger'), ({ _id, name }) => <ChargerLink chargerId={_id} name={name} />, {
    card: 'lead',
    sort: ({ name }) => name,
  }),
  column.cell(
    'connection',
    t('Connection'),
    ({ isActive }) => (
      <Row as="span" inline gap={8} nowrap>
        <StatusDot status={isActive ? 'fresh' : 'off'} />
        {isActive ? t('Online') : t('Offline')}
      </Row>
    ),
    { card: 'corner', sort: ({ isActive }) => Number(isActive) },
  ),
  column.text('model', t('Model'), ({ vendor, model }) => [vendor, model].filter(Boolean).join(' ') || unknownText),
  column.text('version', t('Protocol'), ({ version }) => version?.replace('ocpp', 'OCPP ')),
  column.cell(
    'firmware',
    t('Firmware'),
    ({ firmware, firmwareUpdate }) => (
      <>
        {firmware ?? unknownText}
        <Progress of={firmwareUpdate} />
      </>
    ),
    { sort: ({ firmware }) => firmware ?? '' },
  ),
  column.number('profile', t('Security profile'), ({ securityProfile }) => securityProfile),
  column.time('configuration', t('Configuration read'), ({ configurationRead }) => configurationRead),
  column.number('deviations', t('Deviations'), ({ deviations }) => deviations, { hint: t('Protocol deviations') }),
  column.acts(t('Action'), (charger) => [
    {
      icon: IconTool,
      text: t('Service'),
      label: t('Service {{name}}', { name: charger.name }),
      onClick: () => onServe(charger),
    },
  ]),
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
        query={read}
        failed={t('The chargers could not be loaded.')}
        columns={columns}
        rows={read.data?.chargers ?? []}
        rowKey={({ _id }) => _id}
        pageSize={pageSize}
        emptyReason={t('Your company has no chargers yet.')}
      />
      <BelowList isPending={read.isPending}>{below}</BelowList>
      <ServiceDialog charger={serving} onClose={() => setServing(null)} />
    </>
  )
}
