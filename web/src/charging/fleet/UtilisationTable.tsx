import { type FleetCharger, fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { fileOf } from '#lib/download.ts'
import { format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { ConnectorState, stateOf } from '#ui/ConnectorState.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { ChargerLink } from './ChargerLink.tsx'
import { Bar } from '#ui/Bar.tsx'
import classes from './charge-fleet.module.css'
import type { FleetQuery, FleetRead } from './FleetNow.tsx'

const Share = ({ of }: { of: number | null }) =>
  of === null ? (
    unknownText
  ) : (
    <span className={classes.share}>
      <Bar percent={of * 100} height={6} style={{ width: 72 }} aria-hidden />
      {format.wholePercent(of * 100)}
    </span>
  )

const pageSize = 15

const useColumns = (): Columns<FleetCharger> => [
  column.cell('name', t('Charger'), ({ _id, name }) => <ChargerLink chargerId={_id} name={name} />, {
    card: 'lead',
    sort: ({ name }) => name,
  }),
  column.cell('state', t('State'), (one) => <ConnectorState state={stateOf(one)} />, { card: 'corner', sort: stateOf }),
  column.number('sessions', t('Charging sessions'), ({ sessions }) => sessions, { sort: true }),
  column.number('energy', t('Energy (kWh)'), ({ energyKwh }) => energyKwh, { decimals: 1, sort: true }),
  column.figure('utilisation', t('Utilisation'), ({ utilisation }) => <Share of={utilisation} />, {
    hint: t('Share of connector time with a running session'),
    sort: ({ utilisation }) => utilisation ?? -1,
  }),
]

type Props = { read: FleetRead; query: FleetQuery; period: string }

export const UtilisationTable = ({ read, query, period }: Props) => {
  const columns = useColumns()
  return (
    <ListPanel
      help="utilisation"
      title={t('Utilisation of chargers')}
      note={period}
      tools={
        <ExportButton
          disabled={!read.data || read.data.chargers.length === 0}
          onExport={fileOf(fleetDashboard, { query })}
        />
      }
      query={read}
      failed={t('The charge fleet could not be loaded.')}
      columns={columns}
      rows={read.data?.chargers}
      rowKey={({ _id }) => _id}
      pageSize={pageSize}
      emptyReason={t('Your company has no chargers yet.')}
    />
  )
}
