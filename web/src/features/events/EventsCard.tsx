import { type ActivationEvent, type EventType, dashboardEvents } from '@gridmast/contract/events.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime, minuteMs } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Consumption, DeltaLoad, Direction } from './cells.tsx'
import { clockOf } from './event-words.ts'
import classes from './events.module.css'

const rows = 7
const rereadMs = minuteMs

const useColumns = (eventType: EventType): Column<ActivationEvent>[] => {
  const { t } = useTranslation()
  return [
    {
      key: 'type',
      title: t('Type'),
      lead: true,
      cell: ({ market, instanceId }) => (
        <Link
          to="/demandResponse/$market"
          params={{ market }}
          search={{ instance: instanceId }}
          className={classes.eventLink}
        >
          {market}
        </Link>
      ),
    },
    { key: 'instance', title: t('Instance'), plain: true, cell: ({ instanceName }) => instanceName },
    {
      key: 'direction',
      title: t('Direction'),
      plain: true,
      cell: ({ direction }) => <Direction direction={direction} />,
    },
    {
      key: 'start',
      title: t('Start Time'),
      plain: true,
      cell: ({ startTime }) => formatDateTime(Date.parse(startTime)),
    },
    eventType === 'fcr_based'
      ? {
          key: 'deltaLoad',
          title: t('Delta Load (%)'),
          hint: t('Delivered at most, of the capacity.'),
          align: 'right',
          corner: true,
          cell: ({ direction, processedDeltaLoad }) => <DeltaLoad direction={direction} percent={processedDeltaLoad} />,
        }
      : {
          key: 'maxSetPoint',
          title: t('Max Setpoint'),
          align: 'right',
          corner: true,
          cell: ({ maxSetPoint }) => formatNumber(maxSetPoint, { decimals: 1 }),
        },
    { key: 'duration', title: t('Duration'), align: 'right', cell: ({ duration }) => clockOf(duration) },
    { key: 'consumption', title: t('Consumption (kWh)'), align: 'right', cell: (event) => <Consumption {...event} /> },
  ]
}

type Props = { eventType: EventType | undefined; onEventType: (eventType: EventType) => void }

/** The newest activations of the FCR or the FRR markets. */
export const EventsCard = ({ eventType, onEventType }: Props) => {
  const { t } = useTranslation()
  const read = useCall(dashboardEvents, {
    sent: { query: { ...(eventType ? { eventType } : {}), limit: rows } },
    refetchIntervalMs: rereadMs,
  })
  const { data } = read
  const shown = eventType ?? data?.eventType ?? 'fcr_based'
  return (
    <ListPanel
      read={read}
      failed={t('The events could not be loaded.')}
      title={t('Events')}
      label={t('Events')}
      badge={data?.events.some(({ simulated }) => simulated) && <Tag kind="outline">{t('Simulated')}</Tag>}
      tools={
        <Segments
          label={t('Markets')}
          value={shown}
          onChange={onEventType}
          data={[
            { value: 'fcr_based', label: t('FCR Markets') },
            { value: 'frr_based', label: t('FRR Markets') },
          ]}
        />
      }
      columns={useColumns(shown)}
      rows={data?.events ?? []}
      rowKey={({ _id }) => _id}
      emptyReason={t('Activations of your instances will be listed here.')}
    />
  )
}
