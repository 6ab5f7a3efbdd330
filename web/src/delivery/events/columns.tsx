import { type ActivationEvent, eventExport } from '@gridmast/contract/delivery/events.ts'
import { IconChevronRight } from '@tabler/icons-react'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { fileOf } from '#lib/download.ts'
import { usePhone } from '#lib/phone.ts'
import { t } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ExportButton } from '#ui/ExportButton.tsx'
import { Row, TextButton } from '#ui/Layout.tsx'
import { clockOf, Consumption, DeltaLoad, Direction, directionWords, Remarks, Score } from './cells.tsx'
import type { EventRow } from './disturbances.ts'
import classes from './events.module.css'

const Opener = ({ row, opened, onToggle }: { row: EventRow; opened: boolean; onToggle: (id: string) => void }) => (
  <TextButton className={classes.opener} aria-expanded={opened} onClick={() => onToggle(row._id)}>
    <IconChevronRight size={14} stroke={2} aria-hidden />
    {row.instanceName}
    <span className="gm-hidden">{t('of the disturbance {{start}}', { start: startOf(row) })}</span>
  </TextButton>
)

const startOf = ({ startTime }: ActivationEvent) => formatDateTime(Date.parse(startTime))

type Actions = { onDataLog: (event: ActivationEvent) => void; onCommandLog: (event: ActivationEvent) => void }

const action = { strong: true, className: classes.action }

const RowActions = ({ event, onDataLog, onCommandLog }: Actions & { event: ActivationEvent }) => {
  const start = startOf(event)
  return (
    <column.RowActions>
      <ExportButton
        small
        label={t('Download event {{start}}', { start })}
        onExport={fileOf(eventExport, { params: { id: event._id }, query: {} })}
      />
      <TextButton {...action} aria-label={`${t('Command Log')} ${start}`} onClick={() => onCommandLog(event)}>
        {t('Command Log')}
      </TextButton>
      <TextButton {...action} aria-label={`${t('Data Log')} ${start}`} onClick={() => onDataLog(event)}>
        {t('Data Log')}
      </TextButton>
    </column.RowActions>
  )
}

type Options = Actions & {
  /** Several instances in one table. */
  named: boolean
  /** Activated by a set point, not by the frequency. */
  bySetPoint: boolean
  /** Events of several markets. */
  withMarket: boolean
  /** Disturbances whose instances are listed. */
  opened: readonly string[]
  onToggle: (id: string) => void
}

export const useEventColumns = ({
  named,
  bySetPoint,
  withMarket,
  opened,
  onToggle,
  ...actions
}: Options): Columns<EventRow> => {
  const phone = usePhone()
  return [
    column.cell(
      'start',
      t('Start time'),
      (event) => (
        <Row as="span" inline gap={4} nowrap>
          {startOf(event)}
          <Remarks event={event} scored={event.score === null} />
        </Row>
      ),
      { card: 'lead', digits: true },
    ),
    withMarket && column.text('market', t('Market'), ({ market }) => market, { card: 'plain' }),
    named &&
      column.cell(
        'instance',
        t('Instance'),
        (row) =>
          row.parts ? <Opener row={row} opened={opened.includes(row._id)} onToggle={onToggle} /> : row.instanceName,
        { card: 'plain' },
      ),
    column.cell('direction', t('Direction'), ({ direction }) => <Direction direction={direction} />, { card: 'none' }),
    column.figure(
      'deltaLoad',
      t('Delta Load (%)'),
      ({ direction, deltaLoad }) => (
        <>
          {phone && <span className="gm-hidden">{t(directionWords[direction])} </span>}
          <DeltaLoad direction={direction} percent={deltaLoad} plain={named} />
        </>
      ),
      { card: 'corner', hint: t('Highest required power, in percent of the capacity.') },
    ),
    column.number('delivered', t('Delivered (%)'), ({ processedDeltaLoad }) => processedDeltaLoad, {
      decimals: 1,
      extra: true,
      hint: t('Highest delivered power, in percent of the capacity.'),
    }),
    bySetPoint
      ? column.number('extreme', t('Max Setpoint (%)'), ({ maxSetPoint }) => maxSetPoint, { decimals: 1 })
      : column.number('extreme', t('Max frequency (Hz)'), ({ maxFrequency }) => maxFrequency, {
          decimals: 2,
          hint: t('Lowest for increased, highest for decreased.'),
        }),
    column.figure('duration', t('Duration'), ({ duration }) => clockOf(duration), {
      hint: t('From the start to the end of the activation.'),
    }),
    column.figure('consumption', t('Consumption (kWh)'), (event) => <Consumption {...event} />, {
      hint: t('Metered, or estimated from the measured power.'),
    }),
    column.figure('score', t('Score'), (event) => <Score {...event} />, {
      card: 'plain',
      hint: t('Quality of the delivery, 0 to 100.'),
    }),
    column.number('capacity', t('Capacity used (kW)'), ({ capacityKw }) => capacityKw, {
      decimals: 1,
      extra: true,
      hint: t('Capacity used for the percentages and the score.'),
    }),
    column.figure('actions', t('Actions'), (row) => (row.parts ? null : <RowActions event={row} {...actions} />), {
      card: 'actions',
      omitWhen: ({ parts }) => parts !== undefined,
    }),
  ]
}
