import type { Data } from '@gridmast/contract/call.ts'
import { findChargerFrames, type getChargerService } from '@gridmast/contract/charging/chargers.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { LoadError } from '#ui/Loaded.tsx'
import * as column from '#ui/columns.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import classes from './service.module.css'

type Service = Data<typeof getChargerService>

/** What was asked of a charger, with its own answers, and where it strayed from the protocol. */
export const ServiceLog = ({ service }: { service: Service }) => (
  <>
    <DataTable<Service['commands'][number]>
      label={t('Last commands')}
      columns={[
        column.time('at', t('Time'), ({ issuedAt }) => issuedAt, { card: 'lead' }),
        column.text('action', t('Command'), ({ action }) => action),
        column.number('connector', t('Connector'), ({ connectorId }) => connectorId || null),
        column.text('answer', t('Answer'), ({ answer, state }) => answer ?? state),
      ]}
      rows={service.commands}
      rowKey={({ issuedAt, action }) => `${issuedAt} ${action}`}
      pageSize={10}
      loading={false}
      emptyReason={t('No commands sent yet.')}
    />
    <DataTable<Service['deviations'][number]>
      label={t('Deviations')}
      columns={[
        column.text('what', t('Deviation'), ({ deviation }) => deviation, { card: 'lead' }),
        column.number('count', t('Count'), ({ count }) => count),
        column.time('last', t('Last seen'), ({ lastAt }) => lastAt),
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

const useFrameColumns = (): Columns<Frame> => [
  column.time('at', t('Time'), ({ at }) => at, { card: 'lead' }),
  column.text('direction', t('Direction'), ({ direction }) =>
    direction === 'in' ? t('From the charger') : t('To the charger'),
  ),
  column.cell('frame', t('Message'), ({ frame }) => <code className={classes.frame}>{frame}</code>, { card: 'plain' }),
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
