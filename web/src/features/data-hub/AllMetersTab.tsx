import { findMeterGroups, type Meter } from '@gridmast/contract/data-hub.ts'
import { useTranslation, type TFunction } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'

type Row = Meter & { key: string }

const columnsOf = (t: TFunction): Column<Row>[] => [
  {
    key: 'key',
    title: t('Key/CVR'),
    sortBy: ({ key }) => key,
    cell: ({ key }) => <span className="gm-num">{key}</span>,
  },
  {
    key: 'name',
    title: t('Meter Name'),
    lead: true,
    sortBy: ({ dataHub }) => dataHub.name,
    cell: ({ dataHub }) => dataHub.name,
  },
  {
    key: 'id',
    title: t('Meter Id'),
    sortBy: ({ meteringPointId }) => meteringPointId,
    cell: ({ meteringPointId }) => <span className="gm-num">{meteringPointId}</span>,
  },
]

/** Every meter of every key, numbered. */
export const AllMetersTab = () => {
  const { t } = useTranslation()
  const read = useCall(findMeterGroups, {})
  const rows = (read.data?.groups ?? []).flatMap(({ key, meterIdData }) =>
    meterIdData.map((meter) => ({ ...meter, key })),
  )
  return (
    <ListPanel
      read={read}
      failed={t('The meters could not be loaded.')}
      title={t('All Meters')}
      label={t('All Meters')}
      columns={columnsOf(t)}
      rows={rows}
      rowKey={({ id }) => id}
      numbered
    />
  )
}
