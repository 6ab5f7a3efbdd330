import { slots } from '@gridmast/contract/slots.ts'
import { dayMs, hourMs, type LocalDate, minuteMs, quarterMs } from '@gridmast/contract/time.ts'
import {
  columns,
  inDkk,
  localStamp,
  noiseAt,
  round,
  stamp,
  todayAt,
  until,
  type Dataset,
  type Row,
  type Source,
} from './dataset.ts'
import { asked } from '../activation.ts'
import { intervals, standInDay, type Cells } from './recorded-hours.ts'

const setOf = (area: string) => (area === 'DK1' ? 'balancingDk1' : 'balancingDk2')
const cell = (cells: Cells | null, column: string) => cells?.get(column) ?? null

const signalS = 4

/** Balancing prices of 2021 as recorded, each hour in its four quarters; aFRR energy and mFRR activations are invented. */
const quartersOf = (source: Source, area: string, date: LocalDate) =>
  intervals(source.hours[setOf(area)], 'quarter', date).map(({ fromMs, cells }) => {
    const up = cell(cells, 'BalancingPowerPriceUpEUR')
    const down = cell(cells, 'BalancingPowerPriceDownEUR')
    const imbalance = cell(cells, 'BalancingPowerConsumptionPriceEUR') ?? up
    const upMw = cell(cells, 'RegulatingPowerUp') ?? 0
    const downMw = cell(cells, 'RegulatingPowerDown') ?? 0
    return { fromMs, up, down, imbalance, upMw, downMw }
  })

/** Mean MW of an area's aFRR activation upwards and downwards in a quarter, by the signal of the simulated edges. */
const restorationOf = (area: string, fromMs: number) => {
  const grid = area === 'DK1' ? 'continental' : 'nordic'
  let [up, down] = [0, 0]
  for (let second = fromMs / 1000; second < (fromMs + quarterMs) / 1000; second += signalS) {
    const share = asked('aFRR', grid, second)
    up += Math.max(0, share)
    down += Math.max(0, -share)
  }
  const mw = (sum: number) => (sum > 0 ? Math.max(0.1, round((sum * signalS * 1000 * 12) / quarterMs, 1)) : 0)
  return { up: mw(up), down: -mw(down) }
}

const two = (value: number | null) => (value === null ? null : round(value, 2))

const imbalanceRow = (area: string, one: ReturnType<typeof quartersOf>[number]): Row => {
  const { fromMs } = one
  const direction = one.upMw > 0 ? 1 : one.downMw < 0 ? -1 : 0
  const { up: afrrUp, down: afrrDown } = restorationOf(area, fromMs)
  const eur = two(one.imbalance)
  const vwa = (mw: number, price: number | null) => (mw === 0 ? 0 : two(price))
  return {
    TimeUTC: stamp(fromMs),
    TimeDK: localStamp(fromMs),
    PriceArea: area,
    SatisfiedDemand: round(one.upMw + one.downMw, 1),
    ImbalancePriceEUR: eur,
    ImbalancePriceDKK: inDkk(eur),
    SpotPriceEUR: eur,
    DominatingDirection: direction,
    aFRRUpMW: afrrUp,
    aFRRVWAUpEUR: vwa(afrrUp, one.up),
    aFRRVWAUpDKK: inDkk(vwa(afrrUp, one.up)),
    aFRRDownMW: afrrDown === 0 ? 0 : afrrDown,
    aFRRVWADownEUR: vwa(afrrDown, one.down),
    aFRRVWADownDKK: inDkk(vwa(afrrDown, one.down)),
    mFRRMarginalPriceUpEUR: two(one.up),
    mFRRMarginalPriceUpDKK: inDkk(two(one.up)),
    mFRRMarginalPriceDownEUR: two(one.down),
    mFRRMarginalPriceDownDKK: inDkk(two(one.down)),
  }
}

const energyRow = (area: string, one: ReturnType<typeof quartersOf>[number]): Row => ({
  TimeUTC: stamp(one.fromMs),
  TimeDK: localStamp(one.fromMs),
  PriceArea: area,
  mFRRSAUpReqMW: one.upMw > 0 ? Math.round(one.upMw) : null,
  mFRRSAUpEUR: two(one.up),
  mFRRSADownReqMW: one.downMw < 0 ? Math.round(-one.downMw) : null,
  mFRRSADownEUR: two(one.down),
  TotalmFRRUpMW: Math.max(0, Math.round(one.upMw)),
  TotalmFRRDownMW: Math.max(0, Math.round(-one.downMw)),
})

