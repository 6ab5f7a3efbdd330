import type { Data } from '@gridmast/contract/call.ts'
import { findChargerFrames, type getChargerService } from '@gridmast/contract/charging/chargers.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { LoadError } from '#ui/LoadError.tsx'
import { type Column, DataTable } from '#ui/DataTable.tsx'
import classes from './service.module.css'

type Service = Data<typeof getChargerService>

const time = (at: string) => formatDateTime(Date.parse(at))

/** What was asked of a charger, with its own answers, and where it strayed from the protocol. */
export const ServiceLog = ({ service }: { service: Service }) => (
  <>
    <DataTable
      label={t('Last commands')}
      columns={[
        { key: 'at', title: t('Time'), digits: true, lead: true, cell: ({ issuedAt }) => time(issuedAt) },
        { key: 'action', title: t('Command'), cell: ({ action }) => action },
        {
          key: 'connector',
          title: t('Connector'),
          align: 'right',
          cell: ({ connectorId }) => (connectorId === 0 ? unknownText : connectorId),
        },
        { key: 'answer', title: t('Answer'), cell: ({ answer, state }) => answer ?? state },
      ]}
      rows={service.commands}
      rowKey={({ issuedAt, action }) => `${issuedAt} ${action}`}
      pageSize={10}
      loading={false}
      emptyReason={t('No commands sent yet.')}
    />
    <DataTable
      label={t('Deviations')}
      columns={[
        { key: 'what', title: t('Deviation'), lead: true, cell: ({ deviation }) => deviation },
        { key: 'count', title: t('Count'), align: 'right', cell: ({ count }) => count },
        { key: 'last', title: t('Last seen'), digits: true, cell: ({ lastAt }) => time(lastAt) },
      ]}
      rows={service.deviations}
      rowKey={({ deviation }) => deviation}
      pageSize={10}
      loading={false}
      emptyReason={t('It keeps to the protocol.')}
    />
  </>
)

const rereadMs = 5000

type Frame = Data<typeof findChargerFrames>['frames'][number]

const useFrameColumns = (): Column<Frame>[] => [
  { key: 'at', title: t('Time'), digits: true, lead: true, cell: ({ at }) => time(at) },
  {
    key: 'direction',
    title: t('Direction'),
    cell: ({ direction }) => (direction === 'in' ? t('From the charger') : t('To the charger')),
  },
  {
    key: 'frame',
    title: t('Message'),
    plain: true,
    cell: ({ frame }) => <code className={classes.frame}>{frame}</code>,
  },
]

/** The newest frames as they went over the wire. */
export const ServiceFrames = ({ chargerId }: { chargerId: string }) => {
  const read = useCall(findChargerFrames, { sent: { params: { id: chargerId } }, refetchIntervalMs: rereadMs })
  const columns = useFrameColumns()
  if (read.error && !read.data) return <LoadError query={read} title={t('The messages could not be loaded.')} />
  return (
    <DataTable
      label={t('Raw messages')}
      columns={columns}
      rows={read.data ? read.data.frames : []}
      rowKey={({ no }) => String(no)}
      pageSize={10}
      loading={read.isPending}
      emptyReason={t('No answers received yet.')}
    />
  )
}
