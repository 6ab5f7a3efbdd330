import { slots } from '@gridmast/contract/slots.ts'
import { addDays, atLocalTime, dayMs, hourMs, type LocalDate, localDateOf } from '@gridmast/contract/time.ts'
import {
  columns,
  inDkk,
  localStamp,
  noiseAt,
  round,
  stamp,
  until,
  type Dataset,
  type Row,
  type Source,
} from './dataset.ts'
import { intervals, type Cells, type RecordedSet } from './recorded-hours.ts'
import { lastDayFrom } from './spot.ts'

const cell = (cells: Cells | null, column: string) => cells?.get(column) ?? null

/** Never below zero; `spread` 0.3 is a third of the value. */
const varied = (value: number, series: string, fromMs: number, spread: number, stepMs = hourMs) =>
  Math.max(0, value * (1 + spread * noiseAt(series, fromMs, stepMs)))

/** FCR of DK1 has no open recording: 4 to 53 EUR per block, high at night and at noon. */
const blockEur = [30, 18, 12, 14, 8, 16]

const fcrDk1 = (date: LocalDate): Row[] => {
  const blocks = slots('block', date)
  return slots('hour', date).map(({ fromMs }) => {
    const block = blocks.find((one) => fromMs < one.toMs)
    const fromBlockMs = block?.fromMs ?? fromMs
    const cross = round(3.7 + varied(blockEur[block?.index ?? 0] ?? 15, 'fcr dk1', fromBlockMs, 0.45), 2)
    const own = round(Math.min(cross, varied(cross, 'fcr dk1 own', fromBlockMs, 0.12)), 2)
    return {
      HourUTC: stamp(fromMs),
      HourDK: localStamp(fromMs),
      FCRdomestic_MW: round(varied(6, 'fcr dk1 mw', fromBlockMs, 0.4), 0),
      FCRabroad_MW: round(varied(24, 'fcr dk1 abroad', fromBlockMs, 0.2), 0),
      FCRcross_EUR: cross,
      FCRcross_DKK: round(cross * 7.46038, 2),
      FCRdk_EUR: own,
      FCRdk_DKK: round(own * 7.46038, 2),
    }
  })
}

const nordicFactor: Record<string, number> = { DK2: 1, SE1: 0.78, SE2: 0.8, SE3: 0.95, SE4: 1.05 }
/** The early auction of DK2 is the recording; FCR-D down did not exist then and follows FCR-D up. */
const products = [
  { name: 'FCR-N', column: 'FCR_N_PriceEUR', factor: 1, earlyMw: 130, lateMw: 60 },
  { name: 'FCR-D upp', column: 'FCR_D_UpPriceEUR', factor: 1, earlyMw: 380, lateMw: 160 },
  { name: 'FCR-D ned', column: 'FCR_D_UpPriceEUR', factor: 0.1, earlyMw: 430, lateMw: 144 },
]

const fcrNordic = (source: Source, area: string, date: LocalDate): Row[] =>
  intervals(source.hours.fcrDk2, 'hour', date).flatMap(({ fromMs, cells }) =>
    products.flatMap(({ name, column, factor, earlyMw, lateMw }) => {
      const series = `${name} ${area}`
      const level = (cell(cells, column) ?? 20) * factor * (nordicFactor[area] ?? 1)
      const early = {
        eur: round(varied(level, series, fromMs, area === 'DK2' ? 0 : 0.08), 2),
        mw: round(varied(earlyMw, `${series} mw`, fromMs, 0.15), 1),
      }
      const late = {
        eur: round(varied(level * 0.8, `${series} late`, fromMs, 0.25), 2),
        mw: round(varied(lateMw, `${series} late mw`, fromMs, 0.3), 1),
      }
      const mw = round(early.mw + late.mw, 1)
      const mean = mw > 0 ? round((early.eur * early.mw + late.eur * late.mw) / mw, 6) : 0
      const row = (auction: string, one: { eur: number; mw: number }): Row => ({
        HourUTC: stamp(fromMs),
        HourDK: localStamp(fromMs),
        PriceArea: area,
        ProductName: name,
        AuctionType: auction,
        PurchasedVolumeLocal: round(one.mw * 0.15, 1),
        PurchasedVolumeTotal: one.mw,
        PriceTotalEUR: one.eur,
      })
      return [row('D-1 early', early), row('D-1 late', late), row('Total', { eur: mean, mw })]
    }),
  )