/** One recorded day of prognosis, scaled slightly each day; measurements differ from it by noise. Invented beyond that day. */
const emission = (source: Source, area: string, date: LocalDate, spread: number): Row[] => {
  const day = standInDay(source.hours[area === 'DK1' ? 'co2Dk1' : 'co2Dk2'], date) ?? []
  const level = 1 + 0.25 * noiseAt(`co2 ${area} day`, Date.parse(date), dayMs)
  return slots('quarter', date).flatMap(({ fromMs, index }) =>
    [0, 1, 2].map((part) => {
      const atMs = fromMs + part * 5 * minuteMs
      const recorded = cell(day[Math.min(index * 3 + part, day.length - 1)] ?? null, 'CO2Emission') ?? 120
      const noise = 1 + spread * noiseAt(`co2 ${area}`, atMs, quarterMs)
      return {
        Minutes5UTC: stamp(atMs),
        Minutes5DK: localStamp(atMs),
        PriceArea: area,
        CO2Emission: round(Math.max(5, recorded * level * noise), 0),
      }
    }),
  )
}

const danish = ['DK1', 'DK2']
const isOlder = (column: string, ageMs: number) => (row: Row, atMs: number) =>
  Date.parse(`${row[column]}Z`) + ageMs <= atMs

const running = { days: until(todayAt), areas: danish }
const emissionColumns = columns('Minutes5UTC', 'Minutes5DK', 'PriceArea', 'CO2Emission:g/kWh')

export const balancing: Dataset[] = [
  {
    ...running,
    name: 'ImbalancePrice',
    title: 'Imbalance price',
    resolution: '15 minutes (PT15M)',
    timeColumn: 'TimeUTC',
    columns: columns(
      'TimeUTC',
      'TimeDK',
      'PriceArea',
      'SatisfiedDemand:MW',
      'ImbalancePriceEUR:EUR per MWh',
      'ImbalancePriceDKK:DKK per MWh',
      'SpotPriceEUR:EUR per MWh',
      'DominatingDirection:-',
      ...['Up', 'Down'].flatMap((way) => [
        `aFRR${way}MW:MWh`,
        `aFRRVWA${way}EUR:EUR per MWh`,
        `aFRRVWA${way}DKK:DKK per MWh`,
        `mFRRMarginalPrice${way}EUR:EUR per MWh`,
        `mFRRMarginalPrice${way}DKK:DKK per MWh`,
      ]),
    ),
    rows: (source, area, date) => quartersOf(source, area, date).map((one) => imbalanceRow(area, one)),
    isPublished: isOlder('TimeUTC', 2 * quarterMs),
  },
  {
    ...running,
    name: 'MfrrEnergyActivationMarket',
    title: 'mFRR energy activation market',
    resolution: '15 minutes (PT15M)',
    timeColumn: 'TimeUTC',
    columns: columns(
      'TimeUTC',
      'TimeDK',
      'PriceArea',
      'mFRRSAUpReqMW:MW',
      'mFRRSAUpEUR:EUR per MWh',
      'mFRRSADownReqMW:MW',
      'mFRRSADownEUR:EUR per MWh',
      'TotalmFRRUpMW:MW',
      'TotalmFRRDownMW:MW',
    ),
    rows: (source, area, date) => quartersOf(source, area, date).map((one) => energyRow(area, one)),
    isPublished: isOlder('TimeUTC', 2 * quarterMs),
  },
  {
    ...running,
    name: 'CO2Emis',
    title: 'CO2 emission',
    resolution: '5 minutes (PT5M)',
    timeColumn: 'Minutes5UTC',
    columns: emissionColumns,
    rows: (source, area, date) => emission(source, area, date, 0.06),
    isPublished: isOlder('Minutes5UTC', 10 * minuteMs),
  },
  {
    name: 'CO2EmisProg',
    title: 'CO2 emission, prognosis',
    resolution: '5 minutes (PT5M)',
    timeColumn: 'Minutes5UTC',
    areas: danish,
    columns: emissionColumns,
    days: until((atMs) => todayAt(atMs + 12 * hourMs)),
    rows: (source, area, date) => emission(source, area, date, 0),
    isPublished: isOlder('Minutes5UTC', -12 * hourMs),
  },
]
