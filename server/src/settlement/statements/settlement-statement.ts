import { setImmediate as nextTurn } from 'node:timers/promises'
import { energyPriced } from '@gridmast/contract/bid-slots.ts'
import {
  compareDecimals,
  formatNumber,
  multiplyDecimals,
  ratioOfDecimals,
  roundDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { formatDate, formatDateTime, type LocalMonth, monthBounds, today } from '@gridmast/contract/time.ts'
import type { Language } from '@gridmast/contract/people/user.ts'
import { type MonthlyStatement, monthText, type StatementKind } from '#people/letters/monthly-statement.ts'
import * as block from '#platform/files/document.ts'
import type { PrintedColumn, Block, Document } from '#platform/files/document.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile, type TableFile } from '#platform/files/table-file.ts'
import { aboutData } from '#readings/file.ts'
import { findMonth, getCompany, type SettledMonth, type MonthSettlement } from './queries.ts'
import { keyOf, type StatementVersion, versionOf } from './versions.ts'
import { words } from './words.ts'

type Words = (typeof words)['en']
type Content = SettledMonth & {
  company: string
  month: LocalMonth
  version: StatementVersion | null
  nowMs: number
}

/** The rows of the days that are over; the other days are expected. */
type DocumentContent = Content & { expected: readonly MonthSettlement[] }

const maxChanges = 30

const sumOf = (amounts: readonly (string | null)[]): string | null => {
  const published = amounts.filter((eur) => eur !== null)
  return published.length > 0 ? roundDecimal(sumDecimals(published), 2) : null
}
const enablersOf = ({ enablers }: MonthSettlement) => enablers && sumDecimals(Object.values(enablers))
const money = (eur: string | null) => formatNumber(eur, { decimals: 2 })

const lacksEnergy = ({ market, won_mw, energy_eur }: MonthSettlement) =>
  energyPriced(market) && energy_eur === null && compareDecimals(won_mw, '0') > 0

/** With an unknown amount, lost bids do not count as a known zero. */
const energyOf = (rows: readonly MonthSettlement[]): string | null => {
  const priced = rows.filter(({ market }) => energyPriced(market))
  const isKnown = priced.every(({ energy_eur }) => energy_eur !== null)
  const counted = isKnown ? rows : rows.filter(({ won_mw }) => compareDecimals(won_mw, '0') > 0)
  return sumOf(counted.map(({ energy_eur }) => energy_eur))
}

const othersOf = (row: MonthSettlement): (string | null)[] => [row.partner_eur, row.sc_eur, enablersOf(row)]

type AmountWord = 'capacity' | 'penalty' | 'gross' | 'customer' | 'others' | 'energyColumn'
const amounts: Record<AmountWord, (rows: readonly MonthSettlement[]) => string | null> = {
  capacity: (rows) => sumOf(rows.map((row) => row.capacity_eur)),
  penalty: (rows) => sumOf(rows.map((row) => row.penalty_eur)),
  gross: (rows) => sumOf(rows.map((row) => row.gross_eur)),
  customer: (rows) => sumOf(rows.map((row) => row.customer_eur)),
  others: (rows) => sumOf(rows.flatMap(othersOf)),
  energyColumn: energyOf,
}
const amountWords = Object.keys(amounts) as AmountWord[] // the keys of `amounts`

/** Texts by column. A month may be 50,000 settlements: other requests run in between. */
const amountsOf = async (rows: readonly MonthSettlement[]): Promise<string[]> => {
  const texts: string[] = []
  for (const word of amountWords) {
    texts.push(money(amounts[word](rows)))
    await nextTurn()
  }
  return texts
}

type AmountRow = { amounts: string[] }

const withAmounts = async <T>(groups: Iterable<[T, readonly MonthSettlement[]]>) => {
  const rows: (AmountRow & { of: T })[] = []
  for (const [of, settled] of groups) rows.push({ of, amounts: await amountsOf(settled) })
  return rows
}

const amountColumns = (w: Words): PrintedColumn<AmountRow>[] =>
  amountWords.map((word, i) => block.number(w[word], 1.25, (row) => row.amounts[i] ?? ''))

type Share = { name: string; eur: string | null; gross: string }

const sharesOf = (rows: readonly MonthSettlement[], w: Words): Share[] => {
  const shared = rows.filter(({ customer_eur }) => customer_eur !== null)
  const gross = sumOf(shared.map(({ gross_eur }) => gross_eur)) ?? '0'
  const enablers = [...new Set(shared.flatMap((row) => Object.keys(row.enablers ?? {})))].toSorted()
  const share = (name: string, eurOf: (row: MonthSettlement) => string | null) => ({
    name,
    eur: sumOf(shared.map(eurOf)),
    gross,
  })
  return [
    share(w.you, (row) => row.customer_eur),
    share(w.partner, (row) => row.partner_eur),
    share('SC', (row) => row.sc_eur),
    ...enablers.map((name) => share(name, (row) => row.enablers?.[name] ?? null)),
  ]
}

const percentText = ({ eur, gross }: Share): string => {
  const percent = eur && ratioOfDecimals(multiplyDecimals(eur, '100'), gross, 2)
  return percent ? `${formatNumber(percent, { decimals: 2, minDecimals: 0 })} %` : formatNumber(null)
}

function* warnings({ rows, expected, unsettledDays, month, nowMs }: DocumentContent, w: Words): Generator<Block> {
  const count = (is: (row: MonthSettlement) => boolean) => rows.filter(is).length
  if (rows.some(({ simulated }) => simulated)) yield block.warning(w.simulated)
  if (monthBounds(month).toMs > nowMs) yield block.warning(w.running)
  if (unsettledDays > 0) yield block.warning(w.unsettledDays(unsettledDays))
  const unpublished = count(({ is_result_fetched }) => !is_result_fetched)
  if (unpublished > 0) yield block.warning(w.unpublished(unpublished))
  if (expected.length > 0) yield block.warning(w.expected(expected.length, money(amounts.customer(expected))))
  const unshared = rows.filter(({ gross_eur, customer_eur }) => gross_eur !== null && customer_eur === null)
  if (unshared.length > 0)
    yield block.warning(w.unshared(unshared.length, money(sumOf(unshared.map(({ gross_eur }) => gross_eur)))))
  const energy = count(lacksEnergy)
  if (energy > 0) yield block.warning(w.unknownEnergy(energy))
  if (!rows.some(({ market }) => energyPriced(market))) yield block.quiet(w.noEnergy)
}

function* changes({ version }: Content, w: Words): Generator<Block> {
  if (!version?.previous) return
  const { previous, changes: all } = version
  const at = formatDateTime(previous.madeAt.getTime())
  yield block.heading(w.changes(previous.version))
  yield block.text(w.replaces({ ...previous, at }, version.version, all.length))
  yield block.table(all.slice(0, maxChanges), [
    block.column(w.day, 1.4, (one) => formatDate(one.day)),
    block.column(w.instance, 2, (one) => one.instance_name),
    block.column(w.product, 1.5, (one) => one.product),
    block.number(w.grossBefore, 1.3, (one) => money(one.before?.gross_eur ?? null)),
    block.number(w.gross, 1.3, (one) => money(one.after?.gross_eur ?? null)),
    block.number(w.customerBefore, 1.3, (one) => money(one.before?.customer_eur ?? null)),
    block.number(w.customer, 1.3, (one) => money(one.after?.customer_eur ?? null)),
  ])
  if (all.length > maxChanges) yield block.quiet(w.moreChanges(all.length - maxChanges))
}

async function* blocks(content: DocumentContent, w: Words): AsyncGenerator<Block> {
  const { rows, company, month } = content
  const energy = energyOf(rows)
  const total = await amountsOf(rows)
  yield block.title(w.title, `${company} · ${monthText(month)}`)
  yield block.figures(
    [w.customer, money(amounts.customer(rows)), 'EUR'],
    [w.gross, money(amounts.gross(rows)), 'EUR'],
    [w.penalty, money(amounts.penalty(rows)), 'EUR'],
    [energy !== null && rows.some(lacksEnergy) ? w.energyPartly : w.energy, money(energy), 'EUR'],
  )
  yield* warnings(content, w)
  yield* changes(content, w)
  yield block.heading(w.byProduct)
  const byProduct = [...Map.groupBy(rows, (row) => `${row.instance_name}\n${row.product}`).values()]
  yield block.table(
    await withAmounts(
      byProduct.map((of) => [{ instance: of[0]?.instance_name ?? '', product: of[0]?.product ?? '' }, of]),
    ),
    [
      block.column(w.instance, 2.2, ({ of }) => of.instance),
      block.column(w.product, 1.5, ({ of }) => of.product),
      ...amountColumns(w),
    ],
    { of: { instance: w.total, product: '' }, amounts: total },
  )
  yield block.heading(w.shares)
  yield block.table(sharesOf(rows, w), [
    block.column(w.whose, 2, ({ name }) => name),
    block.number('EUR', 1, ({ eur }) => money(eur)),
    block.number(w.ofGross, 1, percentText),
  ])
  yield block.heading(w.byDay)
  const byDay = [...Map.groupBy(rows, ({ day }) => day)].toSorted(([a], [b]) => a.localeCompare(b))
  yield block.table(
    await withAmounts(byDay.map(([day, of]) => [formatDate(day), of])),
    [block.column(w.day, 1.5, ({ of }) => of), ...amountColumns(w)],
    { of: w.total, amounts: total },
  )
  yield block.heading(w.versions)
  const byVersion = [...Map.groupBy(rows, ({ version }) => version)].toSorted(([a], [b]) => a - b)
  yield block.table(byVersion, [
    block.column(w.version, 1, ([version]) => String(version)),
    block.number(w.settlements, 1, ([, of]) => String(of.length)),
    block.column(w.newest, 3, ([, of]) =>
      formatDateTime(of.reduce((newest, { made_at }) => Math.max(newest, made_at.getTime()), 0)),
    ),
  ])
  if (content.version) {
    const { version, madeAt, sha256, isDraft } = content.version
    yield block.quiet((isDraft ? w.draftVersion : w.thisVersion)(version, formatDateTime(madeAt.getTime()), sha256))
  }
  yield block.heading(w.method)
  yield* w.methodText.map(block.text)
}

type ChangedRow = MonthSettlement & { change: string | undefined }

const columns: Column<ChangedRow>[] = [
  column.day('Date', (row) => row.day),
  column.text('Instance', (row) => row.instance_name),
  column.text('Type', (row) => row.product),
  column.number('Won (MW)', 3, (row) => row.won_mw),
  column.eur('Capacity', (row) => row.capacity_eur),
  column.eur('Penalty', (row) => row.penalty_eur),
  column.eur('Gross', (row) => row.gross_eur),
  column.eur('Customer', (row) => row.customer_eur),
  column.eur('Partner', (row) => row.partner_eur),
  column.eur('SC', (row) => row.sc_eur),
  column.eur('Enablers', enablersOf),
  column.eur('Energy', (row) => row.energy_eur),
  column.yesNo('Results published', (row) => row.is_result_fetched),
  column.yesNo('Day is over', (row) => row.is_closed),
  column.text('Version', (row) => row.version),
  column.instant('Settled', (row) => row.made_at),
  column.text('Changed', (row) => row.change ?? ''),
]

const documentOf = async (content: Content, language: Language, fileName: string): Promise<Document> => {
  const w = words[language]
  const drawn: Block[] = []
  const now = today(content.nowMs)
  const rows = content.rows.filter(({ day }) => day < now)
  const expected = content.rows.filter(({ day }) => day >= now)
  for await (const one of blocks({ ...content, rows, expected }, w)) {
    drawn.push(one)
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
    blocks: drawn,
  }
}

function* changedRows(rows: readonly MonthSettlement[], changes: ReadonlyMap<string, string>): Generator<ChangedRow> {
  for (const row of rows) yield { ...row, change: changes.get(keyOf(row)) }
}

const fileOf = ({ company, month, rows, unsettledDays, version, nowMs }: Content, fileName: string): TableFile => {
  const expected = rows.filter(({ day }) => day >= today(nowMs))
  const changes = new Map(
    version?.changes.flatMap(({ before, after }) => (after ? [[keyOf(after), before ? 'Changed' : 'New']] : [])),
  )
  const name = {
    fileName,
    sheet: 'Settlements',
    about: {
      Company: company,
      Month: month,
      ...(unsettledDays > 0 && { 'Days not settled yet': String(unsettledDays) }),
      ...(expected.length > 0 && {
        'Expected customer revenue, days not over (EUR)': money(amounts.customer(expected)),
      }),
      Made: (version?.madeAt ?? new Date(nowMs)).toISOString(),
      ...(version && {
        'Statement version': `${version.version}${version.isDraft ? ' (draft)' : ''}`,
        'SHA-256': version.sha256,
      }),
      ...(version?.previous && { 'Changed since version': String(version.previous.version) }),
      ...aboutData(simulatedOf(rows.map(({ simulated }) => simulated))),
    },
  }
  return tableFile(name, columns, changedRows(rows, changes))
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
