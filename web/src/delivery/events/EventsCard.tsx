import {
  type ActivationEvent,
  dashboardEvents,
  findEvents,
  minDeltaLoadPercent,
} from '@gridmast/contract/delivery/events.ts'
import type { EventType } from '@gridmast/contract/markets.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { Link } from '@tanstack/react-router'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { digits, simulatedWords } from '#lib/format.ts'
import { usePhone } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import { clockOf, Consumption, DeltaLoad, Direction, directionWords } from './cells.tsx'
import classes from './events.module.css'

const rows = 7
const phoneRows = 3
const shortNames: Record<EventType, string> = { fcr_based: 'FCR', frr_based: 'FRR' }
const rereadMs = minuteMs

const useColumns = (eventType: EventType): Columns<ActivationEvent> => {
  const phone = usePhone()
  const isFcr = eventType === 'fcr_based'
  // On a phone a row has two lines, with the direction as an arrow.
  const onPhone = ({ direction, processedDeltaLoad, maxSetPoint }: ActivationEvent) => (
    <>
      <span className="gm-hidden">{t(directionWords[direction])} </span>
      <DeltaLoad direction={direction} percent={isFcr ? processedDeltaLoad : maxSetPoint} plain />
      {!isFcr && <small> %</small>}
    </>
  )
  return [
    column.cell(
      'type',
      t('Type'),
      ({ market, instanceId, instanceName }) => (
        <Link
          to="/demandResponse/$market"
          params={{ market }}
          search={{ instance: instanceId }}
          className={classes.eventLink}
        >
          {phone ? `${instanceName} · ${market}` : market}
        </Link>
      ),
      { card: 'lead' },
    ),
    column.text('instance', t('Instance'), ({ instanceName }) => instanceName, { card: 'none' }),
    column.cell('direction', t('Direction'), ({ direction }) => <Direction direction={direction} />, { card: 'none' }),
    column.time('start', t('Start time'), ({ startTime }) => startTime, { card: 'plain' }),
    isFcr
      ? column.figure(
          'figure',
          t('Delta Load (%)'),
          phone
            ? onPhone
            : ({ direction, processedDeltaLoad }) => <DeltaLoad direction={direction} percent={processedDeltaLoad} />,
          { card: 'corner', hint: t('Highest delivered power, in percent of the capacity.') },
        )
      : column.figure(
          'figure',
          t('Max Setpoint'),
          phone ? onPhone : ({ maxSetPoint }) => digits.fixedPercent(maxSetPoint),
          { card: 'corner' },
        ),
    column.figure('duration', t('Duration'), ({ duration }) => clockOf(duration), { card: 'plain' }),
    column.figure(
      'consumption',
      t('Consumption (kWh)'),
      (event) => (
        <>
          <Consumption {...event} />
          {phone && ' kWh'}
        </>
      ),
      { card: 'plain' },
    ),
  ]
}

type Props = { eventType: EventType | undefined; onEventType: (eventType: EventType) => void }

/** The newest activations of the FCR or the FRR markets. */
export const EventsCard = ({ eventType, onEventType }: Props) => {
  const phone = usePhone()
  const query = useCall(dashboardEvents, {
    sent: {
      query: {
        ...(eventType ? { eventType } : {}),
        leastDeltaLoad: minDeltaLoadPercent,
        limit: phone ? phoneRows : rows,
      },
    },
    refetchIntervalMs: rereadMs,
  })
  const { data } = query
  const simulated = simulatedOf(data?.events.map((event) => event.simulated) ?? [])
  const simulatedText = simulated && simulatedWords(simulated)
  const visibleType = eventType ?? data?.eventType ?? 'fcr_based'
  const groups: { value: EventType; label: string }[] = [
    { value: 'fcr_based', label: t('FCR Markets') },
    { value: 'frr_based', label: t('FRR Markets') },
  ]
  return (
    <ListPanel
      query={query}
      failed={t('The events could not be loaded.')}
      title={t('Events')}
      help="deliveredEvents"
      note={data && (phone && simulatedText ? simulatedText : t('{{n}} today', { n: data.today }))}
      badge={!phone && simulatedText && <Tag kind="outline">{simulatedText}</Tag>}
      tools={
        <>
          <Segments
            label={t('Markets')}
            value={visibleType}
            onChange={onEventType}
            data={phone ? groups.map(({ value }) => ({ value, label: shortNames[value] })) : groups}
          />
          {!phone && (
            <ExportButton
              small
              label={t('Download the events of the last seven days')}
              disabled={!data || data.events.length === 0}
              onExport={fileOf(findEvents, { query: { eventType: visibleType } })}
            />
          )}
        </>
      }
      columns={useColumns(visibleType)}
      rows={data?.events}
      rowKey={({ _id }) => _id}
      emptyReason={t('Activations of your instances will be listed here.')}
    />
  )
}
