import { type FleetCharger, fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { downloadCall } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { ConnectorState, stateOf } from '#ui/ConnectorState.tsx'
import type { Column } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { ChargerLink } from './ChargerLink.tsx'
import classes from './charge-fleet.module.css'
import type { FleetRead } from './fleet-read.ts'

const Share = ({ of }: { of: number | null }) =>
  of === null ? (
    unknownText
  ) : (
    <span className={classes.share}>
      <i aria-hidden>
        <i style={{ width: `${of * 100}%` }} />
      </i>
      {formatNumber(of * 100, { decimals: 0 })} %
    </span>
  )

const pageSize = 15

const useColumns = (): Column<FleetCharger>[] => [
  {
    key: 'name',
    title: t('Charger'),
    lead: true,
    sortBy: ({ name }) => name,
    cell: ({ _id, name }) => <ChargerLink chargerId={_id} name={name} />,
  },
  { key: 'state', title: t('State'), corner: true, cell: (one) => <ConnectorState state={stateOf(one)} /> },
  {
    key: 'sessions',
    title: t('Charging sessions'),
    align: 'right',
    sortBy: ({ sessions }) => sessions,
    cell: ({ sessions }) => sessions,
  },
  {
    key: 'energy',
    title: t('Energy (kWh)'),
    align: 'right',
    sortBy: ({ energyKwh }) => energyKwh,
    cell: ({ energyKwh }) => formatNumber(energyKwh, { decimals: 1 }),
  },
  {
    key: 'utilisation',
    title: t('Utilisation'),
    hint: t('The share of the time of its connectors in which a session ran'),
    align: 'right',
    cell: ({ utilisation }) => <Share of={utilisation} />,
  },
]

/** How much each charger was used. */
export const UtilisationTable = ({ read, days }: { read: FleetRead; days: number }) => {
  const columns = useColumns()
  return (
    <ListPanel
      label={t('Utilisation of chargers')}
      title={t('Utilisation of chargers')}
      note={t('Last {{n}} days', { n: days })}
      tools={
        <ExportButton
          disabled={!read.data || read.data.chargers.length === 0}
          onExport={(format) => downloadCall(fleetDashboard, { query: { days, format } }, `Chargers.${format}`)}
        />
      }
      read={read}
      failed={t('The charge fleet could not be loaded.')}
      columns={columns}
      rows={read.data?.chargers ?? []}
      rowKey={({ _id }) => _id}
      pageSize={pageSize}
      emptyReason={t('Your company has no chargers yet.')}
    />
  )
}
