import { setImmediate as nextTurn } from 'node:timers/promises'
import { energyPriced } from '@gridmast/contract/bid-slots.ts'
import {
  addDecimals,
  compareDecimals,
  formatNumber,
  multiplyDecimals,
  ratioOfDecimals,
  roundDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { formatDate, formatDateTime, type LocalMonth, monthBounds } from '@gridmast/contract/time.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import type { MonthlyStatement, StatementKind } from '#people/letters/monthly-statement.ts'
import type { Block, Document, TableColumn } from '#platform/files/document.ts'
import type { Cell, Column, TableFile } from '#platform/files/table-file.ts'
import { findMonth, getCompany, type SettledMonth, type SettledRow } from './queries.ts'
import { type StatementVersion, versionOf } from './versions.ts'
import { words } from './words.ts'

/** A month of settlements on paper and as a sheet, with the version of each that it is made of. */

type Words = (typeof words)['en']
type Content = SettledMonth & {
  company: string
  month: LocalMonth
  /** Null while the month runs. */
  version: StatementVersion | null
  nowMs: number
}

/** So many changes are named on paper; the sheet marks them all. */
const mostChanges = 30

/** Exact sum of what is known; null where nothing is. */
const sumOf = (amounts: readonly (string | null)[]): string | null => {
  const known = amounts.filter((eur) => eur !== null)
  return known.length > 0 ? roundDecimal(sumDecimals(known), 2) : null
}
const enablersOf = ({ enablers }: SettledRow) => enablers && addDecimals('0', ...Object.values(enablers))
const money = (eur: string | null) => formatNumber(eur, { decimals: 2 })

/** Market paid for activated energy, something was won, and what was earned is not known. */
const lacksEnergy = ({ market, won_mw, energy_eur }: SettledRow) =>
  energyPriced(market) && energy_eur === null && compareDecimals(won_mw, '0') > 0

/** Where something is not known, bids that were lost say nothing of the rest. */
const energyOf = (rows: readonly SettledRow[]): string | null => {
  const priced = rows.filter(({ market }) => energyPriced(market))
  const isKnown = priced.every(({ energy_eur }) => energy_eur !== null)
  const said = isKnown ? rows : rows.filter(({ won_mw }) => compareDecimals(won_mw, '0') > 0)
  return sumOf(said.map(({ energy_eur }) => energy_eur))
}

/** Of the gross: the partner's, the SC's and the enablers' shares together. */
const othersOf = (row: SettledRow): (string | null)[] => [row.partner_eur, row.sc_eur, enablersOf(row)]

const amounts: ((rows: readonly SettledRow[]) => string | null)[] = [
  (rows) => sumOf(rows.map((row) => row.capacity_eur)),
  (rows) => sumOf(rows.map((row) => row.penalty_eur)),
  (rows) => sumOf(rows.map((row) => row.gross_eur)),
  (rows) => sumOf(rows.map((row) => row.customer_eur)),
  (rows) => sumOf(rows.flatMap(othersOf)),
  energyOf,
]

/** A month may be 50,000 settlements: other requests come in between. */
const amountsOf = async (rows: readonly SettledRow[]): Promise<string[]> => {
  const texts: string[] = []
  for (const amountOf of amounts) {
    texts.push(money(amountOf(rows)))
    await nextTurn()
  }
  return texts
}

const linesOf = async <T>(groups: Iterable<T>, lineOf: (group: T) => Promise<string[]>): Promise<string[][]> => {
  const lines: string[][] = []
  for (const group of groups) lines.push(await lineOf(group))
  return lines
}

const amountColumns = (w: Words): TableColumn[] =>
  [w.capacity, w.penalty, w.gross, w.customer, w.others, w.energyColumn].map((header) => ({
    header,
    share: 1.25,
    isNumber: true,
  }))

/** Whose the gross is; what has no contract is nobody's. */
const sharesOf = (rows: readonly SettledRow[], w: Words): string[][] => {
  const shared = rows.filter(({ customer_eur }) => customer_eur !== null)
  const gross = sumOf(shared.map(({ gross_eur }) => gross_eur)) ?? '0'
  const names = [...new Set(shared.flatMap(({ enablers }) => Object.keys(enablers ?? {})))].toSorted()
  const shares: [string, (string | null)[]][] = [
    [w.you, shared.map((row) => row.customer_eur)],
    [w.partner, shared.map((row) => row.partner_eur)],
    ['SC', shared.map((row) => row.sc_eur)],
    ...names.map((name): [string, (string | null)[]] => [name, shared.map(({ enablers }) => enablers?.[name] ?? null)]),
  ]
  return shares.map(([name, amounts]) => {
    const eur = sumOf(amounts)
    const share = eur && ratioOfDecimals(multiplyDecimals(eur, '100'), gross, 2)
    return [name, money(eur), share ? `${formatNumber(share, { decimals: 2, minDecimals: 0 })} %` : formatNumber(null)]
  })
}

function* warnings({ rows, unsettledDays, month, nowMs }: Content, w: Words): Generator<Block> {
  const warning = (text: string): Block => ({ kind: 'text', text, tone: 'warning' })
  const count = (is: (row: SettledRow) => boolean) => rows.filter(is).length
  if (rows.some(({ simulated }) => simulated)) yield warning(w.simulated)
  if (monthBounds(month).toMs > nowMs) yield warning(w.running)
  if (unsettledDays > 0) yield warning(w.unsettledDays(unsettledDays))
  const unpublished = count(({ is_result_fetched }) => !is_result_fetched)
  if (unpublished > 0) yield warning(w.unpublished(unpublished))
  const open = count(({ is_closed }) => !is_closed)
  if (open > 0) yield warning(w.open(open))
  const unshared = rows.filter(({ gross_eur, customer_eur }) => gross_eur !== null && customer_eur === null)
  if (unshared.length > 0)
    yield warning(w.unshared(unshared.length, money(sumOf(unshared.map(({ gross_eur }) => gross_eur)))))
  const energy = count(lacksEnergy)
  if (energy > 0) yield warning(w.unknownEnergy(energy))
  if (!rows.some(({ market }) => energyPriced(market))) yield { kind: 'text', text: w.noEnergy, tone: 'quiet' }
}

/** What differs from the version that it is compared with. */
function* changes({ version }: Content, w: Words): Generator<Block> {
  if (!version?.previous) return
  const { previous, changes: all } = version
  const { instance, product, day } = w
  const at = formatDateTime(previous.madeAt.getTime())
  yield { kind: 'heading', text: w.changes(previous.version) }
  yield { kind: 'text', text: w.replaces({ ...previous, at }, version.version, all.length) }
  const number = (header: string): TableColumn => ({ header, share: 1.3, isNumber: true })
  yield {
    kind: 'table',
    columns: [
      { header: day, share: 1.4 },
      { header: instance, share: 2 },
      { header: product, share: 1.5 },
      number(w.grossBefore),
      number(w.gross),
      number(w.customerBefore),
      number(w.customer),
    ],
    rows: all
      .slice(0, mostChanges)
      .map((one) => [
        formatDate(one.day),
        one.instance,
        one.product,
        ...[one.before?.gross, one.after?.gross, one.before?.customer, one.after?.customer].map((eur) =>
          money(eur ?? null),
        ),
      ]),
  }
  if (all.length > mostChanges) yield { kind: 'text', text: w.moreChanges(all.length - mostChanges), tone: 'quiet' }
}

async function* blocks(content: Content, w: Words): AsyncGenerator<Block> {
  const { rows, company, month } = content
  const { fromMs, toMs } = monthBounds(month)
  const energy = energyOf(rows)
  const total = await amountsOf(rows)
  const eur = (label: string, amount: string | null) => ({ label, value: money(amount), unit: 'EUR' })
  yield { kind: 'title', text: w.title, under: `${company} · ${formatDate(fromMs)} – ${formatDate(toMs - 1)}` }
  yield {
    kind: 'figures',
    figures: [
      eur(w.customer, sumOf(rows.map((row) => row.customer_eur))),
      eur(w.gross, sumOf(rows.map((row) => row.gross_eur))),
      eur(w.penalty, sumOf(rows.map((row) => row.penalty_eur))),
      eur(energy !== null && rows.some(lacksEnergy) ? w.energyPartly : w.energy, energy),
    ],
  }
  yield* warnings(content, w)
  yield* changes(content, w)
  yield { kind: 'heading', text: w.byProduct }
  const byProduct = [...Map.groupBy(rows, (row) => `${row.instance_name}\n${row.product}`).values()]
  yield {
    kind: 'table',
    isSummed: true,
    columns: [{ header: w.instance, share: 2.2 }, { header: w.product, share: 1.5 }, ...amountColumns(w)],
    rows: [
      ...(await linesOf(byProduct, async (of) => [
        of[0]?.instance_name ?? '',
        of[0]?.product ?? '',
        ...(await amountsOf(of)),
      ])),
      [w.total, '', ...total],
    ],
  }
  yield { kind: 'heading', text: w.shares }
  yield {
    kind: 'table',
    columns: [
      { header: w.whose, share: 2 },
      { header: 'EUR', share: 1, isNumber: true },
      { header: w.ofGross, share: 1, isNumber: true },
    ],
    rows: sharesOf(rows, w),
  }
  yield { kind: 'heading', text: w.byDay }
  const byDay = [...Map.groupBy(rows, ({ day }) => day)].toSorted(([a], [b]) => a.localeCompare(b))
  yield {
    kind: 'table',
    isSummed: true,
    columns: [{ header: w.day, share: 1.5 }, ...amountColumns(w)],
    rows: [
      ...(await linesOf(byDay, async ([day, of]) => [formatDate(day), ...(await amountsOf(of))])),
      [w.total, ...total],
    ],
  }
  yield { kind: 'heading', text: w.versions }
  const byVersion = [...Map.groupBy(rows, ({ version }) => version)].toSorted(([a], [b]) => a - b)
  yield {
    kind: 'table',
    columns: [
      { header: w.version, share: 1 },
      { header: w.settlements, share: 1, isNumber: true },
      { header: w.newest, share: 3 },
    ],
    rows: byVersion.map(([version, of]) => [
      String(version),
      String(of.length),
      formatDateTime(of.reduce((newest, { made_at }) => Math.max(newest, made_at.getTime()), 0)),
    ]),
  }
  if (content.version) {
    const { version, madeAt, sha256, isDraft } = content.version
    const text = (isDraft ? w.draftVersion : w.thisVersion)(version, formatDateTime(madeAt.getTime()), sha256)
    yield { kind: 'text', text, tone: 'quiet' }
  }
  yield { kind: 'heading', text: w.method }
  for (const text of w.methodText) yield { kind: 'text', text }
}

const euro = (header: string): Column => ({ header: `${header} (€)`, numberFormat: '#,##0.00' })
const columns: Column[] = [
  { header: 'Date', holds: 'days' as const },
  { header: 'Instance' },
  { header: 'Type' },
  { header: 'Won (MW)', numberFormat: '#,##0.000' },
  ...['Capacity', 'Penalty', 'Gross', 'Customer', 'Partner', 'SC', 'Enablers', 'Energy'].map(euro),
  { header: 'Results published' },
  { header: 'Day is over' },
  { header: 'Version' },
  { header: 'Settled', holds: 'instants' },
  { header: 'Changed' },
]
const number = (text: string | null): number | null => (text === null ? null : Number(text))
const cellsOf = (row: SettledRow, change: string): Cell[] => [
  row.day,
  row.instance_name,
  row.product,
  number(row.won_mw),
  ...[row.capacity_eur, row.penalty_eur, row.gross_eur, row.customer_eur].map(number),
  ...[row.partner_eur, row.sc_eur, enablersOf(row), row.energy_eur].map(number),
  row.is_result_fetched ? 'Yes' : 'No',
  row.is_closed ? 'Yes' : 'No',
  row.version,
  row.made_at,
  change,
]

const documentOf = async (content: Content, language: Language, fileName: string): Promise<Document> => {
  const w = words[language]
  const said: Block[] = []
  for await (const block of blocks(content, w)) {
    said.push(block)
    await nextTurn()
  }
  const { version } = content
  const madeAt = version?.madeAt ?? new Date(content.nowMs)
  return {
    fileName,
    language,
    madeAt,
    title: `${w.title} ${content.month}`,
    foot: `${w.made(formatDateTime(madeAt.getTime()))}${version ? ` · ${w.version} ${version.version}${version.isDraft ? ` (${w.draft})` : ''}` : ''} · Gridmast`,
    blocks: said,
  }
}

const rowKey = (instance: string, product: string, day: string) => `${instance} ${product} ${day}`

function* cellRows(rows: readonly SettledRow[], changed: ReadonlyMap<string, string>): Generator<Cell[]> {
  for (const row of rows) yield cellsOf(row, changed.get(rowKey(row.instance_id, row.product, row.day)) ?? '')
}

const fileOf = ({ company, month, rows, unsettledDays, version, nowMs }: Content, fileName: string): TableFile => {
  const changed = new Map(
    version?.changes.flatMap(({ before, after }) =>
      after ? [[rowKey(after.instanceId, after.product, after.day), before ? 'Changed' : 'New']] : [],
    ),
  )
  const simulated = simulatedOf(rows.map((row) => row.simulated))
  return {
    fileName,
    sheet: 'Settlements',
    about: {
      Company: company,
      Month: month,
      ...(unsettledDays > 0 && { 'Days not settled yet': String(unsettledDays) }),
      Made: (version?.madeAt ?? new Date(nowMs)).toISOString(),
      ...(version && {
        'Statement version': `${version.version}${version.isDraft ? ' (draft)' : ''}`,
        'SHA-256': version.sha256,
      }),
      ...(version?.previous && { 'Changed since version': String(version.previous.version) }),
      ...(simulated && { Data: simulated === 'part' ? 'Partly simulated' : 'Simulated' }),
    },
    columns,
    rows: cellRows(rows, changed),
  }
}

export const settlementStatement: StatementKind = {
  kind: 'settlement',
  make: async (own, { customerId, month, nowMs, isMailed }) => {
    const { rows, unsettledDays } = await findMonth(own, customerId, month)
    if (rows.length === 0) return null
    const company = await own((tx) => getCompany(tx, customerId))
    const version = await versionOf(own, { customerId, month }, { company, rows, nowMs, isMailed })
    const content = { company, month, rows, unsettledDays, version, nowMs }
    const fileName = `Settlements ${month}`
    return async (language): Promise<MonthlyStatement> => ({
      document: await documentOf(content, language, fileName),
      file: fileOf(content, fileName),
      unsettledDays,
      ...(version && { version: version.version }),
    })
  },
}
