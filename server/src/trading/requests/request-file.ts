import { bidRequestForm, type BidRequestForm } from '@gridmast/contract/trading/bid-requests.ts'
import { energyPriced, requestSlots } from '@gridmast/contract/bid-slots.ts'
import { m } from '@gridmast/contract/messages.ts'
import { numberReader, unclearNumber } from '@gridmast/contract/numbers.ts'
import type { Mistake } from '@gridmast/contract/table-mistake.ts'
import { fieldErrors } from '@gridmast/contract/zod-words.ts'
import { dateOf, findColumns, mistakeAt, truthOf } from '#platform/files/import-table.ts'
import type { Table } from '#platform/files/read-table.ts'
import { invalid } from '#platform/http/errors.ts'

/** Format: request-file.md. */

const headings = {
  licence: ['license', 'licence', 'licens'],
  instance: ['instance', 'anlæg'],
  market: ['market', 'marked'],
  startDate: ['start date', 'startdato'],
  endDate: ['end date', 'slutdato'],
  customBidding: ['custom bidding', 'egne bud'],
  note: ['note', 'bemærkning'],
  excludedDay: ['excluded day', 'undtaget dag'],
  reason: ['reason', 'begrundelse'],
} as const
const notRead = ['status']
type Field = keyof typeof headings
const required: readonly Field[] = ['instance', 'market', 'startDate', 'endDate', 'note']
const ofDay: readonly Field[] = ['excludedDay', 'reason']

export const slotKinds = ['capacity', 'price', 'regulationPrice'] as const
export type SlotKind = (typeof slotKinds)[number]
const units: Record<SlotKind, string> = { capacity: 'MW', price: 'EUR/MW', regulationPrice: 'EUR/MWh' }

export const slotHeading = (kind: SlotKind, hour: number) => `${units[kind]} ${String(hour).padStart(2, '0')}:00`

const hoursBySlots = new Map(
  [0, 1, 6, 24].map((slots) => [slots, Array.from({ length: slots }, (_, slot) => (slot * 24) / slots)]),
)
export const slotHours = (market: string): readonly number[] => hoursBySlots.get(requestSlots(market) ?? 0) ?? []
const hours = Array.from({ length: 24 }, (_, hour) => hour)

const slotOf = (heading: string): { kind: SlotKind; hour: number } | null => {
  const [, unit = '', hour = ''] = /^(mw|eur\/mw|eur\/mwh) ?(\d{1,2})(?::00)?$/.exec(heading) ?? []
  const kind = slotKinds.find((one) => units[one].toLowerCase() === unit)
  return kind && Number(hour) < 24 ? { kind, hour: Number(hour) } : null
}

export type TableColumns = {
  names: readonly string[]
  readNumber: (text: string) => string | null
  fields: Record<Field, number>
  slots: Record<SlotKind, number[]>
}
export type FileRequest = {
  line: number
  fields: Record<Field, string>
  excluded: { line: number; date: string; reason: string }[]
  slots: Record<SlotKind, string[]>
}

const columnsOf = (names: readonly string[]): { columns: Omit<TableColumns, 'readNumber'>; mistakes: Mistake[] } => {
  const fields = findColumns(names, headings)
  if (required.some((field) => fields[field] < 0)) throw invalid({ file: m.bidColumns })
  const slots = {
    capacity: hours.map(() => -1),
    price: hours.map(() => -1),
    regulationPrice: hours.map(() => -1),
  } satisfies Record<SlotKind, number[]>
  const columns = { names, fields, slots }
  const fieldColumns = new Set(Object.values(fields))
  const mistakes = names.flatMap((name, column): Mistake[] => {
    const lower = name.toLowerCase()
    if (name === '' || fieldColumns.has(column) || notRead.includes(lower)) return []
    const slot = slotOf(lower)
    const isFree = slot !== null && slots[slot.kind][slot.hour] === -1
    if (isFree) slots[slot.kind][slot.hour] = column
    return isFree ? [] : [mistakeAt(columns.names, 1, column, { found: name, expected: m.columnUnknown })]
  })
  return { columns, mistakes }
}

export const readRequests = ([names = [], ...table]: string[][], delimiter: Table['delimiter']) => {
  const { columns: ofNames, mistakes } = columnsOf(names)
  const { fields, slots } = ofNames
  const ofSlots = new Set(slotKinds.flatMap((kind) => slots[kind]))
  const numbers = table.flatMap((cells) => cells.filter((_, column) => ofSlots.has(column)))
  const columns: TableColumns = { ...ofNames, readNumber: numberReader(numbers, [], delimiter) }
  const requests: FileRequest[] = []
  for (const [i, cells] of table.entries()) {
    const line = i + 2
    const text = (column: number) => cells[column] ?? ''
    if (cells.every((cell) => cell === '')) continue
    const day = { line, date: text(fields.excludedDay), reason: text(fields.reason) }
    const isDayOnly = cells.every((cell, column) => cell === '' || ofDay.some((field) => fields[field] === column))
    const above = requests.at(-1)
    if (isDayOnly && above) {
      above.excluded.push(day)
      continue
    }
    requests.push({
      line,
      fields: {
        licence: text(fields.licence),
        instance: text(fields.instance),
        market: text(fields.market),
        startDate: text(fields.startDate),
        endDate: text(fields.endDate),
        note: text(fields.note),
        customBidding: text(fields.customBidding),
        excludedDay: day.date,
        reason: day.reason,
      },
      excluded: day.date === '' && day.reason === '' ? [] : [day],
      slots: {
        capacity: slots.capacity.map(text),
        price: slots.price.map(text),
        regulationPrice: slots.regulationPrice.map(text),
      },
    })
  }
  return { columns, requests, mistakes }
}