type Capacity = { demand: number; procured: number; eur: number | null }

const capacityRow = (fromMs: number, area: string, up: Capacity | null, down: Capacity | null): Row => ({
  TimeUTC: stamp(fromMs),
  TimeDK: localStamp(fromMs),
  PriceArea: area,
  UpDemandMW: up?.demand ?? null,
  UpProcuredMW: up?.procured ?? null,
  UpPriceEUR: up?.eur ?? null,
  UpPriceDKK: inDkk(up?.eur ?? null),
  DownDemandMW: down?.demand ?? null,
  DownProcuredMW: down?.procured ?? null,
  DownPriceEUR: down?.eur ?? null,
  DownPriceDKK: inDkk(down?.eur ?? null),
})

/** DK2 as recorded in October 2024, three weeks in turn; DK1 in the range of 2026, invented. */
const afrr = (source: Source, area: string, date: LocalDate): Row[] =>
  intervals(source.hours.afrrDk2, 'hour', date).map(({ fromMs, cells }) => {
    const simulated = (name: string, eur: number): Capacity => ({
      demand: 90,
      procured: round(varied(95, `aFRR ${name} mw`, fromMs, 0.05), 1),
      eur: round(varied(eur, `aFRR ${name}`, fromMs, 0.5), 2),
    })
    if (area === 'DK1') return capacityRow(fromMs, area, simulated('up', 14), { ...simulated('down', 0.6), demand: 20 })
    const recorded = (way: 'Up' | 'Down'): Capacity => {
      const procured = cell(cells, `aFRR_${way}Purchased`) ?? 0
      return { demand: procured, procured, eur: cell(cells, `aFRR_${way}CapPriceEUR`) }
    }
    return capacityRow(fromMs, area, recorded('Up'), recorded('Down'))
  })

const mfrr = (source: Source, area: string, date: LocalDate, extra: '' | 'Xtra'): Row[] => {
  const set: RecordedSet = area === 'DK1' ? 'mfrrDk1' : 'mfrrDk2'
  return intervals(source.hours[set], 'hour', date).map(({ fromMs, cells }) => {
    const one = (way: 'Up' | 'Down'): Capacity | null => {
      const procured = cell(cells, `mFRR_${way}Purchased${extra}`) ?? 0
      const demand = cell(cells, `mFRR_${way}Expected${extra}`) ?? 0
      if (extra && procured === 0) return null // no extra auction: no price
      return { demand, procured, eur: cell(cells, `mFRR_${way}Price${extra}EUR`) }
    }
    return capacityRow(fromMs, area, one('Up'), one('Down'))
  })
}

/** Bought in the light nights of summer, at low inertia: May to September, invented. Other months as recorded. */
const ffr = (source: Source, date: LocalDate): Row[] =>
  intervals(source.hours.ffr, 'hour', date).map(({ fromMs, index, cells }) => {
    const month = Number(date.slice(5, 7))
    const isSeason = month >= 5 && month <= 9
    const isNeeded = isSeason && (index < 7 || noiseAt('ffr need', fromMs, dayMs) > 1.2)
    const spike = noiseAt('ffr spike', fromMs, hourMs) > 2.6 ? 20 : 1
    const eur = isNeeded ? round(varied(18 * spike, 'ffr', fromMs, 0.4), 2) : 0
    const isRecorded = !isSeason && month <= 4
    const bought = isRecorded
      ? (cell(cells, 'FFR_Purchased') ?? 0)
      : isNeeded
        ? round(varied(8, 'ffr mw', fromMs, 0.4), 1)
        : 0
    const price = isRecorded ? (cell(cells, 'FFR_MarginalPriceEUR') ?? 0) : eur
    return {
      HourUTC: stamp(fromMs),
      HourDK: localStamp(fromMs),
      FFR_DemandMW: round(bought * 0.9, 3),
      FFR_PurchasedMW: bought,
      FFR_PriceEUR: price,
      FFR_PriceDKK: inDkk(price),
    }
  })

