import { setTimeout as wait } from 'node:timers/promises'
import { findSettlements } from '@gridmast/contract/settlement/economics.ts'
import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { type ComparedLine, findStatements, takeStatement } from '@gridmast/contract/settlement/reconciliation.ts'
import { addDays, daysBetween, formatDate, type LocalDate, localDateOf, today } from '@gridmast/contract/time.ts'
import { findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import { findScopeReports, makeScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { addStatementReader, findStatementReaders } from '@gridmast/contract/settlement/statements.ts'
import type { Portal } from './portal.ts'

type Ask = Portal['ask']
type Span = { first: LocalDate; last: LocalDate }

/** From the 1st to the 15th, or from the 16th to the end of the month: the last one that ended before yesterday. */
export const halfMonthBefore = (nowMs: number): Span => {
  const yesterday = addDays(today(nowMs), -1)
  const month = yesterday.slice(0, 8)
  if (yesterday.slice(8) > '15') return { first: `${month}01`, last: `${month}15` }
  const last = addDays(`${month}01`, -1)
  return { first: `${last.slice(0, 8)}16`, last }
}

const differences = [{ mw: '0.9' }, { price: '0.97' }, { availability: '0.95' }, { share: '0.98' }, { amount: '1.02' }]
const every = 7

type Figures = { mw: string; price: string; availability: string; share: string; amount: string }
const names = 'Anlæg;Produkt;Dag;Mængde (MW);Pris (EUR/MW);Rådighed (%);Andel (%);Til udbetaling (EUR)'.split(';')

const danish = (decimal: string) => decimal.replace('.', ',')

const figuresOf = ({ ours, oursEur }: ComparedLine): Figures | null =>
  ours?.mw && ours.priceEur && ours.availability && ours.share && Number(oursEur)
    ? { mw: ours.mw, price: ours.priceEur, availability: ours.availability, share: ours.share, amount: oursEur ?? '0' }
    : null

const toDiffering = (figures: Figures, by: Partial<Figures>): Figures => {
  const times = (field: keyof Figures) => multiplyDecimals(figures[field], by[field] ?? '1')
  const [mw, price] = [roundDecimal(times('mw'), 3), roundDecimal(times('price'), 6)]
  const [availability, share] = [roundDecimal(times('availability'), 4), roundDecimal(times('share'), 4)]
  const product = [price, availability, share, by.amount ?? '1', '0.0001'].reduce(multiplyDecimals, mw)
  return { mw, price, availability, share, amount: roundDecimal(product, 2) }
}

export const statementOf = (lines: readonly ComparedLine[]): string => {
  const inOrder = lines.toSorted((a, b) =>
    `${a.date} ${a.instance} ${a.type}` < `${b.date} ${b.instance} ${b.type}` ? -1 : 1,
  )
  let n = 0
  const rows = inOrder.flatMap((line) => {
    const figures = figuresOf(line)
    if (!figures) return []
    const nth = n++
    const kind = nth % every === every - 1 ? Math.floor(nth / every) % (differences.length + 1) : null
    if (kind === differences.length) return []
    const { mw, price, availability, share, amount } =
      kind === null ? figures : toDiffering(figures, differences[kind] ?? {})
    return [[line.instance, line.type, line.date, ...[mw, price, availability, share, amount].map(danish)]]
  })
  return [names, ...rows].map((cells) => `${cells.join(';')}\r\n`).join('')
}

const rowsAtOnce = 100

const readSettlements = async (ask: Ask, { first, last }: Span) => {
  const rows = []
  for (let skip = 0; ; skip += rowsAtOnce) {
    const query = { startDate: first, endDate: last, limit: rowsAtOnce, skip }
    const { settlements, count } = await ask(findSettlements, { query })
    rows.push(...settlements)
    if (settlements.length === 0 || rows.length >= count) return rows
  }
}

const questionOf = (rows: Awaited<ReturnType<typeof readSettlements>>): string =>
  [
    'Anlæg;Produkt;Dag;Til udbetaling (EUR)',
    ...rows.map((row) => `${row.instanceIdName};${row.type};${row.date};0`),
  ].join('\r\n')

const take = (ask: Ask, text: string, name: string, save: boolean) =>
  ask(takeStatement, { body: { save }, file: new File([text], name, { type: 'text/csv' }) })

const pollMs = 10_000
/** A demo with few days of prices never settles all of them. */
const tries = 180

export const importStatement = async (ask: Ask, nowMs: number): Promise<boolean> => {
  if ((await ask(findStatements, { query: {} })).totalCount > 0) return false
  const span = halfMonthBefore(nowMs)
  const name = `Afregning ${formatDate(span.first)} – ${formatDate(span.last)} (simuleret).csv`
  const days = daysBetween(span.first, span.last) + 1
  for (let [left, before] = [tries, -1]; left > 0; left--) {
    await wait(pollMs)
    const rows = await readSettlements(ask, span)
    const settled = rows.filter(({ isClosed, isResultFetched }) => isClosed && isResultFetched)
    const isWhole = new Set(settled.map(({ date }) => date)).size === days && settled.length === rows.length
    const isSame = rows.length === before
    before = rows.length
    if (!isWhole || !isSame) continue
    const { lines } = await take(ask, questionOf(rows), name, false)
    await take(ask, statementOf(lines), name, true)
    return true
  }
  return false
}

const reportDays = 7
const reportTries = 60

const readMeters = async (ask: Ask): Promise<{ meters: string[]; endDate: string } | null> => {
  const { groups } = await ask(findMeterGroups, {})
  const enabled = groups.flatMap(({ meterIdData }) => meterIdData).filter(({ dataHub }) => dataHub.enabled)
  const readUntil = enabled.flatMap(({ lastRead }) => lastRead ?? []).toSorted()
  const [oldest] = readUntil
  if (oldest === undefined || readUntil.length < enabled.length) return null
  return { meters: enabled.map(({ id }) => id), endDate: addDays(localDateOf(Date.parse(oldest)), -1) }
}

export const writeReport = async (ask: Ask): Promise<boolean> => {
  if ((await ask(findScopeReports, { query: {} })).totalCount > 0) return false
  for (let left = reportTries; left > 0; left--) {
    const read = await readMeters(ask)
    if (read) {
      await ask(makeScopeReport, { body: { ...read, startDate: addDays(read.endDate, 1 - reportDays) } })
      return true
    }
    await wait(pollMs)
  }
  return false
}

export const writeReader = async (ask: Ask, email: string): Promise<void> => {
  const { readers } = await ask(findStatementReaders, {})
  if (readers.length === 0) await ask(addStatementReader, { body: { email, kind: 'settlement' } })
}
