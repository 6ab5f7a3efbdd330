import type { Data } from '@gridmast/contract/call.ts'
import { dearestHours } from '@gridmast/contract/meters/data-hub.ts'
import { compareDecimals, divideDecimal, multiplyDecimals, ratioOfDecimals } from '@gridmast/contract/numbers.ts'
import { formatDate, hourMs, type LocalDate, today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { slotLabel, slotWords } from '#ui/Chart/shape.ts'
import * as column from '#ui/columns.tsx'
import { type Columns, Hint } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import type { Preview } from './CostDialogs.tsx'
import type { Period } from './meter-words.ts'
import { Note } from '#ui/Layout.tsx'

type Hour = Data<typeof dearestHours>['hours'][number]

const perKwh = (dkkPerMwh: string) => digits.hourDkkPerKwh(divideDecimal(dkkPerMwh, 1000, 3))

const span = ({ from, to }: Hour) => [Date.parse(from), Date.parse(to)] as const
const cheapestHour = ({ cheapest }: Hour) => Date.parse(cheapest.from)

const columnsOf = (isDay: boolean, phone: boolean): Columns<Hour> => {
  // A card has two lines; its price is the cost over the energy.
  const figure = (
    key: string,
    title: string,
    words: (hour: Hour) => string,
    by: (hour: Hour) => string,
    card: 'plain' | 'none',
  ) =>
    column.figure(key, title, (hour: Hour) => <span className="gm-num">{words(hour)}</span>, {
      card,
      sort: (hour) => Number(by(hour)),
    })
  return [
    column.cell(
      'hour',
      t('Hour'),
      (hour) => <span className="gm-num">{isDay ? slotLabel(...span(hour)) : slotWords(...span(hour))}</span>,
      { card: 'lead', sort: ({ from }) => from },
    ),
    figure(
      'kwh',
      t('Consumption (kWh)'),
      ({ kwh }) => `${digits.kwhTotal(kwh)}${phone ? ' kWh' : ''}`,
      ({ kwh }) => kwh,
      'plain',
    ),
    figure(
      'price',
      t('Price (DKK/kWh)'),
      (hour) => perKwh(hour.dkkPerMwh),
      (hour) => hour.dkkPerMwh,
      'none',
    ),
    figure(
      'dkk',
      t('Cost (DKK)'),
      ({ dkk }) => `${digits.dkk(dkk)}${phone ? ' DKK' : ''}`,
      ({ dkk }) => dkk,
      'plain',
    ),
    figure(
      'cheapest',
      t('Cheapest hour of the day'),
      (hour) => `${slotLabel(cheapestHour(hour), cheapestHour(hour) + hourMs)} · ${perKwh(hour.cheapest.dkkPerMwh)}`,
      ({ cheapest }) => cheapest.dkkPerMwh,
      'none',
    ),
    column.figure(
      'saved',
      t('Possible saving (DKK)'),
      ({ kwh, dkk, savedDkk, cheapest }) => (
        <Hint
          words={t('{{dkk}} DKK − {{kwh}} kWh × {{price}} DKK/kWh', {
            dkk: digits.dkk(dkk),
            kwh: digits.kwhTotal(kwh),
            price: perKwh(cheapest.dkkPerMwh),
          })}
        >
          <span className="gm-num">{digits.dkk(savedDkk)}</span>
        </Hint>
      ),
      { card: 'corner', sort: ({ savedDkk }) => Number(savedDkk) },
    ),
  ]
}

const daysText = (first: LocalDate, last: LocalDate) =>
  first === last ? formatDate(first) : `${formatDate(first)} – ${formatDate(last)}`

type Props = { meterId: string; period: Period; preview: Preview }

/** The ten most expensive hours, with the cost of the same energy in the cheapest hour of their day. */
export const DearestHours = ({ meterId, period: { by, first, last, words }, preview }: Props) => {
  const now = today(useNow(60_000))
  const endDate = last > now && first <= now ? now : last
  const read = useCall(dearestHours, {
    sent: { params: { meterId }, query: { startDate: first, endDate, ...preview } },
  })
  const { data } = read
  const total = data?.totals.dkk?.total ?? '0'
  const share =
    data && compareDecimals(total, '0') > 0 ? ratioOfDecimals(multiplyDecimals(data.savedDkk, '100'), total, 1) : null
  return (
    <ListPanel
      query={read}
      failed={t('The most expensive hours could not be loaded.')}
      title={t('The ten most expensive hours')}
      help="dearest"
      note={by === 'hours' || by === 'days' ? daysText(first, endDate) : words}
      columns={columnsOf(first === last, usePhone())}
      rows={data?.hours}
      rowKey={({ from }) => from}
      filters={
        data &&
        data.hours.length > 0 && (
          <Note className="gm-meta">
            {t(
              'In the cheapest hour of the same day they would have cost {{dkk}} DKK less, {{share}} % of the total.',
              {
                dkk: digits.dkk(data.savedDkk),
                share: digits.fixedPercent(share),
              },
            )}{' '}
            {t('Based on published prices: the highest possible saving from shifting.')}
          </Note>
        )
      }
      emptyReason={t('No hour has both readings and prices.')}
    />
  )
}