const upAndDown = columns(
  'TimeUTC',
  'TimeDK',
  'PriceArea',
  ...['Up', 'Down'].flatMap((way) => [
    `${way}DemandMW:MW`,
    `${way}ProcuredMW:MW`,
    `${way}PriceEUR:EUR per MW`,
    `${way}PriceDKK:DKK per MW`,
  ]),
)

const hourly = { resolution: '1 hour (PT1H)' }

/** For tomorrow the early auction is published at 05:00, the late one and the total at 19:00. */
const isNordicPublished = (row: Row, atMs: number): boolean => {
  if (row['AuctionType'] === 'D-1 early') return true
  const tomorrow = addDays(localDateOf(atMs), 1)
  const isTomorrow = localDateOf(Date.parse(`${row['HourUTC']}Z`)) === tomorrow
  return !isTomorrow || atMs >= atLocalTime(localDateOf(atMs), '19:00')
}

export const reserves: Dataset[] = [
  {
    ...hourly,
    name: 'FcrDK1',
    title: 'FCR, DK1',
    timeColumn: 'HourUTC',
    areas: null,
    columns: columns(
      'HourUTC',
      'HourDK',
      'FCRdomestic_MW:MW',
      'FCRabroad_MW:MW',
      'FCRcross_EUR:EUR per MW',
      'FCRcross_DKK:DKK per MW',
      'FCRdk_EUR:EUR per MW',
      'FCRdk_DKK:DKK per MW',
    ),
    days: until(lastDayFrom('09:00')),
    rows: (_, __, date) => fcrDk1(date),
  },
  {
    ...hourly,
    name: 'FcrNdDK2',
    title: 'FCR-N and FCR-D, DK2',
    timeColumn: 'HourUTC',
    areas: Object.keys(nordicFactor),
    columns: columns(
      'HourUTC',
      'HourDK',
      'PriceArea',
      'ProductName',
      'AuctionType',
      'PurchasedVolumeLocal:MW',
      'PurchasedVolumeTotal:MW',
      'PriceTotalEUR:EUR per MW',
    ),
    days: until(lastDayFrom('05:00')),
    rows: fcrNordic,
    isPublished: isNordicPublished,
  },
  {
    ...hourly,
    name: 'AfrrReservesNordic',
    title: 'aFRR capacity, Nordic',
    timeColumn: 'TimeUTC',
    areas: ['DK1', 'DK2'],
    columns: upAndDown,
    days: until(lastDayFrom('09:15')),
    rows: afrr,
  },
  {
    ...hourly,
    name: 'MfrrCapacityMarket',
    title: 'mFRR capacity',
    timeColumn: 'TimeUTC',
    areas: ['DK1', 'DK2'],
    columns: upAndDown,
    days: until(lastDayFrom('10:15')),
    rows: (source, area, date) => mfrr(source, area, date, ''),
  },
  {
    ...hourly,
    name: 'MfrrCapacityMarketExtra',
    title: 'mFRR capacity, extra auction',
    timeColumn: 'TimeUTC',
    areas: ['DK1'],
    columns: upAndDown,
    days: until(lastDayFrom('10:15')),
    rows: (source, area, date) => mfrr(source, area, date, 'Xtra'),
  },
  {
    ...hourly,
    name: 'FfrDK2',
    title: 'FFR, DK2',
    timeColumn: 'HourUTC',
    areas: null,
    columns: columns(
      'HourUTC',
      'HourDK',
      'FFR_DemandMW:MW',
      'FFR_PurchasedMW:MW',
      'FFR_PriceEUR:EUR per MW',
      'FFR_PriceDKK:DKK per MW',
    ),
    days: until(lastDayFrom('15:30')),
    rows: (source, _, date) => ffr(source, date),
  },
]