const isCustom = ({ fields, slots }: FileRequest): boolean | null =>
  fields.customBidding === ''
    ? slotKinds.some((kind) => slots[kind].some((text) => text !== ''))
    : truthOf(fields.customBidding)

const mustBeEmpty = (market: string, isCustomBid: boolean, kind: SlotKind, hour: number): string | null => {
  if (!isCustomBid) return m.emptyWithoutCustom
  const hoursOfMarket = slotHours(market)
  if (hoursOfMarket.length > 0 && !hoursOfMarket.includes(hour)) return m.notASlot
  return kind === 'regulationPrice' && !energyPriced(market) ? m.noEnergyPrice : null
}

const placeOf = ({ fields, slots }: TableColumns, row: FileRequest, path: string) => {
  const [name = '', at = '0', part = 'date'] = path.split('.')
  const kind = slotKinds.find((one) => one === name)
  if (kind) {
    const hour = slotHours(row.fields.market)[Number(at)] ?? 0
    return { line: row.line, column: slots[kind][hour] ?? -1, found: row.slots[kind][hour] ?? '' }
  }
  if (name === 'excludedDays') {
    const day = row.excluded[Number(at)]
    const field = part === 'reason' ? 'reason' : 'excludedDay'
    return {
      line: day?.line ?? row.line,
      column: fields[field],
      found: (part === 'reason' ? day?.reason : day?.date) ?? '',
    }
  }
  const field = { groupId: 'instance', licenseId: 'licence', biddingMarket: 'market' }[name] ?? name
  const place = Object.keys(fields).find((one): one is Field => one === field) ?? 'instance'
  return { line: row.line, column: fields[place], found: row.fields[place] }
}

export const mistakesAt = (columns: TableColumns, row: FileRequest, errors: Record<string, string>): Mistake[] =>
  Object.entries(errors).map(([path, expected]) => {
    const { line, column, found } = placeOf(columns, row, path)
    return mistakeAt(columns.names, line, column, { found, expected })
  })

export const missingColumns = ({ slots }: TableColumns, market: string): string[] =>
  slotKinds.flatMap((kind) =>
    kind === 'regulationPrice' && !energyPriced(market)
      ? []
      : slotHours(market).flatMap((hour) => ((slots[kind][hour] ?? -1) < 0 ? [slotHeading(kind, hour)] : [])),
  )

export const toForm = (columns: TableColumns, row: FileRequest, ids: Pick<BidRequestForm, 'licenseId' | 'groupId'>) => {
  const { market } = row.fields
  const customBidding = isCustom(row)
  const list = (kind: SlotKind) =>
    customBidding === true
      ? slotHours(market).map((hour) => Number(columns.readNumber(row.slots[kind][hour] || '0') ?? Number.NaN))
      : []
  const wrong = slotKinds.flatMap((kind) =>
    row.slots[kind].flatMap((found, hour): Mistake[] => {
      const expected =
        found === ''
          ? null
          : (mustBeEmpty(market, customBidding !== false, kind, hour) ??
            (columns.readNumber(found) === unclearNumber ? m.numberUnclear : null))
      return expected === null
        ? []
        : [mistakeAt(columns.names, row.line, columns.slots[kind][hour] ?? -1, { found, expected })]
    }),
  )
  const read = bidRequestForm.safeParse({
    ...ids,
    biddingMarket: market,
    note: row.fields.note,
    startDate: dateOf(row.fields.startDate),
    endDate: dateOf(row.fields.endDate),
    excludedDays: row.excluded.map(({ date, reason }) => ({ date: dateOf(date), reason })),
    customBidding: customBidding ?? false,
    capacity: list('capacity'),
    price: list('price'),
    regulationPrice: energyPriced(market) ? list('regulationPrice') : null,
  })
  const errors = {
    ...(read.success ? {} : fieldErrors(read.error)),
    ...(customBidding === null ? { customBidding: m.activeWord } : {}),
  }
  const cells = new Set(wrong.map(({ cell }) => cell))
  const mistakes = [
    ...mistakesAt(columns, row, errors).filter(({ cell }) => cell === null || !cells.has(cell)),
    ...wrong,
  ]
  return { form: read.success && mistakes.length === 0 ? read.data : null, customBidding, mistakes }
}
