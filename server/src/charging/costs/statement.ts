import { chargingStatement } from '@gridmast/contract/charging/charging-costs.ts'
import { addDecimals, formatNumber, multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { formatDate, formatDateTime, minuteMs, monthBounds } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { findUncounted, type Uncounted } from '#charging/ledger/attention.ts'
import { isDoubted } from '#charging/ledger/plausible.ts'
import { thousandths } from './stored-cost.ts'
import { route } from '#context.ts'
import type { StatementKind } from '#people/letters/monthly-statement.ts'
import type { Block, Document } from '#platform/files/document.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow, selectRows } from '#platform/records/rows.ts'
import type { Cell, Column, TableFile } from '#platform/files/table-file.ts'
import { type Language, words } from './words.ts'

/** A month of a tag group for those who pay for it. */

type Line = {
  started_at: Date
  ended_at: Date | null
  charger: string
  tag: string | null
  tag_name: string | null
  is_open: boolean
  is_doubted: boolean
  estimated: boolean
  wh: string | null
  dkk: string | null
  driver_dkk: string | null
  g_co2: string | null
  simulated: boolean
}

const findLines = async (tx: Tx, customerId: string, month: string, groupId: string | undefined): Promise<Line[]> => {
  const { fromMs, toMs } = monthBounds(month)
  const group = groupId ? sql`t.group_id = ${groupId}` : sql`t.group_id is null`
  const { rows } = await sql<Line>`
    select s.started_at, s.ended_at, c.name as charger, case when s.mode = 'remote' and s.tag_id is null then null else s.tag end as tag, t.name as tag_name,
      s.state in ('starting', 'active') as is_open, ${isDoubted} as is_doubted, s.estimated, c.simulated,
      coalesce(s.consumption_wh, (select sum(w) from unnest(k.wh) w))::text as wh,
      round(k.spot_dkk + k.tariff_dkk + k.tax_dkk, 2)::text as dkk, round(k.driver_dkk, 2)::text as driver_dkk, k.g_co2::text
    from charger_transaction s
      join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
      left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id
      left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
    where s.customer_id = ${customerId} and not s.refused and s.started_at >= ${new Date(fromMs)} and s.started_at < ${new Date(toMs)} and ${group}
    order by s.started_at, s.transaction_id`.execute(tx)
  return rows
}

const getNames = async (tx: Tx, customerId: string, groupId: string | undefined) => {
  const { name: company } = await selectRows(tx, customerId, 'customer').select('name').executeTakeFirstOrThrow()
  if (!groupId) return { company, group: null }
  const group = await getRow(tx, customerId, 'charger_tag_group', { group_id: groupId }, ['name'])
  return { company, group: group.name }
}

type Summed = 'wh' | 'dkk' | 'driver_dkk' | 'g_co2'
/** Sum of what is known, of money as each line shows it; null where nothing is. */
const sumOf = (lines: readonly Line[], column: Summed): string | null => {
  const known = lines.flatMap((line) => line[column] ?? [])
  return known.length > 0 ? addDecimals(...known) : null
}

const money = (text: string | null): string =>
  formatNumber(text === null ? null : roundDecimal(text, 2), { decimals: 2 })
const thousandth = (text: string | null): string | null => (text === null ? null : multiplyDecimals(text, '0.001'))
const kwhText = (wh: string | null): string => formatNumber(thousandth(wh), { decimals: 3 })
const kgText = (grams: string | null): string => formatNumber(thousandth(grams), { decimals: 1 })

const figures = (lines: readonly Line[]): string[] => [
  kwhText(sumOf(lines, 'wh')),
  money(sumOf(lines, 'dkk')),
  money(sumOf(lines, 'driver_dkk')),
  kgText(sumOf(lines, 'g_co2')),
]

const durationText = ({ started_at, ended_at }: Line): string => {
  if (!ended_at) return formatNumber(null)
  const minutes = Math.round((ended_at.getTime() - started_at.getTime()) / minuteMs)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

function* warnings(lines: readonly Line[], uncounted: Uncounted, w: (typeof words)['en']): Generator<Block> {
  const warning = (text: string): Block => ({ kind: 'text', text, tone: 'warning' })
  const simulated = simulatedOf(lines.map((line) => line.simulated))
  if (simulated) yield warning(simulated === 'part' ? w.partlySimulated : w.simulated)
  const running = lines.filter(({ is_open }) => is_open).length
  if (running > 0) yield warning(w.running(running))
  const { doubted, refused } = uncounted
  if (doubted.sessions > 0) yield warning(w.doubted(doubted.sessions, formatNumber(doubted.kwh, { decimals: 3 })))
  if (refused.sessions > 0) yield warning(w.refused(refused.sessions, formatNumber(refused.kwh, { decimals: 3 })))
  const silent = lines.filter(({ wh, is_doubted }) => wh === null && !is_doubted).length
  if (silent > 0) yield warning(w.unknownEnergy(silent))
  const charged = lines.filter(({ wh }) => wh !== null && Number(wh) > 0)
  const unpriced = charged.filter(({ dkk }) => dkk === null)
  if (unpriced.length > 0) yield warning(w.unknownCost(kwhText(sumOf(unpriced, 'wh'))))
  const unbilled = charged.filter(({ driver_dkk }) => driver_dkk === null)
  if (unbilled.length > 0 && unbilled.length < charged.length) yield warning(w.unbilled(kwhText(sumOf(unbilled, 'wh'))))
}

/** Sessions that are printed one by one; a table takes all. */
const printedSessions = 2000

const numberColumns = (w: (typeof words)['en']) =>
  [w.kwh, w.dkk, w.pays, w.kgCo2].map((header) => ({ header, share: 1.2, isNumber: true }))

type Printed = { lines: readonly Line[]; uncounted: Uncounted; title: string; under: string }

function* blocks({ lines, uncounted, title, under }: Printed, w: (typeof words)['en']): Generator<Block> {
  const [energy = '', cost = '', driver = '', co2 = ''] = figures(lines)
  yield { kind: 'title', text: title, under }
  yield {
    kind: 'figures',
    figures: [
      { label: w.sessions, value: String(lines.length), unit: '' },
      { label: w.energy, value: energy, unit: 'kWh' },
      { label: w.cost, value: cost, unit: 'DKK' },
      { label: w.driver, value: driver, unit: 'DKK' },
      { label: w.co2, value: co2, unit: 'kg' },
    ],
  }
  yield* warnings(lines, uncounted, w)
  const byTag = [...Map.groupBy(lines, ({ tag, tag_name }) => tag_name ?? tag ?? w.none)].toSorted(([a], [b]) =>
    a.localeCompare(b, 'da'),
  )
  yield { kind: 'heading', text: w.byTag }
  yield {
    kind: 'table',
    isSummed: true,
    columns: [{ header: w.tag, share: 3 }, { header: w.sessions, share: 1, isNumber: true }, ...numberColumns(w)],
    rows: [
      ...byTag.map(([name, of]) => [name, String(of.length), ...figures(of)]),
      [w.total, String(lines.length), ...figures(lines)],
    ],
  }
  yield { kind: 'heading', text: w.bySession }
  yield {
    kind: 'table',
    columns: [
      { header: w.start, share: 1.9 },
      { header: w.charger, share: 2 },
      { header: w.tag, share: 2 },
      { header: w.minutes, share: 1, isNumber: true },
      ...numberColumns(w),
    ],
    rows: lines
      .slice(0, printedSessions)
      .map((line) => [
        `${formatDateTime(line.started_at.getTime())}${line.estimated ? ' *' : ''}`,
        line.charger,
        line.tag_name ?? line.tag ?? w.none,
        durationText(line),
        ...figures([line]),
      ]),
  }
  if (lines.length > printedSessions)
    yield { kind: 'text', text: w.more(lines.length - printedSessions), tone: 'quiet' }
  if (lines.some(({ estimated }) => estimated)) yield { kind: 'text', text: w.estimatedMark, tone: 'quiet' }
  yield { kind: 'heading', text: w.method }
  for (const text of w.methodText) yield { kind: 'text', text }
}

const columns: Column[] = [
  { header: 'Start', holds: 'instants' },
  { header: 'End', holds: 'instants' },
  { header: 'Charger', width: 24 },
  { header: 'Tag', width: 22 },
  { header: 'Tag name', width: 24 },
  { header: 'Energy (kWh)', numberFormat: '#,##0.000' },
  { header: 'Cost (DKK)', numberFormat: '#,##0.00' },
  { header: 'Driver pays (DKK)', numberFormat: '#,##0.00' },
  { header: 'Emission (kg CO2)', numberFormat: '#,##0.000' },
  { header: 'Estimated' },
]

const cellOf = (text: string | null): number | null => (text === null ? null : Number(text))
const fileRow = (line: Line): Cell[] => [
  line.started_at,
  line.ended_at,
  line.charger,
  line.tag,
  line.tag_name,
  thousandths(line.wh),
  cellOf(line.dkk),
  cellOf(line.driver_dkk),
  thousandths(line.g_co2),
  line.estimated ? 'yes' : 'no',
]

type About = { company: string; group: string | null; month: string; uncounted: Uncounted; nowMs: number }

const documentOf = (lines: readonly Line[], about: About, language: Language, fileName: string): Document => {
  const { company, group, month, uncounted, nowMs } = about
  const w = words[language]
  const { fromMs, toMs } = monthBounds(month)
  const under = `${company} · ${formatDate(fromMs)} – ${formatDate(toMs - 1)}`
  return {
    fileName,
    language,
    madeAt: new Date(nowMs),
    title: `${w.title}, ${group ?? w.noGroup}`,
    foot: `${w.made(formatDateTime(nowMs))} · Gridmast`,
    blocks: [...blocks({ lines, uncounted, title: `${w.title}: ${group ?? w.noGroup}`, under }, w)],
  }
}

const dataWords = (lines: readonly Pick<Line, 'simulated'>[]): Record<string, string> => {
  const simulated = simulatedOf(lines.map((line) => line.simulated))
  return simulated ? { Data: simulated === 'part' ? 'Partly simulated' : 'Simulated' } : {}
}

const fileOf = (lines: readonly Line[], { company, group, month, nowMs }: About, fileName: string): TableFile => ({
  fileName,
  sheet: 'Sessions',
  columns,
  rows: lines.map(fileRow),
  about: {
    Company: company,
    Group: group ?? 'None',
    Month: month,
    Made: new Date(nowMs).toISOString(),
    ...dataWords(lines),
  },
})

type Asked = { month: string; groupId: string | undefined; nowMs: number }
const read = async (tx: Tx, customerId: string, { month, groupId, nowMs }: Asked) => {
  const { company, group } = await getNames(tx, customerId, groupId)
  const lines = await findLines(tx, customerId, month, groupId)
  const ofGroup = groupId ? sql`t.group_id = ${groupId}` : sql`t.group_id is null`
  const uncounted = await findUncounted(tx, customerId, monthBounds(month), ofGroup)
  return {
    lines,
    about: { company, group, month, uncounted, nowMs },
    fileName: `Charging ${month} ${group ?? 'without group'}`,
  }
}

export const statement = route(chargingStatement, async ({ own, nowMs, query }) => {
  const { month, groupId, format, language } = query
  const { lines, about, fileName } = await own((tx, customerId) => read(tx, customerId, { month, groupId, nowMs }))
  return format === 'pdf'
    ? { document: documentOf(lines, about, language, fileName) }
    : { file: fileOf(lines, about, fileName) }
})

/** The same, mailed by the month. */
export const monthlyCharging: StatementKind = {
  kind: 'charging',
  make: async (own, { customerId, month, subjectId, nowMs }) => {
    const asked = { month, groupId: subjectId ?? undefined, nowMs }
    const { lines, about, fileName } = await own((tx) => read(tx, customerId, asked))
    if (lines.length === 0) return null
    return (language) => ({
      document: documentOf(lines, about, language, fileName),
      file: fileOf(lines, about, fileName),
    })
  },
}
