import { addDays, atLocalTime, hourMs, localDateOf, type LocalDate } from '@gridmast/contract/time.ts'
import { columns, historyDays, localStamp, stamp, type Dataset, type Source } from './dataset.ts'
import { areas, dayPrices, type Area } from './prices.ts'

const lastHourlyDay = '2025-09-30'

const later = (a: LocalDate, b: LocalDate) => (a > b ? a : b)

export const lastDayFrom =
  (clock: string) =>
  (atMs: number): LocalDate => {
    const today = localDateOf(atMs)
    return atMs >= atLocalTime(today, clock) ? addDays(today, 1) : today
  }

const dayAheadUntil = lastDayFrom('12:55')

const isArea = (area: string): area is Area => areas.some((one) => one === area)
const pricesOf = (source: Source, area: string, date: LocalDate) =>
  (isArea(area) ? dayPrices(source.prices, area, date) : null) ?? []

export const spot: Dataset[] = [
  {
    name: 'DayAheadPrices',
    title: 'Day-Ahead Prices',
    resolution: '15 minutes (PT15M)',
    timeColumn: 'TimeUTC',
    areas,
    columns: columns('TimeUTC', 'TimeDK', 'PriceArea', 'DayAheadPriceEUR:EUR per MWh', 'DayAheadPriceDKK:DKK per MWh'),
    days: (atMs) => {
      const last = dayAheadUntil(atMs)
      return [later(addDays(last, -historyDays), addDays(lastHourlyDay, 1)), last]
    },
    rows: (source, area, date) =>
      pricesOf(source, area, date).map(({ fromMs, eur, dkk }) => ({
        TimeUTC: stamp(fromMs),
        TimeDK: localStamp(fromMs),
        PriceArea: area,
        DayAheadPriceEUR: eur,
        DayAheadPriceDKK: dkk,
      })),
  },
  {
    name: 'Elspotprices',
    title: 'Elspot Prices',
    resolution: '1 hour (PT1H)',
    timeColumn: 'HourUTC',
    areas,
    columns: columns('HourUTC', 'HourDK', 'PriceArea', 'SpotPriceDKK:DKK per MWh', 'SpotPriceEUR:EUR per MWh'),
    days: () => [addDays(lastHourlyDay, -historyDays), lastHourlyDay],
    rows: (source, area, date) =>
      pricesOf(source, area, date)
        .filter(({ fromMs }) => fromMs % hourMs === 0)
        .map(({ fromMs, eur, dkk }) => ({
          HourUTC: stamp(fromMs),
          HourDK: localStamp(fromMs),
          PriceArea: area,
          SpotPriceDKK: dkk,
          SpotPriceEUR: eur,
        })),
  },
]
