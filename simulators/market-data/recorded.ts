import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { slots, type SlotKind } from '@gridmast/contract/slots.ts'

export type Price = { eur: number; dkk: number }

export type RecordedDay = { kind: Extract<SlotKind, 'hour' | 'quarter'>; prices: Map<string, Price> }

export type Recorded = Map<string, Map<string, RecordedDay>>

const pricesFile = /^eds_(DayAheadPrices|Elspotprices)_.*\.csv\.gz$/

type Line = { utc: string; date: string; area: string; price: Price }

const readLines = (path: string): Line[] => {
  const text = gunzipSync(readFileSync(path)).toString('utf8').replace('\ufeff', '').trim()
  const [head = '', ...rest] = text.split(/\r?\n/)
  const separator = head.includes(';') ? ';' : ','
  const columns = head.split(separator)
  const at = (pattern: RegExp) => columns.findIndex((column) => pattern.test(column))
  const [utc, local, area, eur, dkk] = [/UTC$/, /DK$/, /PriceArea/, /EUR$/, /PriceDKK$/].map(at)
  return rest.map((line) => {
    const cells = line.split(separator)
    const cell = (index = -1) => cells[index] ?? ''
    const number = (index?: number) => Number(cell(index).replace(',', '.'))
    return {
      utc: cell(utc).replace('+00:00', ''),
      date: cell(local).slice(0, 10),
      area: cell(area),
      price: { eur: number(eur), dkk: number(dkk) },
    }
  })
}

export const readRecorded = (folder: string): Recorded => {
  const recorded: Recorded = new Map()
  for (const file of readdirSync(folder).filter((name) => pricesFile.test(name))) {
    const kind = file.includes('15min') ? 'quarter' : 'hour'
    const days = Map.groupBy(readLines(join(folder, file)), (line) => `${line.area} ${line.date}`)
    for (const lines of days.values()) {
      const [{ area, date } = { area: '', date: '' }] = lines
      const inOrder = lines.toSorted((a, b) => (a.utc < b.utc ? -1 : 1))
      const labels = slots(kind, date).map((slot) => slot.label)
      const whole =
        inOrder.length === labels.length && inOrder.every(({ price }) => Number.isFinite(price.eur + price.dkk))
      if (!whole) continue
      const ofArea = recorded.get(area) ?? new Map<string, RecordedDay>()
      recorded.set(area, ofArea)
      ofArea.set(date, { kind, prices: new Map(inOrder.map(({ price }, i) => [labels[i] ?? '', price])) })
    }
  }
  return recorded
}
