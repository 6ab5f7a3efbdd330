import { formatDate } from '@gridmast/contract/time.ts'
import * as column from '#platform/files/columns.ts'
import { checkFileRows, type Column, tableFile, rowPages } from '#platform/files/table-file.ts'
import type { FileOrReply, Own } from '#platform/http/route.ts'
import { type EventRow, type Filter, findEvents, findMarkets, sumUpEvents } from './queries.ts'
import { decidingFigure, slopeOf, toOutcome } from './to-event.ts'

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(6)))

const figureOf = (row: EventRow) => decidingFigure({ ...row, slope: slopeOf(toOutcome(row.outcome)) })

const columns: Column<EventRow>[] = [
  column.text('Market', (row) => row.market),
  column.text('Instance', (row) => row.instance_name),
  column.text('Direction', (row) => row.direction),
  column.instant('Start', (row) => row.started_at),
  column.instant('End', (row) => row.ended_at),
  column.number('Duration (s)', 1, (row) => row.duration_s),
  column.number('Delta load (%)', 2, (row) => rounded(row.delta_load)),
  column.number('Delivered (%)', 2, (row) => rounded(row.processed_delta_load)),
  column.number('Max frequency (Hz)', 3, (row) => rounded(row.extreme_hz)),
  column.number('Max set point (%)', 2, (row) => rounded(row.max_set_point)),
  column.kwh('Consumption', (row) => rounded(row.consumption_kwh)),
  column.yesNo('Consumption is estimated', (row) => (row.consumption_kwh === null ? null : row.consumption_estimated)),
  column.kw('Capacity', (row) => row.capacity_kw),
  column.number('Score', 1, (row) => figureOf(row).score),
  column.number('Slope', 2, (row) => rounded(figureOf(row).slope)),
  column.text('Verdict', (row) => row.verdict),
  column.text('Measured by', (row) =>
    row.source === 'edge' ? 'Edge, no telemetry' : row.simulated ? 'Simulated' : 'Telemetry',
  ),
]

export const eventsFile = async (
  own: Own['own'],
  filter: Filter,
  { startDate, endDate }: { startDate: string; endDate: string },
): Promise<FileOrReply> => {
  const { count } = await own(async (tx, customerId) => {
    await findMarkets(tx, customerId, filter)
    return sumUpEvents(tx, customerId, filter)
  })
  checkFileRows(count, 'endDate')
  const name = {
    fileName: `Activation events ${startDate} ${endDate}`,
    sheet: 'Events',
    about: { Period: `${formatDate(startDate)} to ${formatDate(endDate)}` },
  }
  const events = rowPages<EventRow>((page) => own((tx, customerId) => findEvents(tx, customerId, filter, page)))
  return { file: tableFile(name, columns, events) }
}
