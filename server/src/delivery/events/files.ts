import type { ExportRow } from '#readings/samples.ts'
import { formatDate, zone } from '@gridmast/contract/time.ts'
import type { Curves } from '#delivery/scoring/measured.ts'
import type { Product } from '#delivery/scoring/products.ts'
import * as column from '#platform/files/columns.ts'
import {
  checkFileRows,
  type Column,
  fileDays,
  tableFile,
  type TableFile,
  rowPages,
} from '#platform/files/table-file.ts'
import type { Own, FileOrReply } from '#platform/http/route.ts'
import type { Readings } from '#readings/readings.ts'
import { type EventRow, type Filter, findEvents, findMarkets, sumUpEvents } from './queries.ts'
import { decidingFigure, figureOf } from './to-event.ts'

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(6)))

const eventColumns: Column<EventRow>[] = [
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
    fileName: `Activation events ${fileDays(startDate, endDate)}`,
    sheet: 'Events',
    about: { Period: `${formatDate(startDate)} to ${formatDate(endDate)}` },
  }
  const events = rowPages<EventRow>((page) => own((tx, customerId) => findEvents(tx, customerId, filter, page)))
  return { file: tableFile(name, eventColumns, events) }
}

/** A scored span; `judge` is called when the rows reach the span, so that one at a time is in memory. */
export type JudgedSpan = {
  fromMs: number
  toMs: number
  judge: () => Promise<Decided & { curves: Curves; sign: 1 | -1; baseKw: number | null }>
}

type Decided = { score: number | null; verdict: string; slope: number | null }

type SecondsFile = {
  fileName: string
  about: Record<string, string>
  triggerNo: number
  powerNo: number | undefined
  product: Product
  fromMs: number
  toMs: number
  judged: readonly JudgedSpan[]
}

const methods: Record<Product['judged']['by'], string> = {
  response:
    'Required = capacity x share of the droop. Base = mean power from 60 to 5 s before the activation. Delivered = base - power. Least = smaller of required and a first-order lag of it. Score = 100 (0.6 energy + 0.3 ramp + 0.1 no overdelivery); delivered from 95, partly from 80',
  band: 'Required = capacity x share of the droop. Each quarter of an hour of UTC by itself: base = offset of the line of power on required. Score = share of seconds between least and most (answers within 15 s, 10 % more, 5 % of the capacity beyond); slope of delivered on required 0.9 to 1.2',
  'set point':
    'Required = capacity x set point. Base = mean power from 60 to 5 s before the activation. Delivered = base - power. Least and most = after 30 s dead time and the linear ramp of the product, or at once, 10 % around (at least 5 % of the capacity). Score = share of seconds inside',
}

type Sample = ExportRow & { span: (JudgedSpan & Awaited<ReturnType<JudgedSpan['judge']>>) | undefined }

async function* samplesOf(readings: Readings, of: SecondsFile): AsyncGenerator<Sample> {
  const { triggerNo, powerNo, fromMs, toMs, judged } = of
  let next = 0
  let span: Sample['span']
  const signalNos = [triggerNo, ...(powerNo === undefined ? [] : [powerNo])]
  for await (const row of readings.exportRows({ signalNos, fromMs, toMs })) {
    while (next < judged.length && (judged[next]?.fromMs ?? Infinity) <= row.tMs) {
      const started = judged[next++]
      span = started && started.toMs > row.tMs ? { ...started, ...(await started.judge()) } : undefined
    }
    if (span && span.toMs <= row.tMs) span = undefined
    yield { ...row, span }
  }
}

const curve = (header: string, name: keyof Curves): Column<Sample> =>
  column.kw(header, ({ tMs, span }) => {
    if (!span) return null
    const { curves, sign } = span
    const kw = curves[name][Math.round((tMs - (curves.x[0] ?? 0)) / 1000)]
    return kw === null || kw === undefined ? null : sign * kw
  })

const secondColumns = ({ trigger }: Product): Column<Sample>[] => [
  column.instant('Time', ({ tMs }) => tMs),
  column.number(trigger === 'frequency' ? 'Frequency (Hz)' : 'Set point (%)', 3, ({ values }) => values[0]),
  column.kw('Power', ({ values }) => values[1]),
  column.kw('Base', ({ span }) => span?.baseKw),
  curve('Required', 'requiredKw'),
  curve('Delivered', 'deliveredKw'),
  curve('Least', 'floorKw'),
  curve('Most', 'ceilingKw'),
  column.number('Score', 1, ({ span }) => span && decidingFigure(span).score),
  column.number('Slope', 2, ({ span }) => span && decidingFigure(span).slope),
  column.text('Verdict', ({ span }) => span?.verdict),
]

export const secondsFile = (readings: Readings, of: SecondsFile): { file: TableFile } => {
  const name = {
    fileName: of.fileName,
    sheet: 'Seconds',
    about: {
      ...of.about,
      Method: methods[of.product.judged.by],
      Signs: 'Power: consumption is positive. Required, delivered, least and most: up-regulation is positive',
      Times: `${zone} and UTC`,
    },
  }
  return { file: tableFile(name, secondColumns(of.product), samplesOf(readings, of)) }
}
