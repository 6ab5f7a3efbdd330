import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { invalid } from '#platform/http/errors.ts'
import type { Instead, Own } from '#platform/http/route.ts'
import { rowPages } from '#platform/records/row-pages.ts'
import type { Cell } from '#platform/files/table-file.ts'
import { type EventRow, type Filter, findEvents, findMarkets, sumUpEvents } from './queries.ts'
import { decidingFigure, slopeOf, toOutcome } from './to-event.ts'

/** Without the noise of binary arithmetic. */
const measured = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(6)))

async function* rowsOf(own: Own['own'], filter: Filter): AsyncGenerator<Cell[]> {
  const rows = rowPages<EventRow>((page) => own((tx, customerId) => findEvents(tx, customerId, filter, page)))
  for await (const row of rows) {
    const { score, slope } = decidingFigure({ ...row, slope: slopeOf(toOutcome(row.outcome)) })
    yield [
      row.market,
      row.instance_name,
      row.direction,
      row.started_at,
      row.ended_at,
      row.duration_s,
      ...[row.delta_load, row.processed_delta_load, row.extreme_hz, row.max_set_point, row.consumption_kwh].map(
        measured,
      ),
      row.consumption_kwh === null ? null : row.consumption_estimated ? 'Yes' : 'No',
      row.capacity_kw,
      score,
      measured(slope),
      row.verdict,
      row.source === 'edge' ? 'Edge, no telemetry' : row.simulated ? 'Simulated' : 'Telemetry',
    ]
  }
}

/** All activations of a filter, newest first, in constant memory. */
export const eventsFile = async (
  own: Own['own'],
  filter: Filter,
  { startDate, endDate }: { startDate: string; endDate: string },
): Promise<Instead> => {
  const { count } = await own(async (tx, customerId) => {
    await findMarkets(tx, customerId, filter)
    return sumUpEvents(tx, customerId, filter)
  })
  if (count >= limits.exportRows) throw invalid({ endDate: m.exportTooLarge(limits.exportRows) })
  const number = (header: string, digits = 2) => ({ header, numberFormat: `#,##0.${'0'.repeat(digits)}` })
  return {
    file: {
      fileName: `Activation events ${startDate} ${endDate}`,
      sheet: 'Events',
      about: { Period: `${formatDate(startDate)} to ${formatDate(endDate)}` },
      columns: [
        { header: 'Market' },
        { header: 'Instance' },
        { header: 'Direction' },
        { header: 'Start', holds: 'instants' as const },
        { header: 'End', holds: 'instants' as const },
        number('Duration (s)', 1),
        number('Delta load (%)'),
        number('Delivered (%)'),
        number('Max frequency (Hz)', 3),
        number('Max set point (%)'),
        number('Consumption (kWh)', 3),
        { header: 'Consumption is estimated' },
        number('Capacity (kW)', 3),
        number('Score', 1),
        number('Slope'),
        { header: 'Verdict' },
        { header: 'Measured by' },
      ],
      rows: rowsOf(own, filter),
    },
  }
}
