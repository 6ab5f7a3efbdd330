import { chargingStatement } from '@gridmast/contract/charging/charging-costs.ts'
import { addDecimals, formatNumber, multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { formatDateTime, minuteMs, monthBounds } from '@gridmast/contract/time.ts'
import { type Nullable, sql } from 'kysely'
import { findUncounted, type Uncounted, isDoubted } from '#charging/ledger/session-energy.ts'
import { thousandths } from './session-cost.ts'
import { route } from '#context.ts'
import { monthText, type StatementKind } from '#people/letters/monthly-statement.ts'
import * as block from '#platform/files/document.ts'
import type { PrintedColumn, Block, Document } from '#platform/files/document.ts'
import type { Tx } from '#platform/records/records.ts'
import * as column from '#platform/files/columns.ts'
import { sqlRows, getRow, type RowOf, selectRows } from '#platform/records/rows.ts'
import { type Column, tableFile, type TableFile } from '#platform/files/table-file.ts'
import { aboutData } from '#readings/file.ts'
import { words } from './words.ts'

type Line = RowOf<'charger_transaction', 'started_at' | 'ended_at' | 'tag' | 'estimated'> &
  Nullable<RowOf<'charging_cost', 'driver_dkk' | 'g_co2'>> & {
    charger: string
    tag_name: string | null
    is_open: boolean
    is_doubted: boolean
    wh: string | null
    dkk: string | null
    simulated: boolean
  }

const findLines = async (tx: Tx, customerId: string, month: string, groupId: string | undefined): Promise<Line[]> => {
  const { fromMs, toMs } = monthBounds(month)
  const group = groupId ? sql`t.group_id = ${groupId}` : sql`t.group_id is null`
  const rows = await sqlRows<Line>(tx)`
    select s.started_at, s.ended_at, c.name as charger, case when s.mode = 'remote' and s.tag_id is null then null else s.tag end as tag, t.name as tag_name,
      s.state in ('starting', 'active') as is_open, ${isDoubted} as is_doubted, s.estimated, c.simulated,
      coalesce(s.consumption_wh, (select sum(w) from unnest(k.wh) w))::text as wh,
      round(k.spot_dkk + k.tariff_dkk + k.tax_dkk, 2)::text as dkk, round(k.driver_dkk, 2)::text as driver_dkk, k.g_co2::text
    from charger_transaction s
      join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
      left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id
      left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
    where s.customer_id = ${customerId} and not s.refused and s.started_at >= ${new Date(fromMs)} and s.started_at < ${new Date(toMs)} and ${group}
    order by s.started_at, s.transaction_id`
  return rows
}

const getNames = async (tx: Tx, customerId: string, groupId: string | undefined) => {
  const { name: company } = await selectRows(tx, customerId, 'customer').select('name').executeTakeFirstOrThrow()
  if (!groupId) return { company, group: null }
  const group = await getRow(tx, customerId, 'charger_tag_group', { group_id: groupId }, ['name'])
  return { company, group: group.name }
}

type Summed = 'wh' | 'dkk' | 'driver_dkk' | 'g_co2'
const sumOf = (lines: readonly Line[], column: Summed): string | null => {
  const values = lines.flatMap((line) => line[column] ?? [])
  return values.length > 0 ? addDecimals(...values) : null
}

const money = (text: string | null): string =>
  formatNumber(text === null ? null : roundDecimal(text, 2), { decimals: 2 })
const thousandth = (text: string | null): string | null => (text === null ? null : multiplyDecimals(text, '0.001'))
const kwhText = (wh: string | null): string => formatNumber(thousandth(wh), { decimals: 3 })
const kgText = (grams: string | null): string => formatNumber(thousandth(grams), { decimals: 1 })

type Words = (typeof words)['en']

const sumColumns = <Row>(w: Words, linesOf: (row: Row) => readonly Line[]): PrintedColumn<Row>[] => [
  block.number(w.kwh, 1.2, (row) => kwhText(sumOf(linesOf(row), 'wh'))),
  block.number(w.dkk, 1.2, (row) => money(sumOf(linesOf(row), 'dkk'))),
  block.number(w.pays, 1.2, (row) => money(sumOf(linesOf(row), 'driver_dkk'))),
  block.number(w.kgCo2, 1.2, (row) => kgText(sumOf(linesOf(row), 'g_co2'))),
]

const tagText = ({ tag, tag_name }: Line, w: Words) => tag_name ?? tag ?? w.none

const durationText = ({ started_at, ended_at }: Line): string => {
  if (!ended_at) return formatNumber(null)
  const minutes = Math.round((ended_at.getTime() - started_at.getTime()) / minuteMs)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

function* warnings(lines: readonly Line[], uncounted: Uncounted, w: Words): Generator<Block> {
  const simulated = simulatedOf(lines.map((line) => line.simulated))
  if (simulated) yield block.warning(simulated === 'part' ? w.partlySimulated : w.simulated)
  const running = lines.filter(({ is_open }) => is_open).length
  if (running > 0) yield block.warning(w.running(running))
  const { doubted, refused } = uncounted
  if (doubted.sessions > 0) yield block.warning(w.doubted(doubted.sessions, formatNumber(doubted.kwh, { decimals: 3 })))
  if (refused.sessions > 0) yield block.warning(w.refused(refused.sessions, formatNumber(refused.kwh, { decimals: 3 })))
  const silent = lines.filter(({ wh, is_doubted }) => wh === null && !is_doubted).length
  if (silent > 0) yield block.warning(w.unknownEnergy(silent))
  const charged = lines.filter(({ wh }) => wh !== null && Number(wh) > 0)
  const unpriced = charged.filter(({ dkk }) => dkk === null)
  if (unpriced.length > 0) yield block.warning(w.unknownCost(kwhText(sumOf(unpriced, 'wh'))))
  const unbilled = charged.filter(({ driver_dkk }) => driver_dkk === null)
  if (unbilled.length > 0 && unbilled.length < charged.length)
    yield block.warning(w.unbilled(kwhText(sumOf(unbilled, 'wh'))))
}

const printedSessions = 2000

type Group = { name: string; lines: readonly Line[] }

const groupColumns = (w: Words): PrintedColumn<Group>[] => [
  block.column(w.tag, 3, ({ name }) => name),
  block.number(w.sessions, 1, ({ lines }) => String(lines.length)),
  ...sumColumns<Group>(w, ({ lines }) => lines),
]

const sessionColumns = (w: Words): PrintedColumn<Line>[] => [
  block.column(w.start, 1.9, (line) => `${formatDateTime(line.started_at.getTime())}${line.estimated ? ' *' : ''}`),
  block.column(w.charger, 2, (line) => line.charger),
  block.column(w.tag, 2, (line) => tagText(line, w)),
  block.number(w.minutes, 1, durationText),
  ...sumColumns<Line>(w, (line) => [line]),
]

type Printed = { lines: readonly Line[]; uncounted: Uncounted; title: string; under: string }

function* blocks({ lines, uncounted, title, under }: Printed, w: Words): Generator<Block> {
  yield block.title(title, under)
  yield block.figures(
    [w.sessions, String(lines.length), ''],
    [w.energy, kwhText(sumOf(lines, 'wh')), 'kWh'],
    [w.cost, money(sumOf(lines, 'dkk')), 'DKK'],
    [w.driver, money(sumOf(lines, 'driver_dkk')), 'DKK'],
    [w.co2, kgText(sumOf(lines, 'g_co2')), 'kg'],
  )
  yield* warnings(lines, uncounted, w)
  const groups = [...Map.groupBy(lines, (line) => tagText(line, w))]
    .map(([name, of]): Group => ({ name, lines: of }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'da'))
  yield block.heading(w.byTag)
  yield block.table(groups, groupColumns(w), { name: w.total, lines })
  yield block.heading(w.bySession)
  yield block.table(lines.slice(0, printedSessions), sessionColumns(w))
  if (lines.length > printedSessions) yield block.quiet(w.more(lines.length - printedSessions))
  if (lines.some(({ estimated }) => estimated)) yield block.quiet(w.estimatedMark)
  yield block.heading(w.method)
  yield* w.methodText.map(block.text)
}

const columns: Column<Line>[] = [
  column.instant('Start', (line) => line.started_at),
  column.instant('End', (line) => line.ended_at),
  column.text('Charger', (line) => line.charger, 24),
  column.text('Tag', (line) => line.tag, 22),
  column.text('Tag name', (line) => line.tag_name, 24),
  column.kwh('Energy', (line) => thousandths(line.wh)),
  column.dkk('Cost', (line) => line.dkk),
  column.dkk('Driver pays', (line) => line.driver_dkk),
  column.number('Emission (kg CO2)', 3, (line) => thousandths(line.g_co2)),
  column.text('Estimated', (line) => (line.estimated ? 'yes' : 'no')),
]

type About = { company: string; group: string | null; month: string; uncounted: Uncounted; nowMs: number }

const documentOf = (lines: readonly Line[], about: About, language: Language, fileName: string): Document => {
  const { company, group, month, uncounted, nowMs } = about
  const w = words[language]
  const under = `${company} · ${monthText(month)}`
  return {
    fileName,
    language,
    madeAt: new Date(nowMs),
    title: `${w.title}, ${group ?? w.noGroup}`,
    foot: `${w.createdAt(formatDateTime(nowMs))} · Gridmast`,
    blocks: [...blocks({ lines, uncounted, title: `${w.title}: ${group ?? w.noGroup}`, under }, w)],
  }
}

const fileOf = (lines: readonly Line[], { company, group, month, nowMs }: About, fileName: string): TableFile => {
  const about = {
    Company: company,
    Group: group ?? 'None',
    Month: month,
    Made: new Date(nowMs).toISOString(),
    ...aboutData(simulatedOf(lines.map(({ simulated }) => simulated))),
  }
  return tableFile({ fileName, sheet: 'Sessions', about }, columns, lines)
}

type StatementQuery = { month: string; groupId: string | undefined; nowMs: number }
const read = async (tx: Tx, customerId: string, { month, groupId, nowMs }: StatementQuery) => {
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

export const monthlyCharging: StatementKind = {
  kind: 'charging',
  make: async (own, { customerId, month, subjectId, nowMs }) => {
    const query = { month, groupId: subjectId ?? undefined, nowMs }
    const { lines, about, fileName } = await own((tx) => read(tx, customerId, query))
    if (lines.length === 0) return null
    return (language) => ({
      document: documentOf(lines, about, language, fileName),
      file: fileOf(lines, about, fileName),
    })
  },
}
