import { type ActivationEvent, eventExport } from '@gridmast/contract/delivery/events.ts'
import { IconChevronRight } from '@tabler/icons-react'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { downloadCall } from '#lib/download.ts'
import { usePhone } from '#lib/phone.ts'
import { t } from '#lib/i18n.ts'
import type { Column } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Row } from '#ui/Layout.tsx'
import { Consumption, DeltaLoad, Direction, Remarks, Score } from './cells.tsx'
import type { EventRow } from './disturbances.ts'
import { clockOf, directionWords } from './event-words.ts'
import classes from './events.module.css'
import type { ChoosableColumn } from './shown-columns.ts'

/** Opens the instances of a disturbance. */
const Opener = ({ row, opened, onToggle }: { row: EventRow; opened: boolean; onToggle: (id: string) => void }) => (
  <button type="button" className={classes.opener} aria-expanded={opened} onClick={() => onToggle(row._id)}>
    <IconChevronRight size={14} stroke={2} aria-hidden />
    {row.instanceName}
    <span className="gm-hidden">{t('of the disturbance {{start}}', { start: startOf(row) })}</span>
  </button>
)

const startOf = ({ startTime }: ActivationEvent) => formatDateTime(Date.parse(startTime))

type Acts = { onDataLog: (event: ActivationEvent) => void; onCommandLog: (event: ActivationEvent) => void }

const RowActions = ({ event, onDataLog, onCommandLog }: Acts & { event: ActivationEvent }) => {
  const start = startOf(event)
  return (
    <span className={classes.acts}>
      <ExportButton
        small
        label={t('Download event {{start}}', { start })}
        onExport={(format) =>
          downloadCall(
            eventExport,
            { params: { id: event._id }, query: { format } },
            `${event.market} ${event.instanceName} ${start}.${format}`,
          )
        }
      />
      <button type="button" aria-label={`${t('Command Log')} ${start}`} onClick={() => onCommandLog(event)}>
        {t('Command Log')}
      </button>
      <button type="button" data-main aria-label={`${t('Data Log')} ${start}`} onClick={() => onDataLog(event)}>
        {t('Data Log')}
      </button>
    </span>
  )
}

type Options = Acts & {
  shown: readonly ChoosableColumn[]
  /** Several instances in one table. */
  named: boolean
  /** Called by a set point, not by the frequency. */
  bySetPoint: boolean
  /** Events of several markets. */
  withMarket: boolean
  /** Disturbances whose instances are listed. */
  opened: readonly string[]
  onToggle: (id: string) => void
}

export const useEventColumns = ({
  shown,
  named,
  bySetPoint,
  withMarket,
  opened,
  onToggle,
  ...acts
}: Options): Column<EventRow>[] => {
  const phone = usePhone()
  const right = 'right' as const
  const choosable: Record<ChoosableColumn, Omit<Column<EventRow>, 'key'>> = {
    deltaLoad: {
      title: t('Delta Load (%)'),
      align: right,
      corner: true,
      cell: ({ direction, deltaLoad }) => (
        <>
          {phone && <span className="gm-hidden">{t(directionWords[direction])} </span>}
          <DeltaLoad direction={direction} percent={deltaLoad} plain={named} />
        </>
      ),
    },
    delivered: {
      title: t('Delivered (%)'),
      align: right,
      cell: ({ processedDeltaLoad }) => formatNumber(processedDeltaLoad, { decimals: 1 }),
    },
    extreme: bySetPoint
      ? {
          title: t('Max Setpoint (%)'),
          align: right,
          cell: ({ maxSetPoint }) => formatNumber(maxSetPoint, { decimals: 1 }),
        }
      : {
          title: t('Max frequency (Hz)'),
          hint: t('The lowest for increased, the highest for decreased.'),
          align: right,
          cell: ({ maxFrequency }) => formatNumber(maxFrequency, { decimals: 2 }),
        },
    duration: { title: t('Duration'), align: right, cell: ({ duration }) => clockOf(duration) },
    consumption: { title: t('Consumption (kWh)'), align: right, cell: (event) => <Consumption {...event} /> },
    score: {
      title: t('Score'),
      align: right,
      plain: phone,
      cell: (event) => <Score {...event} />,
    },
    capacity: {
      title: t('Capacity used (kW)'),
      align: right,
      cell: ({ capacityKw }) => formatNumber(capacityKw, { decimals: 1 }),
    },
  }
  return [
    {
      key: 'start',
      title: t('Start time'),
      digits: true,
      lead: true,
      cell: (event) => (
        <Row as="span" inline gap={4} nowrap>
          {startOf(event)}
          <Remarks event={event} scored={event.score === null && shown.includes('score')} />
        </Row>
      ),
    },
    ...(withMarket ? [{ key: 'market', title: t('Market'), plain: true, cell: ({ market }: EventRow) => market }] : []),
    ...(named
      ? [
          {
            key: 'instance',
            title: t('Instance'),
            plain: true,
            cell: (row: EventRow) =>
              row.parts ? <Opener row={row} opened={opened.includes(row._id)} onToggle={onToggle} /> : row.instanceName,
          },
        ]
      : []),
    {
      key: 'direction',
      title: t('Direction'),
      plain: true,
      // On a card it is the arrow of the corner.
      saysNothing: () => true,
      cell: ({ direction }) => <Direction direction={direction} />,
    },
    ...shown.map((key) => ({ key, ...choosable[key] })),
    {
      key: 'actions',
      title: t('Actions'),
      align: right,
      acts: true,
      saysNothing: ({ parts }) => parts !== undefined,
      cell: (row) => (row.parts ? null : <RowActions event={row} {...acts} />),
    },
  ]
}
